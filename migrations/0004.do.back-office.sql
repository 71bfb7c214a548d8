-- Everything around the ledger: periodic jobs, notifications from Square, results of comparisons, accounts and sessions
-- of the back office, pictures, and rate limits.

-- Jobs, notifications, results

create table ledger.job (
  name text collate "C" primary key,
  due_at timestamptz not null
);
comment on table ledger.job is 'When each periodic job is due. The first process that notices executes it.';
grant select, insert, update (due_at) on ledger.job to kilim_app;

create table ledger.square_hint (
  event_id text collate "C" primary key check (event_id ~ '^[!-~]{1,100}$'),
  event_type text collate "C" not null check (event_type ~ '^[!-~]{1,100}$'),
  subject text collate "C" not null check (subject in ('payment', 'refund', 'dispute', 'payout')),
  square_id text collate "C" not null check (square_id ~ '^[A-Za-z0-9_-]{1,255}$'),
  received_at timestamptz not null default clock_timestamp(),
  handled_at timestamptz,
  tries integer not null default 0,
  wait_seconds integer not null default 0 check (wait_seconds >= 0)
) with (fillfactor = 80);
comment on table ledger.square_hint is
  'Notifications from Squares webhooks: that something changed, and where to look. A hint says nothing of money. The '
  'server that processes it asks Square, and appends what Square answers.';
comment on column ledger.square_hint.event_id is
  'Squares id, which stays the same when Square repeats the notification.';
comment on column ledger.square_hint.tries is
  'How often the hint was taken up. As with effects, a server takes it up after it has observed it unchanged for '
  'wait_seconds.';
create index square_hint_open on ledger.square_hint (received_at) where handled_at is null;

create function ledger.forget_old_hints() returns integer
language sql security definer
set search_path = pg_catalog, pg_temp
begin atomic
  with forgotten as (
    delete from ledger.square_hint where handled_at < clock_timestamp() - interval '30 days' returning event_id
  )
  select count(*)::integer from forgotten;
end;
comment on function ledger.forget_old_hints is
  'Deletes processed hints after 30 days. Square can be asked to repeat notifications of the last 28 days.';

revoke all on function ledger.forget_old_hints from public;
grant execute on function ledger.forget_old_hints to kilim_app;
grant select, insert (event_id, event_type, subject, square_id) on ledger.square_hint to kilim_app;
grant update (handled_at, tries, wait_seconds) on ledger.square_hint to kilim_app;

create table ledger.finding (
  name text collate "C" primary key check (name in ('books', 'reconciliation', 'verification')),
  made_at timestamptz not null default clock_timestamp(),
  report jsonb not null
);
comment on table ledger.finding is
  'The latest result of each comparison of the books, and of the latest proof of the ledger. Results are no facts: '
  'they describe one moment.';
comment on column ledger.finding.name is
  'A verification is made only by an operators command; the application shows it.';
grant select, insert, update (made_at, report) on ledger.finding to kilim_app;

-- Back office

create schema admin;
comment on schema admin is
  'The accounts and sessions of the back office. Sessions are in the database and not in a process, so that all '
  'servers know them, and ending one ends it everywhere.';
revoke all on schema admin from public;
grant usage on schema admin to kilim_app;

create table admin.account (
  username text collate "C" primary key check (username ~ '^[a-z0-9][a-z0-9._@-]{0,63}$'),
  password_hash text not null check (password_hash like '$argon2id$%'),
  password_changed_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp()
);
comment on table admin.account is 'The administrators.';
comment on column admin.account.password_hash is
  'Argon2id in its usual text form, which includes salt and cost parameters.';
grant select, insert, update (password_hash, password_changed_at) on admin.account to kilim_app;

create table admin.session (
  id uuid primary key default uuidv7(),
  token_hash bytea not null unique check (length(token_hash) = 32),
  username text collate "C" not null references admin.account,
  created_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  authenticated_at timestamptz not null default clock_timestamp(),
  proof_hash bytea check (length(proof_hash) = 32),
  address text not null,
  user_agent text not null
) with (fillfactor = 80);
comment on table admin.session is 'The browsers that are signed in.';
comment on column admin.session.id is 'May be shown in a list of sessions; it grants no access.';
comment on column admin.session.token_hash is
  'SHA-256 of 256 random bits that only the browsers cookie holds. Reading this table does not allow anybody to sign '
  'in.';
comment on column admin.session.seen_at is
  'Updated at most once a minute, so that a busy page does not write a row per request.';
comment on column admin.session.authenticated_at is
  'When the password was last entered. Refunds and settings require it again after a while.';
comment on column admin.session.proof_hash is
  'SHA-256 of a token that proves for a few minutes that the password was entered. It permits changing the password.';
create index session_of_account on admin.session (username);
grant select, insert, delete, update (token_hash, seen_at, authenticated_at, proof_hash) on admin.session to kilim_app;

create table admin.known_browser (
  token_hash bytea primary key check (length(token_hash) = 32),
  username text collate "C" not null references admin.account,
  used_at timestamptz not null default clock_timestamp()
);
comment on table admin.known_browser is
  'Browsers that have signed in to the account before. Their attempts are counted separately from those of strangers, '
  'so that nobody can lock the owner out by guessing passwords.';
grant select, insert, delete, update (used_at) on admin.known_browser to kilim_app;

create table admin.export_token (
  id uuid primary key default uuidv7(),
  token_hash bytea not null unique check (length(token_hash) = 32),
  name text not null check (length(name) between 1 and 100),
  created_by text collate "C" not null references admin.account,
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz,
  revoked_at timestamptz
);
comment on table admin.export_token is
  'Tokens with which a spreadsheet or a script downloads exports without a session. They permit nothing else.';
comment on column admin.export_token.id is 'May be shown in a list; it grants no access.';
comment on column admin.export_token.token_hash is
  'SHA-256 of 256 random bits that were shown once. Reading this table does not allow anybody to download.';
comment on column admin.export_token.name is 'The owners name for the token, such as the script that uses it.';
comment on column admin.export_token.used_at is 'Updated at most once a minute.';
comment on column admin.export_token.revoked_at is
  'The row stays after that, so that the list still shows the name and the last use.';
grant select, insert, update (used_at, revoked_at) on admin.export_token to kilim_app;

-- Pictures

create schema image;
comment on schema image is 'The pictures of the settings.';
revoke all on schema image from public;
grant usage on schema image to kilim_app;

create table image.kept (
  hash bytea primary key check (hash = sha256(bytes)),
  bytes bytea not null check (octet_length(bytes) between 1 and 5 * 1024 * 1024),
  kept_at timestamptz not null default clock_timestamp()
);
alter table image.kept alter column bytes set storage external;
comment on table image.kept is 'Pictures by the SHA-256 of their bytes. So a stored picture never changes.';
comment on column image.kept.bytes is 'Stored uncompressed, because pictures are already compressed.';
grant select, insert on image.kept to kilim_app;

-- Rate limits

create unlogged table kilim.throttle (
  key text collate "C" primary key,
  points integer not null,
  expire bigint
) with (fillfactor = 50);
comment on table kilim.throttle is
  'Request counts for rate limits, shared by all processes. Unlogged: counts may be lost in a crash, and need no disk '
  'flush. The package rate-limiter-flexible prescribes the columns and their order.';
comment on column kilim.throttle.key is 'A keyed hash hides the address or person.';
comment on column kilim.throttle.expire is 'Milliseconds since 1970, by the clocks of the processes.';
grant select, insert, update, delete on kilim.throttle to kilim_app;
