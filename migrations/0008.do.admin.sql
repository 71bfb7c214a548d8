-- Who may enter the back office, and from where they are signed in. Sessions live here and not in a process, so that any number of BFFs
-- know the same ones, and ending one ends it everywhere.

create schema admin;

create table admin.account (
  username text collate "C" primary key check (username ~ '^[a-z0-9][a-z0-9._@-]{0,63}$'),
  -- Argon2id in its usual text form, which carries its own salt and costs.
  password_hash text not null check (password_hash like '$argon2id$%'),
  password_changed_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp()
);

create table admin.session (
  -- What a list of sessions may show; it opens nothing.
  id uuid primary key default uuidv7(),
  -- SHA-256 of 256 random bits that only the browser's cookie holds: who reads this table cannot sign in with it.
  token_hash bytea not null unique check (length(token_hash) = 32),
  username text collate "C" not null references admin.account,
  created_at timestamptz not null default clock_timestamp(),
  -- Moved on at most once a minute, so that a busy page does not write a row per request.
  seen_at timestamptz not null default clock_timestamp(),
  -- When the password was given last: moving money and changing settings asks for it again after a while.
  authenticated_at timestamptz not null default clock_timestamp(),
  -- SHA-256 of the token that proves, for some minutes after the password was given, that it was given: it allows setting a new one.
  proof_hash bytea check (length(proof_hash) = 32),
  address text not null,
  user_agent text not null
) with (fillfactor = 80);

create index session_of_account on admin.session (username);

-- Browsers in which this account was signed in before. Their attempts are counted apart from those of strangers, so that nobody can
-- keep the owner out by guessing wrong all day.
create table admin.known_browser (
  token_hash bytea primary key check (length(token_hash) = 32),
  username text collate "C" not null references admin.account,
  used_at timestamptz not null default clock_timestamp()
);

revoke all on schema admin from public;
grant usage on schema admin to kilim_app;
grant select, insert on admin.account to kilim_app;
grant update (password_hash, password_changed_at) on admin.account to kilim_app;
grant select, insert, delete on admin.session to kilim_app;
grant update (token_hash, seen_at, authenticated_at, proof_hash) on admin.session to kilim_app;
grant select, insert, delete on admin.known_browser to kilim_app;
grant update (used_at) on admin.known_browser to kilim_app;
