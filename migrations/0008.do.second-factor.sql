-- Second factors of sign-in: passkeys, one-time codes and recovery codes. Servers reach these tables only through the
-- functions below. Reasons: docs/decisions/0039-second-factor.md.

-- Nullable, because servers of the previous release start sessions without it.
alter table admin.session add column second_factor_at timestamptz;
comment on column admin.session.second_factor_at is
  'When the person last used a second factor in this session. A session of an account with a second factor is valid '
  'only after that.';

create table admin.passkey_user (
  username text collate "C" primary key references admin.account,
  handle bytea not null unique default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
);
comment on table admin.passkey_user is
  'The id under which authenticators store passkeys of an account. It is random, because authenticators show it '
  'before they verify their user.';

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
  'The time step of the last accepted code. A code is accepted only for a later step, so that it works once.';
comment on column admin.one_time_code.is_confirmed is
  'Becomes true with the first correct code. Until then the account does not need codes.';

create table admin.recovery_code (
  username text collate "C" not null references admin.account,
  code_hash bytea not null check (length(code_hash) = 32),
  made_at timestamptz not null default clock_timestamp(),
  used_at timestamptz,
  primary key (username, code_hash)
);
comment on table admin.recovery_code is 'Each replaces a one-time code once.';
comment on column admin.recovery_code.code_hash is
  'SHA-256 of 80 random bits that were shown once. So many random bits need no slow hash.';

create table admin.pending_sign_in (
  token_hash bytea primary key check (length(token_hash) = 32),
  username text collate "C" not null references admin.account,
  expires_at timestamptz not null default clock_timestamp() + interval '5 minutes'
);
comment on table admin.pending_sign_in is
  'Browsers that gave the right password and still need the second factor. A row is no session: it permits nothing '
  'else.';

create table admin.passkey_challenge (
  challenge bytea primary key check (length(challenge) = 32),
  holder bytea not null check (length(holder) = 32),
  purpose text collate "C" not null check (purpose in ('sign-in', 'confirm', 'add')),
  expires_at timestamptz not null default clock_timestamp() + interval '5 minutes'
);
comment on table admin.passkey_challenge is
  'Challenges that authenticators sign. Each is valid once, for one purpose, and for the browser or the session that '
  'asked for it.';
comment on column admin.passkey_challenge.holder is
  'SHA-256 of the browser''s sign-in token or of the session''s id.';
create index passkey_challenge_expiry on admin.passkey_challenge (expires_at);

-- Sessions and sign-in

create function admin.has_second_factor(p_username text) returns boolean
language sql stable security definer
set search_path = pg_catalog, pg_temp
return exists (select from admin.passkey where username = p_username)
  or exists (select from admin.one_time_code where username = p_username and is_confirmed);

create function admin.session_factor(p_id uuid) returns table (has_factor boolean, is_proven boolean, is_recent boolean)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select admin.has_second_factor(session.username), session.second_factor_at is not null,
    coalesce(session.second_factor_at > clock_timestamp() - interval '10 minutes', false)
  from admin.session where session.id = p_id;
end;
comment on function admin.session_factor is
  'Whether the account has a second factor, and whether and when this session used one.';

create function admin.mark_second_factor(p_proof_hash bytea, p_with_password boolean) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update admin.session set
    second_factor_at = clock_timestamp(),
    proof_hash = case when p_with_password then proof_hash end
  where proof_hash = p_proof_hash;
  return found;
end
$$;
comment on function admin.mark_second_factor is
  'Notes that the session that was just started or renewed used a second factor. The proof permits a change of the '
  'password, so it ends when only a passkey was used.';

create function admin.keep_sign_in(p_token_hash bytea, p_username text) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  delete from admin.pending_sign_in where expires_at < clock_timestamp();
  insert into admin.pending_sign_in (token_hash, username) values (p_token_hash, p_username);
end;
comment on function admin.keep_sign_in is 'Notes that this browser gave the right password.';

create function admin.pending_sign_in_of(p_token_hash bytea) returns text
language sql stable security definer
set search_path = pg_catalog, pg_temp
return (select username from admin.pending_sign_in where token_hash = p_token_hash and expires_at > clock_timestamp());

create function admin.end_pending_sign_in(p_token_hash bytea) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from admin.pending_sign_in where token_hash = p_token_hash and expires_at > clock_timestamp();
  return found;
end
$$;
comment on function admin.end_pending_sign_in is 'Of two concurrent calls, only one returns true.';

create function admin.list_second_factors(p_username text)
returns table (id uuid, kind text, name text, created_at timestamptz, used_at timestamptz)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select passkey.id, 'passkey', passkey.name, passkey.created_at, passkey.used_at
  from admin.passkey where passkey.username = p_username
  union all
  select code.id, 'one-time-code', code.name, code.created_at, code.used_at
  from admin.one_time_code code where code.username = p_username and code.is_confirmed
  order by 4, 1;
end;

-- Passkeys

create function admin.passkey_handle(p_username text) returns bytea
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  insert into admin.passkey_user (username) values (p_username) on conflict do nothing;
  select handle from admin.passkey_user where username = p_username;
end;

create function admin.keep_challenge(p_challenge bytea, p_holder bytea, p_purpose text) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  delete from admin.passkey_challenge where expires_at < clock_timestamp();
  insert into admin.passkey_challenge (challenge, holder, purpose) values (p_challenge, p_holder, p_purpose);
end;

create function admin.use_challenge(p_challenge bytea, p_holder bytea, p_purpose text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from admin.passkey_challenge
  where challenge = p_challenge and holder = p_holder and purpose = p_purpose and expires_at > clock_timestamp();
  return found;
end
$$;
comment on function admin.use_challenge is 'A challenge is valid once. Of two concurrent calls, only one returns true.';

create function admin.find_passkey(p_credential_id bytea)
returns table (username text, public_key bytea, sign_count bigint)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select passkey.username, passkey.public_key, passkey.sign_count
  from admin.passkey where passkey.credential_id = p_credential_id;
end;

create function admin.passkeys_to_exclude(p_username text) returns table (credential_id bytea, transports text)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select passkey.credential_id, array_to_string(passkey.transports, ',')
  from admin.passkey where passkey.username = p_username;
end;

create function admin.use_passkey(p_credential_id bytea, p_sign_count bigint) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update admin.passkey set sign_count = p_sign_count, used_at = clock_timestamp()
  where credential_id = p_credential_id and (sign_count < p_sign_count or (sign_count = 0 and p_sign_count = 0));
  return found;
end
$$;
comment on function admin.use_passkey is 'False when the counter of the authenticator did not grow.';

create function admin.note_added_factor(p_username text, p_session uuid) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  update admin.session set second_factor_at = clock_timestamp() where id = p_session and username = p_username;
  delete from admin.session where username = p_username and second_factor_at is null;
  delete from admin.pending_sign_in where username = p_username;
end;
comment on function admin.note_added_factor is
  'A person who adds a factor has just used it. Sessions that never used one end, because another person who knows '
  'the password may have started them.';

create function admin.add_passkey(
  p_username text, p_session uuid, p_credential_id bytea, p_name text, p_public_key bytea, p_sign_count bigint,
  p_transports text[], p_most integer
) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
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
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into admin.one_time_code as code (username, secret) values (p_username, p_secret)
  on conflict (username) do update set secret = excluded.secret, created_at = clock_timestamp(), last_step = null
  where not code.is_confirmed;
  return found;
end
$$;
comment on function admin.propose_one_time_code is 'False when the account has an authenticator app.';

create function admin.one_time_code_of(p_username text) returns table (secret bytea, is_confirmed boolean)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select code.secret, code.is_confirmed from admin.one_time_code code where code.username = p_username;
end;
comment on function admin.one_time_code_of is 'The encrypted secret. There is no way to read all secrets.';

create function admin.use_one_time_code(p_username text, p_step bigint) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update admin.one_time_code set last_step = p_step, used_at = clock_timestamp()
  where username = p_username and is_confirmed and (last_step is null or last_step < p_step);
  return found;
end
$$;
comment on function admin.use_one_time_code is 'False when a code of this or a later step was accepted before.';

create function admin.confirm_one_time_code(p_username text, p_session uuid, p_secret bytea, p_step bigint, p_name text)
returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
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
  'Adds the authenticator app that was proposed. False when it was proposed again in the meantime.';

-- Recovery codes

create function admin.replace_recovery_codes(p_username text, p_hashes bytea[]) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  delete from admin.recovery_code where username = p_username;
  insert into admin.recovery_code (username, code_hash) select p_username, unnest(p_hashes);
end;

create function admin.recovery_codes_left(p_username text) returns integer
language sql stable security definer
set search_path = pg_catalog, pg_temp
return (select count(*)::integer from admin.recovery_code where username = p_username and used_at is null);

create function admin.use_recovery_code(p_username text, p_hash bytea) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update admin.recovery_code set used_at = clock_timestamp()
  where username = p_username and code_hash = p_hash and used_at is null;
  return found;
end
$$;

-- Changes of factors

create function admin.rename_second_factor(p_username text, p_id uuid, p_name text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update admin.passkey set name = p_name where id = p_id and username = p_username;
  if found then
    return true;
  end if;
  update admin.one_time_code set name = p_name where id = p_id and username = p_username;
  return found;
end
$$;

create function admin.remove_second_factor(p_username text, p_id uuid) returns text
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
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
  'Returns the kind of the factor; null when there is no such factor. The recovery codes end with the last factor.';

create function admin.reset_second_factor(p_username text) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
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
  'Removes all factors of a person who lost them. Returns how many sessions ended; null when there is no such account.';

comment on function admin.has_second_factor is 'Whether signing in to this account needs a second factor.';
comment on function admin.pending_sign_in_of is 'The account whose password this browser gave.';
comment on function admin.list_second_factors is 'The factors of one account, oldest first. It shows no secrets.';
comment on function admin.passkey_handle is 'The id of the account for authenticators. The first call generates it.';
comment on function admin.keep_challenge is 'Notes a challenge that an authenticator may sign.';
comment on function admin.find_passkey is 'The account and the public key of a passkey.';
comment on function admin.passkeys_to_exclude is 'So that no authenticator makes a second passkey for the account.';
comment on function admin.replace_recovery_codes is 'The earlier recovery codes of the account are no longer valid.';
comment on function admin.recovery_codes_left is 'How many recovery codes of the account are unused.';
comment on function admin.use_recovery_code is 'Uses up a recovery code. False when it is wrong or was used.';
comment on function admin.rename_second_factor is 'False when the account has no such factor.';

revoke all on function
  admin.note_added_factor, admin.has_second_factor, admin.session_factor, admin.mark_second_factor, admin.keep_sign_in,
  admin.pending_sign_in_of, admin.end_pending_sign_in, admin.list_second_factors,
  admin.passkey_handle, admin.keep_challenge, admin.use_challenge, admin.find_passkey, admin.passkeys_to_exclude,
  admin.use_passkey, admin.add_passkey, admin.propose_one_time_code, admin.one_time_code_of, admin.use_one_time_code,
  admin.confirm_one_time_code, admin.replace_recovery_codes, admin.recovery_codes_left, admin.use_recovery_code,
  admin.rename_second_factor, admin.remove_second_factor, admin.reset_second_factor
from public;
-- kilim_app, because servers connect with it until the operator has prepared their login for kilim_server.
grant execute on function
  admin.has_second_factor, admin.session_factor, admin.mark_second_factor, admin.keep_sign_in,
  admin.pending_sign_in_of, admin.end_pending_sign_in, admin.list_second_factors,
  admin.passkey_handle, admin.keep_challenge, admin.use_challenge, admin.find_passkey, admin.passkeys_to_exclude,
  admin.use_passkey, admin.add_passkey, admin.propose_one_time_code, admin.one_time_code_of, admin.use_one_time_code,
  admin.confirm_one_time_code, admin.replace_recovery_codes, admin.recovery_codes_left, admin.use_recovery_code,
  admin.rename_second_factor, admin.remove_second_factor, admin.reset_second_factor
to kilim_app, kilim_server;
