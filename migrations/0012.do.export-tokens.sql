-- Export tokens end, and open only the exports and the days for which they were made.

-- now() does not rewrite the table: tokens that exist end 90 days after this migration. Servers of the previous release
-- do not name the column, so their tokens end after 90 days, too.
alter table admin.export_token
  add column expires_at timestamptz not null default now() + interval '90 days',
  add column formats text[] collate "C",
  add column first_day date,
  add column last_day date;
comment on column admin.export_token.expires_at is 'From this instant on the token opens nothing.';
comment on column admin.export_token.formats is
  'The exports that the token opens. Null: all of them, as for tokens of earlier releases.';
comment on column admin.export_token.first_day is 'The token opens no earlier day. Null: any day.';
comment on column admin.export_token.last_day is 'The token opens no later day. Null: any day.';
comment on column admin.export_token.used_at is
  'Updated at most once an hour (servers of the previous release: once a minute).';
comment on column admin.export_token.token_hash is
  'admin.export_token_key of the hash of 256 random bits that were shown once; in earlier releases the hash itself. '
  'Neither permits a download.';

create function admin.export_token_key(p_token_hash bytea) returns bytea
language sql immutable
set search_path = pg_catalog, pg_temp
return sha256('export token '::bytea || p_token_hash);
comment on function admin.export_token_key is
  'The stored hash of a token. Servers of the previous release know neither expiry nor scope. So the hash is hashed '
  'again, and these servers do not find the token.';

create function admin.end_of_export_token(p_token admin.export_token) returns text
language sql stable
set search_path = pg_catalog, pg_temp
return case
  when p_token.revoked_at is not null then 'revoked'
  when exists (
    select from admin.person where person.username = p_token.created_by and person.state <> 'active'
  ) then 'creator'
  when p_token.expires_at <= clock_timestamp() then 'expired'
end;
comment on function admin.end_of_export_token is
  'Why a token opens nothing: it was revoked, its creator is not active, or it has expired. Null: it opens exports.';

-- No released server calls these functions of 0007.do.people.sql and 0009.do.security-log.sql.
drop function
  admin.create_export_token, admin.prove_export_token, admin.list_export_tokens, admin.find_export_token;

create function admin.create_export_token(
  p_token_hash bytea,
  p_name text,
  p_created_by text,
  p_days integer,
  p_formats text[],
  p_first_day date,
  p_last_day date,
  p_most integer
) returns uuid
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_id uuid;
begin
  if p_days is null or p_days not between 1 and 365
    or p_formats is null or cardinality(p_formats) not between 1 and 50
    or not (select bool_and(coalesce(format ~ '^[a-z][a-z0-9-]{0,39}$', false)) from unnest(p_formats) format)
    or p_first_day > p_last_day
  then
    raise exception 'An export token ends within a year, and opens exports of a range of days' using errcode = 'KLM03';
  end if;
  -- Without the lock, two calls at the same time could both count one token too few.
  perform pg_advisory_xact_lock(hashtextextended('admin.export_token', 0));
  if p_most <= (
    select count(*) from admin.export_token token where admin.end_of_export_token(token) is null
  ) then
    return null;
  end if;
  insert into admin.export_token (token_hash, name, created_by, expires_at, formats, first_day, last_day)
  values (
    admin.export_token_key(p_token_hash), p_name, p_created_by, clock_timestamp() + make_interval(days => p_days),
    p_formats, p_first_day, p_last_day
  )
  returning id into v_id;
  return v_id;
end
$$;
comment on function admin.create_export_token is
  'Null when as many tokens are in force as there may be. Days: 1 to 365.';

create function admin.prove_export_token(p_token_hash bytea)
returns table (
  id uuid, name text, created_by text, role text, formats text[], first_day text, last_day text, expires_at timestamptz,
  ended text
)
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  with found as (
    select token.*, admin.end_of_export_token(token) as ended
    from admin.export_token token where token.token_hash in (admin.export_token_key(p_token_hash), p_token_hash)
  ), used as (
    update admin.export_token set used_at = clock_timestamp()
    where export_token.id in (
      select found.id from found
      where found.ended is null
        and (found.used_at is null or found.used_at < clock_timestamp() - interval '1 hour')
    )
  )
  select found.id, found.name, found.created_by, coalesce(person.role, 'owner'), found.formats, found.first_day::text,
    found.last_day::text, found.expires_at, found.ended
  from found left join admin.person on person.username = found.created_by;
end;
comment on function admin.prove_export_token is
  'The token, its scope, the role of its creator, and why it has ended (see admin.end_of_export_token). The caller '
  'compares the scope with the request.';

create function admin.list_export_tokens()
returns table (
  id uuid, name text, created_by text, created_at timestamptz, used_at timestamptz, revoked_at timestamptz,
  expires_at timestamptz, formats text[], first_day text, last_day text, ended text
)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select token.id, token.name, token.created_by, token.created_at, token.used_at, token.revoked_at, token.expires_at,
    token.formats, token.first_day::text, token.last_day::text, admin.end_of_export_token(token)
  from admin.export_token token
  order by admin.end_of_export_token(token) is not null, token.created_at desc, token.id limit 100;
end;
comment on function admin.list_export_tokens is 'Tokens in force first, newest first.';

revoke all on function
  admin.export_token_key, admin.end_of_export_token,
  admin.create_export_token, admin.prove_export_token, admin.list_export_tokens
from public;
-- kilim_app, because servers connect with it until the operator has prepared their login for kilim_server.
grant execute on function admin.create_export_token, admin.prove_export_token, admin.list_export_tokens
to kilim_app, kilim_server;
