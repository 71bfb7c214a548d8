-- The people of the back office: their roles and states, and the functions through which servers read and change
-- accounts, sessions and export tokens. kilim_server may execute these functions, and has no privilege on a table of
-- this schema. kilim_app keeps its privileges until no server of the previous release runs.

-- Roles belong to the cluster, not to the database, so it may exist already.
do $$
begin
  if not exists (select from pg_roles where rolname = 'kilim_server') then create role kilim_server nologin; end if;
exception
  -- Another database of the same cluster is being migrated at the same time, and created the role first.
  when duplicate_object or unique_violation then null;
end
$$;
grant usage on schema admin to kilim_server;

-- A table of its own, because a constraint on admin.account would refuse rows of servers of the previous release.
create table admin.person (
  username text collate "C" primary key references admin.account,
  display_name text not null check (length(display_name) between 1 and 100),
  role text collate "C" not null check (role in ('owner', 'clerk', 'accountant')),
  state text collate "C" not null check (state in ('invited', 'active', 'disabled')),
  activated_at timestamptz check (activated_at is not null or state <> 'active'),
  must_change_password boolean not null default false,
  password_hash text check (password_hash like '$argon2id$%')
);
comment on table admin.person is
  'The role and the state of each account. An account without a row was created by a server of the previous release: '
  'it is an active owner.';
comment on column admin.person.display_name is 'For screens. It is personal data, so it never enters the ledger.';
comment on column admin.person.role is 'The application knows what each role may do: domain/src/admin/permissions.ts.';
comment on column admin.person.must_change_password is
  'The password was generated or chosen by another person. Until it is replaced, the account can do nothing else.';
comment on column admin.person.password_hash is
  'Servers of the previous release know neither roles nor states. So the hash is in admin.account only for an account '
  'that they may sign in: an active owner with a password of their own. For other accounts the hash is here, and '
  'admin.account has a hash that no password matches.';
insert into admin.person (username, display_name, role, state, activated_at)
select account.username, account.username, 'owner', 'active', account.created_at from admin.account;

create table admin.password_link (
  username text collate "C" primary key references admin.person,
  token_hash bytea not null unique check (length(token_hash) = 32),
  purpose text collate "C" not null check (purpose in ('invitation', 'reset')),
  created_by text collate "C" not null,
  expires_at timestamptz not null default clock_timestamp() + interval '24 hours'
);
comment on table admin.password_link is
  'Links with which invited people choose their first password, and others a new one. Each works once; a new link '
  'replaces the earlier one of the account.';
comment on column admin.password_link.token_hash is
  'SHA-256 of 256 random bits that were shown once. Reading this table does not allow anybody to choose a password.';

-- Internal functions. Servers may not execute them.

create function admin.unmatched_hash() returns text
language sql volatile
set search_path = pg_catalog, pg_temp
return '$argon2id$v=19$m=19456,t=2,p=1$' || rtrim(encode(uuid_send(gen_random_uuid()), 'base64'), '=') || '$'
  || rtrim(encode(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'base64'), '=');
comment on function admin.unmatched_hash is 'A hash with a random result, which no password matches.';

create function admin.adopt_accounts() returns void
language sql volatile
set search_path = pg_catalog, pg_temp
begin atomic
  insert into admin.person (username, display_name, role, state, activated_at)
  select account.username, account.username, 'owner', 'active', account.created_at from admin.account
  where not exists (select from admin.person where person.username = account.username)
  on conflict do nothing;
end;
comment on function admin.adopt_accounts is 'Adds the rows of accounts that a server of the previous release created.';

create function admin.place_password(p_username text, p_hash text) returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_is_known_before boolean;
begin
  select role = 'owner' and state = 'active' and not must_change_password into strict v_is_known_before
  from admin.person where username = p_username;
  update admin.account set password_hash = case when v_is_known_before then p_hash else admin.unmatched_hash() end
  where username = p_username;
  update admin.person set password_hash = case when v_is_known_before then null else p_hash end
  where username = p_username;
end
$$;
comment on function admin.place_password is
  'Stores the hash where servers of the previous release find it, or where they do not: see '
  'admin.person.password_hash.';

create function admin.placed_password(p_username text) returns text
language sql stable
set search_path = pg_catalog, pg_temp
return (
  select coalesce(person.password_hash, account.password_hash)
  from admin.account left join admin.person using (username) where account.username = p_username
);
comment on function admin.placed_password is
  'The password hash of an account in any state, wherever admin.place_password has stored it.';

create function admin.session_key(p_username text, p_token_hash bytea) returns bytea
language sql stable
set search_path = pg_catalog, pg_temp
return case
  when exists (
    select from admin.person where username = p_username and (role <> 'owner' or must_change_password)
  ) then sha256(p_token_hash)
  else p_token_hash
end;
comment on function admin.session_key is
  'The stored hash of a session''s token. Servers of the previous release give every session the rights of an owner. '
  'So the hash of other sessions is hashed again, and these servers do not find them.';

create function admin.has_another_owner(p_username text) returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform admin.adopt_accounts();
  -- The locks let a second change wait for the first. It then sees the rows as the first one left them.
  perform from admin.person where role = 'owner' and state = 'active' order by username for update;
  return exists (
    select from admin.person where role = 'owner' and state = 'active' and username <> p_username
  );
end
$$;
comment on function admin.has_another_owner is
  'Whether another active owner remains when this account is disabled or gets another role.';

create function admin.end_access(p_username text) returns integer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ended integer;
begin
  delete from admin.session where username = p_username;
  get diagnostics v_ended = row_count;
  delete from admin.known_browser where username = p_username;
  delete from admin.password_link where username = p_username;
  return v_ended;
end
$$;
comment on function admin.end_access is 'Ends all sessions of the account and the validity of its link.';

create view admin.live_session as
select session.id, session.token_hash, session.username, session.created_at, session.seen_at,
  session.authenticated_at > clock_timestamp() - interval '10 minutes' as is_recent, session.proof_hash,
  session.address, session.user_agent, coalesce(person.display_name, session.username) as display_name,
  coalesce(person.role, 'owner') as role, coalesce(person.must_change_password, false) as must_change_password
from admin.session left join admin.person using (username)
where session.created_at > clock_timestamp() - interval '12 hours'
  and session.seen_at > clock_timestamp() - interval '30 minutes'
  and coalesce(person.state, 'active') = 'active';
comment on view admin.live_session is
  'The sessions that have not expired, of accounts that are active. By the clock of the database, because all '
  'servers must agree.';

-- Accounts

create function admin.has_accounts() returns boolean
language sql stable security definer
set search_path = pg_catalog, pg_temp
return exists (select from admin.account);
comment on function admin.has_accounts is 'False before the first start of a server.';

create function admin.create_first_owner(p_username text, p_hash text, p_must_change boolean) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from admin.account) then
    return false;
  end if;
  insert into admin.account (username, password_hash) values (p_username, p_hash) on conflict do nothing;
  if not found then
    return false;
  end if;
  insert into admin.person (username, display_name, role, state, activated_at, must_change_password)
  values (p_username, p_username, 'owner', 'active', clock_timestamp(), p_must_change);
  perform admin.place_password(p_username, p_hash);
  return true;
end
$$;
comment on function admin.create_first_owner is
  'Creates the first account. False when there is one already, also when another server has just created it.';

create function admin.password_of(p_username text) returns text
language sql stable security definer
set search_path = pg_catalog, pg_temp
return (
  select admin.placed_password(account.username)
  from admin.account left join admin.person using (username)
  where account.username = p_username and coalesce(person.state, 'active') = 'active'
);
comment on function admin.password_of is 'The password hash of an active account. There is no way to read all hashes.';

create function admin.set_password(p_username text, p_hash text, p_must_change boolean, p_keep_session uuid)
returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ended integer;
begin
  perform admin.adopt_accounts();
  -- This locks the account until the transaction ends, so two changes run one after the other.
  update admin.person set must_change_password = p_must_change where username = p_username and state = 'active';
  if not found then
    return null;
  end if;
  update admin.account set password_changed_at = clock_timestamp() where username = p_username;
  perform admin.place_password(p_username, p_hash);
  delete from admin.session where username = p_username and id is distinct from p_keep_session;
  get diagnostics v_ended = row_count;
  update admin.session set proof_hash = null where username = p_username;
  -- A person who knew the old password may have signed in from a browser of their own.
  delete from admin.known_browser where username = p_username;
  delete from admin.password_link where username = p_username;
  return v_ended;
end
$$;
comment on function admin.set_password is
  'Returns how many sessions ended with the old password; null when no active account has this name.';

create function admin.change_display_name(p_username text, p_display_name text) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform admin.adopt_accounts();
  update admin.person set display_name = p_display_name where username = p_username;
end
$$;
comment on function admin.change_display_name is 'For the persons own account.';

create function admin.list_names() returns table (username text, display_name text)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select account.username, coalesce(person.display_name, account.username)
  from admin.account left join admin.person using (username) order by account.username;
end;
comment on function admin.list_names is 'The names that screens show instead of sign-in names.';

create function admin.list_people() returns table (
  username text, display_name text, role text, state text, must_change_password boolean, created_at timestamptz,
  seen_at timestamptz, link_purpose text, link_expires_at timestamptz
)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select account.username, coalesce(person.display_name, account.username), coalesce(person.role, 'owner'),
    coalesce(person.state, 'active'), coalesce(person.must_change_password, false), account.created_at,
    (select max(session.seen_at) from admin.session where session.username = account.username),
    link.purpose, link.expires_at
  from admin.account
  left join admin.person using (username)
  left join admin.password_link link on link.username = account.username and link.expires_at > clock_timestamp()
  order by account.username;
end;
comment on function admin.list_people is 'All accounts for owners, without anything secret.';

create function admin.invite(p_username text, p_display_name text, p_role text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into admin.account (username, password_hash) values (p_username, admin.unmatched_hash())
  on conflict do nothing;
  if not found then
    return false;
  end if;
  insert into admin.person (username, display_name, role, state)
  values (p_username, p_display_name, p_role, 'invited');
  return true;
end
$$;
comment on function admin.invite is 'Creates an account without a password. False when the name is taken.';

create function admin.make_link(p_username text, p_token_hash bytea, p_by text) returns text
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_purpose text;
begin
  perform admin.adopt_accounts();
  select case state when 'invited' then 'invitation' when 'active' then 'reset' end into v_purpose
  from admin.person where username = p_username for update;
  if v_purpose is null then
    return null;
  end if;
  delete from admin.password_link where username = p_username;
  insert into admin.password_link (username, token_hash, purpose, created_by)
  values (p_username, p_token_hash, v_purpose, p_by);
  return v_purpose;
end
$$;
comment on function admin.make_link is
  'Replaces the link of an account, and returns its purpose; null when the account is disabled or does not exist.';

create function admin.find_link(p_token_hash bytea)
returns table (username text, display_name text, role text, purpose text, expires_at timestamptz)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select person.username, person.display_name, person.role, link.purpose, link.expires_at
  from admin.password_link link join admin.person using (username)
  where link.token_hash = p_token_hash and link.expires_at > clock_timestamp() and person.state <> 'disabled';
end;
comment on function admin.find_link is 'The account that a link opens, as long as the link is valid.';

create function admin.use_link(p_token_hash bytea, p_hash text, p_display_name text)
returns table (username text, purpose text, ended_sessions integer)
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_person admin.person;
  v_purpose text;
begin
  -- The account first, like every other change, so that two changes cannot wait for each other.
  select person.* into v_person from admin.person
  where person.username = (select link.username from admin.password_link link where link.token_hash = p_token_hash)
  for update;
  delete from admin.password_link link
  where link.token_hash = p_token_hash and link.expires_at > clock_timestamp()
  returning link.purpose into v_purpose;
  if v_purpose is null or v_person.state = 'disabled' then
    return;
  end if;
  update admin.person set state = 'active', activated_at = coalesce(activated_at, clock_timestamp()),
    display_name = coalesce(p_display_name, person.display_name)
  where person.username = v_person.username;
  return query select v_person.username, v_purpose, admin.set_password(v_person.username, p_hash, false, null);
end
$$;
comment on function admin.use_link is
  'Sets the password and the name, and activates an invited account. No row when the link was used, replaced or '
  'expired.';

create function admin.set_role(p_username text, p_role text)
returns table (outcome text, earlier text, ended_sessions integer)
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_person admin.person;
  v_hash text;
  v_has_another constant boolean := admin.has_another_owner(p_username);
begin
  select person.* into v_person from admin.person where person.username = p_username for update;
  if not found then
    return query select 'unknown', null::text, 0;
  elsif v_person.role = p_role then
    return query select 'unchanged', v_person.role, 0;
  elsif v_person.role = 'owner' and v_person.state = 'active' and not v_has_another then
    return query select 'last owner', v_person.role, 0;
  else
    v_hash := admin.placed_password(p_username);
    update admin.person set role = p_role where person.username = p_username;
    perform admin.place_password(p_username, v_hash);
    -- A session keeps the stored form of its token, which depends on the role.
    return query select 'changed', v_person.role, admin.end_access(p_username);
  end if;
end
$$;
comment on function admin.set_role is
  'Changes the role and ends the sessions, so that none keeps rights of the earlier role. The last active owner keeps '
  'the role.';

create function admin.disable(p_username text)
returns table (outcome text, ended_sessions integer, revoked_tokens integer)
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_person admin.person;
  v_hash text;
  v_tokens integer;
  v_has_another constant boolean := admin.has_another_owner(p_username);
begin
  select person.* into v_person from admin.person where person.username = p_username for update;
  if not found then
    return query select 'unknown', 0, 0;
  elsif v_person.state = 'disabled' then
    return query select 'unchanged', 0, 0;
  elsif v_person.role = 'owner' and v_person.state = 'active' and not v_has_another then
    return query select 'last owner', 0, 0;
  else
    v_hash := admin.placed_password(p_username);
    update admin.person set state = 'disabled' where person.username = p_username;
    perform admin.place_password(p_username, v_hash);
    update admin.export_token set revoked_at = clock_timestamp() where created_by = p_username and revoked_at is null;
    get diagnostics v_tokens = row_count;
    return query select 'changed', admin.end_access(p_username), v_tokens;
  end if;
end
$$;
comment on function admin.disable is
  'Ends all sessions and export tokens of the account. The last active owner cannot be disabled.';

create function admin.enable(p_username text) returns text
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_state text;
  v_hash text;
begin
  select person.state into v_state from admin.person where person.username = p_username for update;
  if not found then
    return 'unknown';
  elsif v_state <> 'disabled' then
    return 'unchanged';
  end if;
  v_hash := admin.placed_password(p_username);
  update admin.person set state = case when activated_at is null then 'invited' else 'active' end
  where person.username = p_username;
  perform admin.place_password(p_username, v_hash);
  return 'changed';
end
$$;
comment on function admin.enable is 'The account is as it was before it was disabled, without sessions and tokens.';

-- Sessions

create function admin.start_session(
  p_username text, p_token_hash bytea, p_proof_hash bytea, p_address text, p_user_agent text, p_replacing bytea
) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- The lock lets a change of the account wait. Then it ends this session, too. It comes first, because such a change
  -- deletes sessions after it has locked the account: in the other order, the two could wait for each other.
  perform from admin.person where username = p_username for share;
  delete from admin.session
  where username = p_username and token_hash in (p_replacing, sha256(p_replacing));
  -- Of any account, so rows that another transaction deletes now are left to it.
  delete from admin.session where id in (
    select expired.id from admin.session expired
    where expired.token_hash in (p_replacing, sha256(p_replacing))
      or expired.created_at < clock_timestamp() - interval '12 hours'
      or expired.seen_at < clock_timestamp() - interval '30 minutes'
    for update skip locked
  );
  insert into admin.session (token_hash, proof_hash, username, address, user_agent)
  select admin.session_key(p_username, p_token_hash), p_proof_hash, p_username, p_address, p_user_agent
  where not exists (select from admin.person where username = p_username and state <> 'active');
  return found;
end
$$;
comment on function admin.start_session is
  'Starts a session, ends the earlier one of this browser, and deletes expired ones. False when the account has just '
  'been disabled.';

create function admin.prove_session(p_token_hash bytea)
returns table (
  id uuid, username text, display_name text, role text, is_recent boolean, must_change_password boolean
)
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  with proven as (
    select live.id, live.username, live.display_name, live.role, live.is_recent, live.must_change_password, live.seen_at
    from admin.live_session live where live.token_hash in (p_token_hash, sha256(p_token_hash))
  ), seen as (
    update admin.session set seen_at = clock_timestamp()
    where session.id in (select proven.id from proven where proven.seen_at < clock_timestamp() - interval '1 minute')
  )
  select proven.id, proven.username, proven.display_name, proven.role, proven.is_recent, proven.must_change_password
  from proven;
end;
comment on function admin.prove_session is 'The session of this token, unless it has ended.';

create function admin.renew_session(p_id uuid, p_token_hash bytea, p_proof_hash bytea) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update admin.session set
    token_hash = admin.session_key(username, p_token_hash),
    proof_hash = p_proof_hash,
    authenticated_at = clock_timestamp(),
    seen_at = clock_timestamp()
  where id = p_id;
  return found;
end
$$;
comment on function admin.renew_session is
  'Gives a session a new token after the password was entered again. False when the session has ended.';

create function admin.holds_proof(p_id uuid, p_proof_hash bytea) returns boolean
language sql stable security definer
set search_path = pg_catalog, pg_temp
return exists (
  select from admin.live_session live where live.id = p_id and live.proof_hash = p_proof_hash and live.is_recent
);
comment on function admin.holds_proof is
  'Whether this is the proof of the latest password of the session, entered within ten minutes.';

create function admin.list_sessions(p_username text)
returns table (id uuid, created_at timestamptz, seen_at timestamptz, address text, user_agent text)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select live.id, live.created_at, live.seen_at, live.address, live.user_agent from admin.live_session live
  where live.username = p_username order by live.seen_at desc, live.id;
end;
comment on function admin.list_sessions is
  'The sessions of one account that have not expired, the last used one first.';

create function admin.end_session(p_username text, p_id uuid) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from admin.session where id = p_id and username = p_username;
  return found;
end
$$;
comment on function admin.end_session is 'Ends one session of the account. False when there is none with this id.';

create function admin.end_all_sessions(p_username text) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  delete from admin.session where username = p_username;
end;
comment on function admin.end_all_sessions is 'Ends all sessions of the account.';

create function admin.is_known_browser(p_username text, p_token_hash bytea) returns boolean
language sql stable security definer
set search_path = pg_catalog, pg_temp
return exists (select from admin.known_browser where token_hash = p_token_hash and username = p_username);
comment on function admin.is_known_browser is 'Whether the account has signed in with this browser before.';

create function admin.remember_browser(p_username text, p_token_hash bytea, p_earlier_hash bytea) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  delete from admin.known_browser
  where token_hash = p_earlier_hash or used_at < clock_timestamp() - interval '1 year';
  insert into admin.known_browser (token_hash, username) values (p_token_hash, p_username);
end;
comment on function admin.remember_browser is
  'Replaces the token of a browser after a sign-in, and forgets browsers after a year.';

-- Export tokens

create function admin.create_export_token(p_token_hash bytea, p_name text, p_created_by text, p_most integer)
returns uuid
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  insert into admin.export_token (token_hash, name, created_by)
  select p_token_hash, p_name, p_created_by
  where (select count(*) from admin.export_token where revoked_at is null) < p_most
  returning id;
end;
comment on function admin.create_export_token is 'Null when there are as many tokens as there may be.';

create function admin.prove_export_token(p_token_hash bytea)
returns table (id uuid, name text, created_by text, role text)
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  with proven as (
    select token.id, token.name, token.created_by, coalesce(person.role, 'owner') as role, token.used_at
    from admin.export_token token left join admin.person on person.username = token.created_by
    where token.token_hash = p_token_hash and token.revoked_at is null and coalesce(person.state, 'active') = 'active'
  ), used as (
    update admin.export_token set used_at = clock_timestamp()
    where export_token.id in (
      select proven.id from proven
      where proven.used_at is null or proven.used_at < clock_timestamp() - interval '1 minute'
    )
  )
  select proven.id, proven.name, proven.created_by, proven.role from proven;
end;
comment on function admin.prove_export_token is
  'The token, unless it was revoked or its creator is no longer active, and the role of its creator.';

create function admin.list_export_tokens()
returns table (
  id uuid, name text, created_by text, created_at timestamptz, used_at timestamptz, revoked_at timestamptz
)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select token.id, token.name, token.created_by, token.created_at, token.used_at, token.revoked_at
  from admin.export_token token
  order by token.revoked_at is not null, token.created_at desc, token.id limit 100;
end;
comment on function admin.list_export_tokens is 'Valid tokens first, newest first.';

create function admin.revoke_export_token(p_id uuid) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update admin.export_token set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = p_id;
  return found;
end
$$;
comment on function admin.revoke_export_token is 'False when there is no such token. A revoked token stays as it is.';

revoke all on function
  admin.unmatched_hash, admin.adopt_accounts, admin.place_password, admin.placed_password, admin.session_key,
  admin.has_another_owner, admin.end_access,
  admin.has_accounts, admin.create_first_owner, admin.password_of, admin.set_password, admin.change_display_name,
  admin.list_names, admin.list_people, admin.invite, admin.make_link, admin.find_link, admin.use_link, admin.set_role,
  admin.disable, admin.enable,
  admin.start_session, admin.prove_session, admin.renew_session, admin.holds_proof, admin.list_sessions,
  admin.end_session, admin.end_all_sessions, admin.is_known_browser, admin.remember_browser,
  admin.create_export_token, admin.prove_export_token, admin.list_export_tokens, admin.revoke_export_token
from public;
-- kilim_app, because servers connect with it until the operator has prepared their login for kilim_server.
grant execute on function
  admin.has_accounts, admin.create_first_owner, admin.password_of, admin.set_password, admin.change_display_name,
  admin.list_names, admin.list_people, admin.invite, admin.make_link, admin.find_link, admin.use_link, admin.set_role,
  admin.disable, admin.enable,
  admin.start_session, admin.prove_session, admin.renew_session, admin.holds_proof, admin.list_sessions,
  admin.end_session, admin.end_all_sessions, admin.is_known_browser, admin.remember_browser,
  admin.create_export_token, admin.prove_export_token, admin.list_export_tokens, admin.revoke_export_token
to kilim_app, kilim_server;
