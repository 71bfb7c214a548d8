-- The security log: who signed in, failed to, or changed who may. It is separate from the request log and from the
-- ledger: unlike the request log, owners can read it; unlike the ledger, it forgets. Servers add entries and read them
-- through functions, and can neither change nor delete one that is younger than 400 days.

create table admin.security_entry (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  kind text collate "C" not null check (kind ~ '^[a-z]+(-[a-z]+){1,5}$' and length(kind) <= 40),
  username text collate "C",
  actor text collate "C",
  network cidr check (masklen(network) = case family(network) when 4 then 24 else 48 end),
  browser text check (length(browser) between 1 and 60),
  request_id uuid,
  detail jsonb not null default '{}' check (jsonb_typeof(detail) = 'object' and length(detail::text) <= 600)
);
comment on table admin.security_entry is 'The security log. An entry is deleted 400 days after it was made.';
comment on column admin.security_entry.kind is
  'One of domain/src/admin/security-log.ts. There is no check on the list, because servers of two releases write here '
  'during an upgrade.';
comment on column admin.security_entry.username is
  'The account that the entry is about. Null when no account has the name that was typed: it may be a password.';
comment on column admin.security_entry.actor is
  'The account that acted on another account, or operator for a command on the server. Null: the person acted.';
comment on column admin.security_entry.network is
  'The /24 of an IPv4 address or the /48 of an IPv6 address. Both contain about 256 customers of a provider.';
comment on column admin.security_entry.detail is 'Facts of the kind, without personal data of customers.';
create index security_entry_at on admin.security_entry (at);

create function admin.note_security_entry(
  p_kind text, p_username text, p_actor text, p_network text, p_browser text, p_request_id uuid, p_detail text
) returns table (id bigint, username text)
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  insert into admin.security_entry as noted (kind, username, actor, network, browser, request_id, detail)
  values (
    p_kind,
    (select account.username from admin.account where account.username = p_username),
    case
      when p_actor = 'operator' then p_actor
      else (select account.username from admin.account where account.username = p_actor)
    end,
    p_network::cidr, p_browser, p_request_id, p_detail::jsonb
  )
  returning noted.id, noted.username;
end;
comment on function admin.note_security_entry is
  'Adds an entry at the time of the database. Returns its id, and its account if there is one with this name.';

create function admin.list_security_entries(p_kind text, p_username text, p_skip integer, p_take integer)
returns table (
  id bigint, at timestamptz, kind text, username text, display_name text, actor text, actor_name text, network text,
  browser text, detail text
)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select entry.id, entry.at, entry.kind, entry.username, coalesce(person.display_name, entry.username), entry.actor,
    coalesce(acting.display_name, entry.actor), entry.network::text, entry.browser, entry.detail::text
  from admin.security_entry entry
    left join admin.person on person.username = entry.username
    left join admin.person acting on acting.username = entry.actor
  where (p_kind is null or entry.kind = p_kind)
    and (p_username is null or entry.username = p_username or entry.actor = p_username)
  order by entry.id desc
  limit least(p_take, 200) offset p_skip;
end;
comment on function admin.list_security_entries is
  'Entries, newest first, with the names that people have now. A person is the account or the actor of an entry.';

create function admin.count_security_entries(p_kind text, p_username text, p_most integer) returns integer
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select count(*)::integer from (
    select from admin.security_entry entry
    where (p_kind is null or entry.kind = p_kind)
      and (p_username is null or entry.username = p_username or entry.actor = p_username)
    limit p_most
  ) counted;
end;
comment on function admin.count_security_entries is 'How many entries there are, counted up to a number.';

create function admin.forget_old_security_entries() returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_forgotten integer;
begin
  delete from admin.security_entry where at < clock_timestamp() - interval '400 days';
  get diagnostics v_forgotten = row_count;
  return v_forgotten;
end
$$;
comment on function admin.forget_old_security_entries is
  'Deletes entries that are older than 400 days. The number is part of the function, so an attacker in a server cannot '
  'delete the traces of an attack.';

-- Export tokens

create function admin.find_export_token(p_token_hash bytea)
returns table (name text, created_by text, is_revoked boolean)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select token.name, token.created_by, token.revoked_at is not null
  from admin.export_token token where token.token_hash = p_token_hash;
end;
comment on function admin.find_export_token is
  'A token that may have ended. It proves nothing: it names the token when an ended one is used.';

create function admin.export_token_named(p_id uuid) returns text
language sql stable security definer
set search_path = pg_catalog, pg_temp
return (select token.name from admin.export_token token where token.id = p_id);
comment on function admin.export_token_named is 'The name of a token, for the entry about its revocation.';

-- Passkeys

create function admin.spend_challenge(p_challenge bytea, p_holder bytea) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from admin.passkey_challenge where expires_at < clock_timestamp();
  insert into admin.passkey_challenge (challenge, holder, purpose) values (p_challenge, p_holder, 'sign-in')
  on conflict (challenge) do nothing;
  return found;
end
$$;
comment on function admin.spend_challenge is
  'Notes that a challenge of a sign-in was used. False when it was used before. Only a right passkey leads here, so '
  'strangers cannot fill the table, and asking for a challenge needs no limit.';

revoke all on function
  admin.note_security_entry, admin.list_security_entries, admin.count_security_entries,
  admin.forget_old_security_entries, admin.find_export_token, admin.export_token_named, admin.spend_challenge
from public;
-- kilim_app, because servers connect with it until the operator has prepared their login for kilim_server.
grant execute on function
  admin.note_security_entry, admin.list_security_entries, admin.count_security_entries,
  admin.forget_old_security_entries, admin.find_export_token, admin.export_token_named, admin.spend_challenge
to kilim_app, kilim_server;
