-- The people of the back office: accounts with roles and states, sessions, second factors, export tokens and the
-- security log. Servers have no privilege on a table of this schema: they read and change it through its functions.

create schema admin;
comment on schema admin is
  'The accounts and sessions of the back office. Sessions are in the database, so that all servers know them and '
  'ending one ends it everywhere.';
revoke all on schema admin from public;
grant usage on schema admin to kilim_server, kilim_verifier;

create table admin.account (
  username text collate "C" primary key check (username ~ '^[a-z0-9][a-z0-9._@-]{0,63}$'),
  display_name text not null check (length(display_name) between 1 and 100),
  role text collate "C" not null check (role in ('owner', 'clerk', 'accountant')),
  state text collate "C" not null check (state in ('invited', 'active', 'disabled')),
  activated_at timestamptz check (activated_at is not null or state <> 'active'),
  password_hash text check (password_hash like '$argon2id$%'),
  must_change_password boolean not null default false,
  password_changed_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  email text check (length(email) between 3 and 254),
  earlier_email text check (length(earlier_email) between 3 and 254),
  email_changed_at timestamptz,
  check (password_hash is not null or activated_at is null)
);
comment on table admin.account is 'The people of the back office, with their roles and states.';
comment on column admin.account.password_hash is
  'Argon2id in its usual text form, with salt and cost parameters. Null: invited, and no password chosen yet.';
comment on column admin.account.display_name is 'For screens. Personal data, so it never enters the ledger.';
comment on column admin.account.role is 'What each role may do stands in domain/src/people/permissions.ts.';
comment on column admin.account.must_change_password is
  'Another person chose or generated the password. Until it is replaced, the account can do nothing else.';
comment on column admin.account.email is
  'Where mails about the account go. Only the person changes it. Personal data, so it never enters the ledger.';
comment on column admin.account.earlier_email is
  'The address before the changes of the last seven days. It gets the mails, too, so a thief who changes the address '
  'does not silence them.';

create table admin.password_link (
  username text collate "C" primary key references admin.account,
  token_hash bytea not null unique check (length(token_hash) = 32),
  purpose text collate "C" not null check (purpose in ('invitation', 'reset')),
  created_by text collate "C" not null,
  expires_at timestamptz not null default clock_timestamp() + interval '24 hours'
);
comment on table admin.password_link is
  'Links for the first password of invited people, and for a new one of others. Each works once; a new link replaces '
  'the earlier one.';
comment on column admin.password_link.token_hash is
  'SHA-256 of 256 random bits that were shown once. Reading it does not allow anybody to choose a password.';

create table admin.session (
  id uuid primary key default uuidv7(),
  token_hash bytea not null unique check (length(token_hash) = 32),
  username text collate "C" not null references admin.account,
  created_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  authenticated_at timestamptz not null default clock_timestamp(),
  proof_hash bytea check (length(proof_hash) = 32),
  second_factor_at timestamptz,
  address text not null,
  user_agent text not null
) with (fillfactor = 80);
comment on table admin.session is 'The browsers that are signed in.';
comment on column admin.session.id is 'May be shown in a list of sessions; it grants no access.';
comment on column admin.session.token_hash is
  'SHA-256 of 256 random bits that only the cookie holds. Reading it does not allow anybody to sign in.';
comment on column admin.session.seen_at is
  'Updated at most once a minute, so that a busy page does not write a row per request.';
comment on column admin.session.authenticated_at is
  'When the password was last entered. Refunds and settings require it again after a while.';
comment on column admin.session.proof_hash is
  'SHA-256 of a token that permits changing the password for a few minutes after it was entered.';
comment on column admin.session.second_factor_at is
  'When this session last used a second factor. Null: the session is not valid if the account has one.';

create index session_of_account on admin.session (username);

create table admin.known_browser (
  token_hash bytea primary key check (length(token_hash) = 32),
  username text collate "C" not null references admin.account,
  used_at timestamptz not null default clock_timestamp()
);
comment on table admin.known_browser is
  'Browsers that have signed in before. Their attempts are counted separately from those of strangers, so that nobody '
  'can lock the owner out by guessing passwords.';

create table admin.pending_sign_in (
  token_hash bytea primary key check (length(token_hash) = 32),
  username text collate "C" not null references admin.account,
  expires_at timestamptz not null default clock_timestamp() + interval '5 minutes'
);
comment on table admin.pending_sign_in is
  'Browsers that gave the right password and still need the second factor. A row is no session.';

create view admin.live_session as
select session.id, session.token_hash, session.username, session.created_at, session.seen_at,
  session.authenticated_at > clock_timestamp() - interval '10 minutes' as is_recent, session.proof_hash,
  session.address, session.user_agent, account.display_name, account.role, account.must_change_password
from admin.session join admin.account using (username)
where session.created_at > clock_timestamp() - interval '12 hours'
  and session.seen_at > clock_timestamp() - interval '30 minutes'
  and account.state = 'active';
comment on view admin.live_session is
  'The sessions that have not expired, of active accounts. By the clock of the database: all servers must agree.';

-- Internal functions. Servers may not execute them.

create function admin.has_another_owner(p_username text) returns boolean
language plpgsql volatile set search_path = pg_catalog, pg_temp as $$
begin
  -- The locks let a second change wait for the first. It then sees the rows as the first one left them.
  perform from admin.account where role = 'owner' and state = 'active' order by username for update;
  return exists (
    select from admin.account where role = 'owner' and state = 'active' and username <> p_username
  );
end
$$;
comment on function admin.has_another_owner is
  'Whether another active owner remains when this account is disabled or gets another role.';

create function admin.end_all_access(p_username text, p_keep_session uuid) returns integer
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  v_ended integer;
begin
  delete from admin.session where username = p_username and id is distinct from p_keep_session;
  get diagnostics v_ended = row_count;
  delete from admin.pending_sign_in where username = p_username;
  -- A person who knew the old password may have signed in from a browser of their own.
  delete from admin.known_browser where username = p_username;
  delete from admin.password_link where username = p_username;
  return v_ended;
end
$$;
comment on function admin.end_all_access is
  'Ends the sessions of the account but one, its pending sign-ins, known browsers and link. Returns how many sessions '
  'ended.';

-- Accounts

create function admin.has_accounts() returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return exists (select from admin.account);
comment on function admin.has_accounts is 'False before the first start of a server.';

create function admin.create_first_owner(p_username text, p_hash text, p_must_change boolean) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from admin.account) then
    return false;
  end if;
  insert into admin.account (
    username, display_name, role, state, activated_at, password_hash, must_change_password
  )
  values (p_username, p_username, 'owner', 'active', clock_timestamp(), p_hash, p_must_change)
  on conflict do nothing;
  return found;
end
$$;
comment on function admin.create_first_owner is
  'False when there is an account already, also one that another server has just created.';

create function admin.password_of(p_username text) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select password_hash from admin.account where username = p_username and state = 'active');
comment on function admin.password_of is 'The password hash of an active account. There is no way to read all hashes.';

create function admin.set_password(p_username text, p_hash text, p_must_change boolean, p_keep_session uuid)
returns integer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_ended integer;
begin
  -- This locks the account until the transaction ends, so two changes run one after the other.
  update admin.account
  set password_hash = p_hash, must_change_password = p_must_change, password_changed_at = clock_timestamp()
  where username = p_username and state = 'active';
  if not found then
    return null;
  end if;
  v_ended := admin.end_all_access(p_username, p_keep_session);
  update admin.session set proof_hash = null where username = p_username;
  return v_ended;
end
$$;
comment on function admin.set_password is
  'Returns how many sessions ended with the old password; null when no active account has this name.';

create function admin.renew_password_hash(p_username text, p_known_hash text, p_hash text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- A new password that is set at the same time wins, because the hash is then another one.
  update admin.account set password_hash = p_hash
  where username = p_username and state = 'active' and password_hash = p_known_hash;
  return found;
end
$$;
comment on function admin.renew_password_hash is
  'Hashes a password that was just entered with the present costs. False when the account has another hash by now. '
  'Ends no session, because the password stays the same.';

create function admin.change_display_name(p_username text, p_display_name text) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp begin atomic
  update admin.account set display_name = p_display_name where username = p_username;
end;
comment on function admin.change_display_name is 'For the persons own account.';

create function admin.list_names() returns table (username text, display_name text)
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select account.username, account.display_name from admin.account order by account.username;
end;
comment on function admin.list_names is 'The names that screens show instead of sign-in names.';

create function admin.list_people() returns table (
  username text, display_name text, role text, state text, must_change_password boolean, created_at timestamptz,
  seen_at timestamptz, link_purpose text, link_expires_at timestamptz
)
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select account.username, account.display_name, account.role, account.state, account.must_change_password,
    account.created_at,
    (select max(session.seen_at) from admin.session where session.username = account.username),
    link.purpose, link.expires_at
  from admin.account
  left join admin.password_link link on link.username = account.username and link.expires_at > clock_timestamp()
  order by account.username;
end;
comment on function admin.list_people is 'All accounts for owners, without anything secret.';

create function admin.invite(p_username text, p_display_name text, p_role text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into admin.account (username, display_name, role, state)
  values (p_username, p_display_name, p_role, 'invited')
  on conflict do nothing;
  return found;
end
$$;
comment on function admin.invite is 'Creates an account without a password. False when the name is taken.';

create function admin.make_link(p_username text, p_token_hash bytea, p_by text) returns text
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_purpose text;
begin
  select case state when 'invited' then 'invitation' when 'active' then 'reset' end into v_purpose
  from admin.account where username = p_username for update;
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
  'Replaces the link of an account. Returns its purpose; null when the account is disabled or does not exist.';

create function admin.find_link(p_token_hash bytea)
returns table (username text, display_name text, role text, purpose text, expires_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select account.username, account.display_name, account.role, link.purpose, link.expires_at
  from admin.password_link link join admin.account using (username)
  where link.token_hash = p_token_hash and link.expires_at > clock_timestamp() and account.state <> 'disabled';
end;
comment on function admin.find_link is 'The account that a link opens, as long as the link is valid.';

create function admin.use_link(p_token_hash bytea, p_hash text, p_display_name text)
returns table (username text, purpose text, ended_sessions integer)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_account admin.account;
  v_purpose text;
begin
  -- The account first, like every other change, so that two changes cannot wait for each other.
  select account.* into v_account from admin.account
  where account.username = (select link.username from admin.password_link link where link.token_hash = p_token_hash)
  for update;
  delete from admin.password_link link
  where link.token_hash = p_token_hash and link.expires_at > clock_timestamp()
  returning link.purpose into v_purpose;
  if v_purpose is null or v_account.state = 'disabled' then
    return;
  end if;
  update admin.account set state = 'active', activated_at = coalesce(activated_at, clock_timestamp()),
    password_hash = p_hash, display_name = coalesce(p_display_name, account.display_name)
  where account.username = v_account.username;
  return query select v_account.username, v_purpose, admin.set_password(v_account.username, p_hash, false, null);
end
$$;
comment on function admin.use_link is
  'Sets the password and the name, and activates an invited account. No row when the link is no longer valid.';

create function admin.set_role(p_username text, p_role text)
returns table (outcome text, earlier text, ended_sessions integer)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_account admin.account;
  v_has_another constant boolean := admin.has_another_owner(p_username);
begin
  select account.* into v_account from admin.account where account.username = p_username for update;
  if not found then
    return query select 'unknown', null::text, 0;
  elsif v_account.role = p_role then
    return query select 'unchanged', v_account.role, 0;
  elsif v_account.role = 'owner' and v_account.state = 'active' and not v_has_another then
    return query select 'last owner', v_account.role, 0;
  else
    update admin.account set role = p_role where account.username = p_username;
    return query select 'changed', v_account.role, admin.end_all_access(p_username, null);
  end if;
end
$$;
comment on function admin.set_role is
  'Ends the sessions, so that none keeps rights of the earlier role. The last active owner keeps the role.';

create function admin.disable(p_username text)
returns table (outcome text, ended_sessions integer, revoked_tokens integer)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_account admin.account;
  v_tokens integer;
  v_has_another constant boolean := admin.has_another_owner(p_username);
begin
  select account.* into v_account from admin.account where account.username = p_username for update;
  if not found then
    return query select 'unknown', 0, 0;
  elsif v_account.state = 'disabled' then
    return query select 'unchanged', 0, 0;
  elsif v_account.role = 'owner' and v_account.state = 'active' and not v_has_another then
    return query select 'last owner', 0, 0;
  else
    update admin.account set state = 'disabled' where account.username = p_username;
    update admin.export_token set revoked_at = clock_timestamp() where created_by = p_username and revoked_at is null;
    get diagnostics v_tokens = row_count;
    return query select 'changed', admin.end_all_access(p_username, null), v_tokens;
  end if;
end
$$;
comment on function admin.disable is 'Ends all sessions and export tokens. The last active owner cannot be disabled.';

create function admin.enable(p_username text) returns text
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_state text;
begin
  select account.state into v_state from admin.account where account.username = p_username for update;
  if not found then
    return 'unknown';
  elsif v_state <> 'disabled' then
    return 'unchanged';
  end if;
  update admin.account set state = case when activated_at is null then 'invited' else 'active' end
  where account.username = p_username;
  return 'changed';
end
$$;
comment on function admin.enable is 'The account is as it was before it was disabled, without sessions and tokens.';

create function admin.emails_of(p_username text) returns table (email text, is_current boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select account.email, true from admin.account where account.username = p_username and account.email is not null
  union all
  select account.earlier_email, false from admin.account
  where account.username = p_username and account.earlier_email is not null
    and account.email_changed_at > clock_timestamp() - interval '7 days';
end;
comment on function admin.emails_of is 'The address of a person, and the earlier one for seven days after a change.';

create function admin.set_email(p_username text, p_email text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update admin.account set
    earlier_email = case
      when email_changed_at > clock_timestamp() - interval '7 days' and earlier_email is not null then earlier_email
      else email
    end,
    email = p_email, email_changed_at = clock_timestamp()
  where username = p_username and email is distinct from p_email;
  return found;
end
$$;
comment on function admin.set_email is 'Null removes the address. False when it is the same.';

-- Sessions

create function admin.start_session(
  p_username text, p_token_hash bytea, p_proof_hash bytea, p_address text, p_user_agent text, p_replacing bytea
) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- The lock lets a change of the account wait. Then it ends this session, too. It comes first, because such a change
  -- deletes sessions after it has locked the account: in the other order, the two could wait for each other.
  perform from admin.account where username = p_username for share;
  delete from admin.session where username = p_username and token_hash = p_replacing;
  -- Of any account, so rows that another transaction deletes now are left to it.
  delete from admin.session where id in (
    select expired.id from admin.session expired
    where expired.token_hash = p_replacing
      or expired.created_at < clock_timestamp() - interval '12 hours'
      or expired.seen_at < clock_timestamp() - interval '30 minutes'
    for update skip locked
  );
  insert into admin.session (token_hash, proof_hash, username, address, user_agent)
  select p_token_hash, p_proof_hash, p_username, p_address, p_user_agent
  where exists (select from admin.account where username = p_username and state = 'active');
  return found;
end
$$;
comment on function admin.start_session is
  'Also ends the earlier session of this browser and deletes expired ones. False when the account is not active.';

create function admin.prove_session(
  p_token_hash bytea
) returns table (id uuid, username text, display_name text, role text, is_recent boolean, must_change_password boolean)
language sql volatile security definer set search_path = pg_catalog, pg_temp begin atomic
  with proven as (
    select live.id, live.username, live.display_name, live.role, live.is_recent, live.must_change_password, live.seen_at
    from admin.live_session live where live.token_hash = p_token_hash
  ), seen as (
    update admin.session set seen_at = clock_timestamp()
    where session.id in (select proven.id from proven where proven.seen_at < clock_timestamp() - interval '1 minute')
  )
  select proven.id, proven.username, proven.display_name, proven.role, proven.is_recent, proven.must_change_password
  from proven;
end;
comment on function admin.prove_session is 'The session of this token, unless it has ended.';

create function admin.look_at_session(
  p_token_hash bytea
) returns table (id uuid, username text, display_name text, role text, is_recent boolean, must_change_password boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select live.id, live.username, live.display_name, live.role, live.is_recent, live.must_change_password
  from admin.live_session live where live.token_hash = p_token_hash;
end;
comment on function admin.look_at_session is 'As admin.prove_session, but the session does not count as used.';

create function admin.renew_session(p_id uuid, p_token_hash bytea, p_proof_hash bytea) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update admin.session set
    token_hash = p_token_hash,
    proof_hash = p_proof_hash,
    authenticated_at = clock_timestamp(),
    seen_at = clock_timestamp()
  where id = p_id;
  return found;
end
$$;
comment on function admin.renew_session is
  'A new token after the password was entered again. False when the session has ended.';

create function admin.holds_proof(p_id uuid, p_proof_hash bytea) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return exists (
  select from admin.live_session live where live.id = p_id and live.proof_hash = p_proof_hash and live.is_recent
);
comment on function admin.holds_proof is
  'Whether this is the proof of the latest password of the session, entered within ten minutes.';

create function admin.session_times(p_id uuid) returns table (authenticated text, factor text)
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select extract(epoch from authenticated_at)::text, extract(epoch from second_factor_at)::text
  from admin.session where id = p_id;
end;
comment on function admin.session_times is
  'Seconds since 1970 of the last password and of the last second factor of a session.';

create function admin.list_sessions(p_username text)
returns table (id uuid, created_at timestamptz, seen_at timestamptz, address text, user_agent text)
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select live.id, live.created_at, live.seen_at, live.address, live.user_agent from admin.live_session live
  where live.username = p_username order by live.seen_at desc, live.id;
end;
comment on function admin.list_sessions is 'The live sessions of one account, the last used one first.';

create function admin.end_session(p_username text, p_id uuid) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from admin.session where id = p_id and username = p_username;
  return found;
end
$$;
comment on function admin.end_session is 'Ends one session of the account. False when there is none with this id.';

create function admin.end_all_sessions(p_username text) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp begin atomic
  delete from admin.session where username = p_username;
end;
comment on function admin.end_all_sessions is 'Ends all sessions of the account.';

create function admin.is_known_browser(p_username text, p_token_hash bytea) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return exists (select from admin.known_browser where token_hash = p_token_hash and username = p_username);
comment on function admin.is_known_browser is 'Whether the account has signed in with this browser before.';

create function admin.remember_browser(p_username text, p_token_hash bytea, p_earlier_hash bytea) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp begin atomic
  delete from admin.known_browser
  where token_hash = p_earlier_hash or used_at < clock_timestamp() - interval '1 year';
  insert into admin.known_browser (token_hash, username) values (p_token_hash, p_username);
end;
comment on function admin.remember_browser is
  'Replaces the token of a browser after a sign-in, and forgets browsers after a year.';

-- Second factors of sign-in: passkeys, one-time codes and recovery codes

create table admin.passkey_user (
  username text collate "C" primary key references admin.account,
  handle bytea not null unique default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
);
comment on table admin.passkey_user is
  'The id under which authenticators store passkeys of an account. Random, because authenticators show it before they '
  'verify their user.';

create table admin.passkey (
  id uuid primary key default uuidv7(),
  credential_id bytea not null unique check (length(credential_id) between 16 and 1023),
  username text collate "C" not null references admin.account,
  name text not null check (length(name) between 1 and 100),
  public_key bytea not null,
  sign_count bigint not null check (sign_count >= 0),
  transports text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz
);
comment on table admin.passkey is 'The public keys of passkeys (WebAuthn). They are no secrets.';
comment on column admin.passkey.sign_count is
  'The counter of the authenticator. If it does not grow, the passkey may have been copied. Passkeys that are '
  'synchronised between devices always send 0.';

create index passkey_of_account on admin.passkey (username);

create table admin.one_time_code (
  username text collate "C" primary key references admin.account,
  id uuid not null unique default uuidv7(),
  name text not null default 'Authenticator app' check (length(name) between 1 and 100),
  secret bytea not null,
  last_step bigint,
  is_confirmed boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz
);
comment on table admin.one_time_code is 'The authenticator app of an account (RFC 6238), at most one.';
comment on column admin.one_time_code.secret is
  'AES-256-GCM with a key that only the servers know (SECOND_FACTOR_KEY), bound to the account.';
comment on column admin.one_time_code.last_step is
  'The time step of the last accepted code. Only a later step is accepted, so that a code works once.';
comment on column admin.one_time_code.is_confirmed is
  'True after the first correct code. Until then the account does not need codes.';

create table admin.recovery_code (
  username text collate "C" not null references admin.account,
  code_hash bytea not null check (length(code_hash) = 32),
  made_at timestamptz not null default clock_timestamp(),
  used_at timestamptz,
  primary key (username, code_hash)
);
comment on table admin.recovery_code is 'Each replaces a one-time code once.';
comment on column admin.recovery_code.code_hash is
  'SHA-256 of 140 random bits that were shown once: too many to need a slow hash.';

create table admin.passkey_challenge (
  challenge bytea primary key check (length(challenge) = 32),
  holder bytea not null check (length(holder) = 32),
  purpose text collate "C" not null check (purpose in ('sign-in', 'confirm', 'add')),
  expires_at timestamptz not null default clock_timestamp() + interval '5 minutes'
);
comment on table admin.passkey_challenge is
  'Challenges for authenticators. Each is valid once, for one purpose, and for the browser or session that asked for '
  'it.';
comment on column admin.passkey_challenge.holder is 'SHA-256 of the browser''s sign-in token or of the session''s id.';

create index passkey_challenge_expiry on admin.passkey_challenge (expires_at);

create function admin.has_second_factor(p_username text) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return exists (select from admin.passkey where username = p_username)
  or exists (select from admin.one_time_code where username = p_username and is_confirmed);
comment on function admin.has_second_factor is 'Whether signing in to this account needs a second factor.';

create function admin.session_factor(p_id uuid) returns table (has_factor boolean, is_proven boolean, is_recent boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select admin.has_second_factor(session.username), session.second_factor_at is not null,
    coalesce(session.second_factor_at > clock_timestamp() - interval '10 minutes', false)
  from admin.session where session.id = p_id;
end;
comment on function admin.session_factor is
  'Whether the account has a second factor, and whether and when this session used one.';

create function admin.has_proven_within(p_session_id uuid, p_seconds int) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select coalesce(
    case when admin.has_second_factor(session.username) then session.second_factor_at else session.authenticated_at end
      > clock_timestamp() - make_interval(secs => p_seconds),
    false)
  from admin.session where session.id = p_session_id;
end;
comment on function admin.has_proven_within is
  'Whether the person of the session gave proof in these last seconds: with the second factor if the account has one, '
  'else with the password.';

create function admin.mark_second_factor(p_proof_hash bytea, p_with_password boolean) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update admin.session set
    second_factor_at = clock_timestamp(),
    proof_hash = case when p_with_password then proof_hash end
  where proof_hash = p_proof_hash;
  return found;
end
$$;
comment on function admin.mark_second_factor is
  'The session that was just started or renewed used a second factor. The proof permits a change of the password, so '
  'it ends when only a passkey was used.';

create function admin.keep_sign_in(p_token_hash bytea, p_username text) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp begin atomic
  delete from admin.pending_sign_in where expires_at < clock_timestamp();
  insert into admin.pending_sign_in (token_hash, username) values (p_token_hash, p_username);
end;
comment on function admin.keep_sign_in is 'Notes that this browser gave the right password.';

create function admin.pending_sign_in_of(p_token_hash bytea) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select username from admin.pending_sign_in where token_hash = p_token_hash and expires_at > clock_timestamp());
comment on function admin.pending_sign_in_of is 'The account whose password this browser gave.';

create function admin.end_pending_sign_in(p_token_hash bytea) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from admin.pending_sign_in where token_hash = p_token_hash and expires_at > clock_timestamp();
  return found;
end
$$;
comment on function admin.end_pending_sign_in is 'Of two concurrent calls, only one returns true.';

create function admin.list_second_factors(p_username text)
returns table (id uuid, kind text, name text, created_at timestamptz, used_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select passkey.id, 'passkey'::text as kind, passkey.name, passkey.created_at, passkey.used_at
  from admin.passkey where passkey.username = p_username
  union all
  select code.id, 'one-time-code'::text as kind, code.name, code.created_at, code.used_at
  from admin.one_time_code code where code.username = p_username and code.is_confirmed
  order by 4, 1;
end;
comment on function admin.list_second_factors is 'The factors of one account, oldest first. It shows no secrets.';

-- Passkeys

create function admin.passkey_handle(p_username text) returns bytea
language sql volatile security definer set search_path = pg_catalog, pg_temp begin atomic
  insert into admin.passkey_user (username) values (p_username) on conflict do nothing;
  select handle from admin.passkey_user where username = p_username;
end;
comment on function admin.passkey_handle is 'The id of the account for authenticators. The first call generates it.';

create function admin.keep_challenge(p_challenge bytea, p_holder bytea, p_purpose text) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp begin atomic
  delete from admin.passkey_challenge where expires_at < clock_timestamp();
  insert into admin.passkey_challenge (challenge, holder, purpose) values (p_challenge, p_holder, p_purpose);
end;
comment on function admin.keep_challenge is 'Notes a challenge that an authenticator may sign.';

create function admin.use_challenge(p_challenge bytea, p_holder bytea, p_purpose text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from admin.passkey_challenge
  where challenge = p_challenge and holder = p_holder and purpose = p_purpose and expires_at > clock_timestamp();
  return found;
end
$$;
comment on function admin.use_challenge is 'A challenge is valid once. Of two concurrent calls, only one returns true.';

create function admin.spend_challenge(p_challenge bytea, p_holder bytea) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
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

create function admin.find_passkey(p_credential_id bytea)
returns table (username text, public_key bytea, sign_count bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select passkey.username, passkey.public_key, passkey.sign_count
  from admin.passkey where passkey.credential_id = p_credential_id;
end;
comment on function admin.find_passkey is 'The account and the public key of a passkey.';

create function admin.passkeys_to_exclude(p_username text) returns table (credential_id bytea, transports text)
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select passkey.credential_id, array_to_string(passkey.transports, ',')
  from admin.passkey where passkey.username = p_username;
end;
comment on function admin.passkeys_to_exclude is 'So that no authenticator makes a second passkey for the account.';

create function admin.use_passkey(p_credential_id bytea, p_sign_count bigint) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update admin.passkey set sign_count = p_sign_count, used_at = clock_timestamp()
  where credential_id = p_credential_id and (sign_count < p_sign_count or (sign_count = 0 and p_sign_count = 0));
  return found;
end
$$;
comment on function admin.use_passkey is 'False when the counter of the authenticator did not grow.';

create function admin.note_added_factor(p_username text, p_session uuid) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp begin atomic
  update admin.session set second_factor_at = clock_timestamp() where id = p_session and username = p_username;
  delete from admin.session where username = p_username and second_factor_at is null;
  delete from admin.pending_sign_in where username = p_username;
end;
comment on function admin.note_added_factor is
  'Adding a factor counts as using it. Sessions that never used one end, because another person who knows the password '
  'may have started them.';

create function admin.add_passkey(
  p_username text, p_session uuid, p_credential_id bytea, p_name text, p_public_key bytea, p_sign_count bigint,
  p_transports text[], p_most integer
) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from admin.account where username = p_username for no key update;
  if (select count(*) from admin.passkey where username = p_username) >= p_most then
    return false;
  end if;
  insert into admin.passkey (credential_id, username, name, public_key, sign_count, transports)
  values (p_credential_id, p_username, p_name, p_public_key, p_sign_count, p_transports)
  on conflict (credential_id) do nothing;
  if not found then
    return false;
  end if;
  perform admin.note_added_factor(p_username, p_session);
  return true;
end
$$;
comment on function admin.add_passkey is
  'False when the account has as many passkeys as it may have, or the passkey is known.';

-- One-time codes

create function admin.propose_one_time_code(p_username text, p_secret bytea) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into admin.one_time_code as code (username, secret) values (p_username, p_secret)
  on conflict (username) do update set secret = excluded.secret, created_at = clock_timestamp(), last_step = null
  where not code.is_confirmed;
  return found;
end
$$;
comment on function admin.propose_one_time_code is 'False when the account has an authenticator app.';

create function admin.one_time_code_of(p_username text) returns table (secret bytea, is_confirmed boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select code.secret, code.is_confirmed from admin.one_time_code code where code.username = p_username;
end;
comment on function admin.one_time_code_of is 'The encrypted secret. There is no way to read all secrets.';

create function admin.use_one_time_code(p_username text, p_step bigint) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update admin.one_time_code set last_step = p_step, used_at = clock_timestamp()
  where username = p_username and is_confirmed and (last_step is null or last_step < p_step);
  return found;
end
$$;
comment on function admin.use_one_time_code is 'False when a code of this or a later step was accepted before.';

create function admin.confirm_one_time_code(p_username text, p_session uuid, p_secret bytea, p_step bigint, p_name text)
returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update admin.one_time_code
  set is_confirmed = true, last_step = p_step, name = p_name, created_at = clock_timestamp(), used_at = null
  where username = p_username and not is_confirmed and secret = p_secret;
  if not found then
    return false;
  end if;
  perform admin.note_added_factor(p_username, p_session);
  return true;
end
$$;
comment on function admin.confirm_one_time_code is
  'Adds the proposed authenticator app. False when it was proposed again in the meantime.';

-- Recovery codes

create function admin.replace_recovery_codes(p_username text, p_hashes bytea[]) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp begin atomic
  delete from admin.recovery_code where username = p_username;
  insert into admin.recovery_code (username, code_hash) select p_username, unnest(p_hashes);
end;
comment on function admin.replace_recovery_codes is 'The earlier recovery codes of the account are no longer valid.';

create function admin.recovery_codes_left(p_username text) returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select count(*)::integer from admin.recovery_code where username = p_username and used_at is null);
comment on function admin.recovery_codes_left is 'How many recovery codes of the account are unused.';

create function admin.use_recovery_code(p_username text, p_hash bytea) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update admin.recovery_code set used_at = clock_timestamp()
  where username = p_username and code_hash = p_hash and used_at is null;
  return found;
end
$$;
comment on function admin.use_recovery_code is 'Uses up a recovery code. False when it is wrong or was used.';

-- Changes of factors

create function admin.rename_second_factor(p_username text, p_id uuid, p_name text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update admin.passkey set name = p_name where id = p_id and username = p_username;
  if found then
    return true;
  end if;
  update admin.one_time_code set name = p_name where id = p_id and username = p_username;
  return found;
end
$$;
comment on function admin.rename_second_factor is 'False when the account has no such factor.';

create function admin.remove_second_factor(p_username text, p_id uuid) returns text
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_kind text;
begin
  perform from admin.account where username = p_username for no key update;
  delete from admin.passkey where id = p_id and username = p_username returning 'passkey' into v_kind;
  if v_kind is null then
    delete from admin.one_time_code where id = p_id and username = p_username and is_confirmed
    returning 'one-time-code' into v_kind;
  end if;
  if v_kind is not null and not admin.has_second_factor(p_username) then
    delete from admin.recovery_code where username = p_username;
  end if;
  return v_kind;
end
$$;
comment on function admin.remove_second_factor is
  'Returns the kind of the factor; null when there is none. The recovery codes end with the last factor.';

create function admin.reset_second_factor(p_username text) returns integer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_ended integer;
begin
  perform from admin.account where username = p_username for no key update;
  if not found then
    return null;
  end if;
  delete from admin.passkey where username = p_username;
  delete from admin.one_time_code where username = p_username;
  delete from admin.recovery_code where username = p_username;
  delete from admin.pending_sign_in where username = p_username;
  delete from admin.session where username = p_username;
  get diagnostics v_ended = row_count;
  return v_ended;
end
$$;
comment on function admin.reset_second_factor is
  'Removes all factors. Returns how many sessions ended; null when there is no such account.';

-- Export tokens

create table admin.export_token (
  id uuid primary key default uuidv7(),
  token_hash bytea not null unique check (length(token_hash) = 32),
  name text not null check (length(name) between 1 and 100),
  created_by text collate "C" not null references admin.account,
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz,
  revoked_at timestamptz,
  expires_at timestamptz not null
);
comment on table admin.export_token is
  'With a token a spreadsheet or a script downloads exports without a session. It permits nothing else.';
comment on column admin.export_token.id is 'May be shown in a list; it grants no access.';
comment on column admin.export_token.token_hash is
  'SHA-256 of 256 random bits that were shown once. Reading it does not allow anybody to download.';
comment on column admin.export_token.name is 'The owners name for the token, such as the script that uses it.';
comment on column admin.export_token.used_at is 'Updated at most once an hour.';
comment on column admin.export_token.revoked_at is
  'The row stays after that, so that the list still shows the name and the last use.';
comment on column admin.export_token.expires_at is 'From this instant on the token opens nothing.';

create function admin.end_of_export_token(p_token admin.export_token) returns text
language sql stable set search_path = pg_catalog, pg_temp
return case
  when p_token.revoked_at is not null then 'revoked'
  when exists (
    select from admin.account where account.username = p_token.created_by and account.state <> 'active'
  ) then 'creator'
  when p_token.expires_at <= clock_timestamp() then 'expired'
end;
comment on function admin.end_of_export_token is
  'Why a token opens nothing: revoked, its creator is not active, or expired. Null: it opens exports.';

create function admin.create_export_token(
  p_token_hash bytea, p_name text, p_created_by text, p_days integer, p_most integer
) returns uuid
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id uuid;
begin
  if p_days is null or p_days not between 1 and 365 then
    raise exception 'An export token ends within a year' using errcode = 'KLM03';
  end if;
  -- Without the lock, two calls at the same time could both count one token too few.
  perform pg_advisory_xact_lock(hashtextextended('admin.export_token', 0));
  if p_most <= (
    select count(*) from admin.export_token token where admin.end_of_export_token(token) is null
  ) then
    return null;
  end if;
  insert into admin.export_token (token_hash, name, created_by, expires_at)
  values (p_token_hash, p_name, p_created_by, clock_timestamp() + make_interval(days => p_days))
  returning id into v_id;
  return v_id;
end
$$;
comment on function admin.create_export_token is
  'Null when as many tokens are in force as there may be. Days: 1 to 365.';

create function admin.prove_export_token(p_token_hash bytea)
returns table (
  id uuid, name text, created_by text, role text, expires_at timestamptz, ended text
)
language sql volatile security definer set search_path = pg_catalog, pg_temp begin atomic
  with found as (
    select token.*, admin.end_of_export_token(token) as ended
    from admin.export_token token where token.token_hash = p_token_hash
  ), used as (
    update admin.export_token set used_at = clock_timestamp()
    where export_token.id in (
      select found.id from found
      where found.ended is null
        and (found.used_at is null or found.used_at < clock_timestamp() - interval '1 hour')
    )
  )
  select found.id, found.name, found.created_by, account.role, found.expires_at, found.ended
  from found join admin.account on account.username = found.created_by;
end;
comment on function admin.prove_export_token is
  'The token, the role of its creator, and why it has ended.';

create function admin.list_export_tokens()
returns table (
  id uuid, name text, created_by text, created_at timestamptz, used_at timestamptz, revoked_at timestamptz,
  expires_at timestamptz, ended text
)
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select token.id, token.name, token.created_by, token.created_at, token.used_at, token.revoked_at, token.expires_at,
    admin.end_of_export_token(token)
  from admin.export_token token
  order by admin.end_of_export_token(token) is not null, token.created_at desc, token.id limit 100;
end;
comment on function admin.list_export_tokens is 'Tokens in force first, newest first.';

create function admin.revoke_export_token(p_id uuid) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update admin.export_token set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = p_id;
  return found;
end
$$;
comment on function admin.revoke_export_token is 'False when there is no such token. A revoked token stays as it is.';

create function admin.export_token_named(p_id uuid) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select token.name from admin.export_token token where token.id = p_id);
comment on function admin.export_token_named is 'The name of a token, for the entry about its revocation.';

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
  'One of domain/src/people/security-log.ts. Not checked: during an upgrade servers of two releases write here.';
comment on column admin.security_entry.username is
  'The account of the entry. Null when no account has the name that was typed: it may be a password.';
comment on column admin.security_entry.actor is
  'The account that acted on another one, or operator for a command on the server. Null: the person acted.';
comment on column admin.security_entry.network is
  'The /24 of an IPv4 address or the /48 of an IPv6 address: about 256 customers of a provider.';
comment on column admin.security_entry.detail is 'Facts of the kind, without personal data of customers.';

create index security_entry_at on admin.security_entry (at);

create function admin.note_security_entry(
  p_kind text, p_username text, p_actor text, p_network text, p_browser text, p_request_id uuid, p_detail text
) returns table (id bigint, username text)
language sql volatile security definer set search_path = pg_catalog, pg_temp begin atomic
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
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select entry.id, entry.at, entry.kind, entry.username, coalesce(account.display_name, entry.username), entry.actor,
    coalesce(acting.display_name, entry.actor), entry.network::text, entry.browser, entry.detail::text
  from admin.security_entry entry
    left join admin.account on account.username = entry.username
    left join admin.account acting on acting.username = entry.actor
  where (p_kind is null or entry.kind = p_kind)
    and (p_username is null or entry.username = p_username or entry.actor = p_username)
  order by entry.id desc
  limit least(p_take, 200) offset p_skip;
end;
comment on function admin.list_security_entries is
  'Newest first, with the present names. A person is the account or the actor of an entry.';

create function admin.count_security_entries(p_kind text, p_username text, p_most integer) returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select count(*)::integer from (
    select from admin.security_entry entry
    where (p_kind is null or entry.kind = p_kind)
      and (p_username is null or entry.username = p_username or entry.actor = p_username)
    limit p_most
  ) counted;
end;
comment on function admin.count_security_entries is 'How many entries there are, counted up to a number.';

create function admin.security_entry_with(p_id bigint) returns table (
  at timestamptz, kind text, username text, display_name text, actor_name text, browser text, detail text
)
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select entry.at, entry.kind, entry.username, coalesce(account.display_name, entry.username),
    coalesce(acting.display_name, entry.actor), entry.browser, entry.detail::text
  from admin.security_entry entry
    left join admin.account on account.username = entry.username
    left join admin.account acting on acting.username = entry.actor
  where entry.id = p_id;
end;
comment on function admin.security_entry_with is 'One entry, for the mail about it.';

create function admin.forget_old_security_entries() returns integer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_forgotten integer;
begin
  delete from admin.security_entry where at < clock_timestamp() - interval '400 days';
  get diagnostics v_forgotten = row_count;
  return v_forgotten;
end
$$;
comment on function admin.forget_old_security_entries is
  '400 days are part of the function, so an attacker in a server cannot delete the traces of an attack.';

-- The ledger records how each account may sign in, with digests in place of secrets. So an account that was changed
-- without the application differs from its newest event.

create function admin.digest_of(p_text text) returns text
language sql immutable strict set search_path = pg_catalog, pg_temp
return encode(sha256(convert_to(p_text, 'UTF8')), 'hex');
comment on function admin.digest_of is 'SHA-256 in hexadecimal; null of null.';

create function admin.list_access() returns table (
  username text, role text, state text, password text,
  passkeys text, "oneTimeCode" text, "recoveryCodes" text, link text
)
language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic
  select account.username, account.role, account.state, admin.digest_of(account.password_hash),
    (
      select admin.digest_of(string_agg(
        encode(passkey.credential_id, 'hex') || ' ' || encode(passkey.public_key, 'hex'), e'\n'
        order by passkey.credential_id
      )) from admin.passkey where passkey.username = account.username
    ),
    (
      select admin.digest_of(encode(code.secret, 'hex')) from admin.one_time_code code
      where code.username = account.username and code.is_confirmed
    ),
    (
      select admin.digest_of(string_agg(encode(code.code_hash, 'hex'), e'\n' order by code.code_hash))
      from admin.recovery_code code where code.username = account.username
    ),
    (
      select admin.digest_of(encode(link.token_hash, 'hex')) from admin.password_link link
      where link.username = account.username
    )
  from admin.account;
end;
comment on function admin.list_access is 'How each account may sign in, with a digest in place of each secret.';

-- Limits on refunds: what is refunded on a day of the business counts for one person and for the shop.

create function ledger.refunded_on_day(p_at timestamptz, p_time_zone text, p_except text)
returns table (requested_by text, amount_cents bigint)
language sql stable set search_path = pg_catalog, pg_temp begin atomic
  select refund.requested_by, sum(refund.amount_cents)::bigint
  from ledger.refund_history refund
  where refund.requested_at >= date_trunc('day', p_at at time zone p_time_zone) at time zone p_time_zone
    and refund.origin = 'admin' and refund.status <> 'failed' and refund.refund_id <> p_except
  group by refund.requested_by;
end;
comment on function ledger.refunded_on_day is
  'What each person has refunded since the day of the instant began: pending and completed refunds, except one.';

-- An append asks this first, in the same statement. The lock lasts until the append is committed, so that concurrent
-- refunds at several servers count each other.
create function ledger.confirm_refund_limits(
  p_refund_id text, p_person text, p_amount bigint, p_at timestamptz, p_time_zone text,
  p_most_of_one bigint, p_most_by_person bigint, p_most_by_all bigint
) returns boolean
language plpgsql volatile set search_path = pg_catalog, pg_temp as $$
declare
  v_by_person bigint;
  v_by_all bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('refund-limits', 0));
  -- A command that is repeated after a lost answer: the append finds that it is recorded.
  if exists (select from ledger.refund_history where refund_id = p_refund_id) then
    return true;
  end if;
  select coalesce(sum(amount_cents) filter (where requested_by = p_person), 0), coalesce(sum(amount_cents), 0)
  into v_by_person, v_by_all
  from ledger.refunded_on_day(p_at, p_time_zone, p_refund_id);
  if p_amount > p_most_of_one
    or v_by_person + p_amount > p_most_by_person
    or v_by_all + p_amount > p_most_by_all then
    raise exception 'the refund exceeds a limit' using errcode = 'KL001';
  end if;
  return true;
end
$$;
comment on function ledger.confirm_refund_limits is
  'Lets a refund pass that stays within the limits, and raises KL001 for another one. Concurrent refunds wait.';

-- Rights

revoke all on function ledger.refunded_on_day, ledger.confirm_refund_limits from public;
grant execute on function ledger.refunded_on_day, ledger.confirm_refund_limits to kilim_server;
revoke all on all functions in schema admin from public;
grant execute on function
  admin.has_accounts, admin.create_first_owner, admin.password_of, admin.set_password, admin.renew_password_hash,
  admin.change_display_name, admin.list_names, admin.list_people, admin.invite, admin.make_link, admin.find_link,
  admin.use_link, admin.set_role, admin.disable, admin.enable, admin.emails_of, admin.set_email, admin.start_session,
  admin.prove_session, admin.look_at_session, admin.renew_session, admin.holds_proof, admin.session_times,
  admin.list_sessions, admin.end_session, admin.end_all_sessions, admin.is_known_browser, admin.remember_browser,
  admin.has_second_factor, admin.session_factor, admin.has_proven_within, admin.mark_second_factor,
  admin.keep_sign_in, admin.pending_sign_in_of, admin.end_pending_sign_in, admin.list_second_factors,
  admin.passkey_handle, admin.keep_challenge, admin.use_challenge, admin.spend_challenge, admin.find_passkey,
  admin.passkeys_to_exclude, admin.use_passkey, admin.add_passkey, admin.propose_one_time_code,
  admin.one_time_code_of, admin.use_one_time_code, admin.confirm_one_time_code, admin.replace_recovery_codes,
  admin.recovery_codes_left, admin.use_recovery_code, admin.rename_second_factor, admin.remove_second_factor,
  admin.reset_second_factor, admin.create_export_token, admin.prove_export_token, admin.list_export_tokens,
  admin.revoke_export_token, admin.export_token_named, admin.note_security_entry, admin.list_security_entries,
  admin.count_security_entries, admin.security_entry_with, admin.forget_old_security_entries, admin.list_access
to kilim_server;
grant execute on function admin.list_access to kilim_verifier;
