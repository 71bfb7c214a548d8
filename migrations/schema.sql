-- Written by `npm run schema` from the migrations. Do not edit.

-- Roles

create role kilim_report nologin;

create role kilim_server nologin;

create role kilim_verifier nologin;
grant kilim_report to kilim_verifier;

-- Schemas

-- The accounts and sessions of the back office. Sessions are in the database, so that all servers know them and ending
-- one ends it everywhere.
create schema admin;
grant usage on schema admin to kilim_server;
grant usage on schema admin to kilim_verifier;

-- The pictures of the settings.
create schema image;
grant usage on schema image to kilim_server;

create schema kilim;
grant usage on schema kilim to kilim_server;

-- The ledger, and the tables that are derived from it or belong to its orders.
create schema ledger;
grant usage on schema ledger to kilim_report;
grant usage on schema ledger to kilim_server;

-- Tables and sequences

-- The people of the back office, with their roles and states.
create table admin.account (
  username text collate "C" not null,
  -- For screens. Personal data, so it never enters the ledger.
  display_name text not null,
  -- What each role may do stands in domain/src/people/permissions.ts.
  role text collate "C" not null,
  state text collate "C" not null,
  activated_at timestamp with time zone,
  -- Argon2id in its usual text form, with salt and cost parameters. Null: invited, and no password chosen yet.
  password_hash text,
  -- Another person chose or generated the password. Until it is replaced, the account can do nothing else.
  must_change_password boolean not null default false,
  password_changed_at timestamp with time zone not null default clock_timestamp(),
  created_at timestamp with time zone not null default clock_timestamp(),
  -- Where mails about the account go. Only the person changes it. Personal data, so it never enters the ledger.
  email text,
  -- The address before the changes of the last seven days. It gets the mails, too, so a thief who changes the address
  -- does not silence them.
  earlier_email text,
  email_changed_at timestamp with time zone,
  constraint account_pkey PRIMARY KEY (username),
  constraint account_check CHECK (activated_at IS NOT NULL OR state <> 'active'::text),
  constraint account_check1 CHECK (password_hash IS NOT NULL OR activated_at IS NULL),
  constraint account_display_name_check CHECK (length(display_name) >= 1 AND length(display_name) <= 100),
  constraint account_earlier_email_check CHECK (length(earlier_email) >= 3 AND length(earlier_email) <= 254),
  constraint account_email_check CHECK (length(email) >= 3 AND length(email) <= 254),
  constraint account_password_hash_check CHECK (password_hash ~~ '$argon2id$%'::text),
  constraint account_role_check CHECK (role = ANY (ARRAY['owner'::text, 'clerk'::text, 'accountant'::text])),
  constraint account_state_check CHECK (state = ANY (ARRAY['invited'::text, 'active'::text, 'disabled'::text])),
  constraint account_username_check CHECK (username ~ '^[a-z0-9][a-z0-9._@-]{0,63}$'::text)
);

-- With a token a spreadsheet or a script downloads exports without a session. It permits nothing else.
create table admin.export_token (
  -- May be shown in a list; it grants no access.
  id uuid not null default uuidv7(),
  -- SHA-256 of 256 random bits that were shown once. Reading it does not allow anybody to download.
  token_hash bytea not null,
  -- The owners name for the token, such as the script that uses it.
  name text not null,
  created_by text collate "C" not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  -- Updated at most once an hour.
  used_at timestamp with time zone,
  -- The row stays after that, so that the list still shows the name and the last use.
  revoked_at timestamp with time zone,
  -- From this instant on the token opens nothing.
  expires_at timestamp with time zone not null,
  constraint export_token_pkey PRIMARY KEY (id),
  constraint export_token_token_hash_key UNIQUE (token_hash),
  constraint export_token_name_check CHECK (length(name) >= 1 AND length(name) <= 100),
  constraint export_token_token_hash_check CHECK (length(token_hash) = 32),
  constraint export_token_created_by_fkey FOREIGN KEY (created_by) REFERENCES admin.account(username)
);

-- Browsers that have signed in before. Their attempts are counted separately from those of strangers, so that nobody
-- can lock the owner out by guessing passwords.
create table admin.known_browser (
  token_hash bytea not null,
  username text collate "C" not null,
  used_at timestamp with time zone not null default clock_timestamp(),
  constraint known_browser_pkey PRIMARY KEY (token_hash),
  constraint known_browser_token_hash_check CHECK (length(token_hash) = 32),
  constraint known_browser_username_fkey FOREIGN KEY (username) REFERENCES admin.account(username)
);

-- The authenticator app of an account (RFC 6238), at most one.
create table admin.one_time_code (
  username text collate "C" not null,
  id uuid not null default uuidv7(),
  name text not null default 'Authenticator app'::text,
  -- AES-256-GCM with a key that only the servers know (SECOND_FACTOR_KEY), bound to the account.
  secret bytea not null,
  -- The time step of the last accepted code. Only a later step is accepted, so that a code works once.
  last_step bigint,
  -- True after the first correct code. Until then the account does not need codes.
  is_confirmed boolean not null default false,
  created_at timestamp with time zone not null default clock_timestamp(),
  used_at timestamp with time zone,
  constraint one_time_code_pkey PRIMARY KEY (username),
  constraint one_time_code_id_key UNIQUE (id),
  constraint one_time_code_name_check CHECK (length(name) >= 1 AND length(name) <= 100),
  constraint one_time_code_username_fkey FOREIGN KEY (username) REFERENCES admin.account(username)
);

-- The public keys of passkeys (WebAuthn). They are no secrets.
create table admin.passkey (
  id uuid not null default uuidv7(),
  credential_id bytea not null,
  username text collate "C" not null,
  name text not null,
  public_key bytea not null,
  -- The counter of the authenticator. If it does not grow, the passkey may have been copied. Passkeys that are
  -- synchronised between devices always send 0.
  sign_count bigint not null,
  transports text[] not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  used_at timestamp with time zone,
  constraint passkey_pkey PRIMARY KEY (id),
  constraint passkey_credential_id_key UNIQUE (credential_id),
  constraint passkey_credential_id_check CHECK (length(credential_id) >= 16 AND length(credential_id) <= 1023),
  constraint passkey_name_check CHECK (length(name) >= 1 AND length(name) <= 100),
  constraint passkey_sign_count_check CHECK (sign_count >= 0),
  constraint passkey_username_fkey FOREIGN KEY (username) REFERENCES admin.account(username)
);
CREATE INDEX passkey_of_account ON admin.passkey USING btree (username);

-- Challenges for authenticators. Each is valid once, for one purpose, and for the browser or session that asked for it.
create table admin.passkey_challenge (
  challenge bytea not null,
  -- SHA-256 of the browser's sign-in token or of the session's id.
  holder bytea not null,
  purpose text collate "C" not null,
  expires_at timestamp with time zone not null default clock_timestamp() + '00:05:00'::interval,
  constraint passkey_challenge_pkey PRIMARY KEY (challenge),
  constraint passkey_challenge_challenge_check CHECK (length(challenge) = 32),
  constraint passkey_challenge_holder_check CHECK (length(holder) = 32),
  constraint passkey_challenge_purpose_check CHECK (purpose = ANY (ARRAY['sign-in'::text, 'confirm'::text,
    'add'::text]))
);
CREATE INDEX passkey_challenge_expiry ON admin.passkey_challenge USING btree (expires_at);

-- The id under which authenticators store passkeys of an account. Random, because authenticators show it before they
-- verify their user.
create table admin.passkey_user (
  username text collate "C" not null,
  handle bytea not null default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
  constraint passkey_user_pkey PRIMARY KEY (username),
  constraint passkey_user_handle_key UNIQUE (handle),
  constraint passkey_user_username_fkey FOREIGN KEY (username) REFERENCES admin.account(username)
);

-- Links for the first password of invited people, and for a new one of others. Each works once; a new link replaces the
-- earlier one.
create table admin.password_link (
  username text collate "C" not null,
  -- SHA-256 of 256 random bits that were shown once. Reading it does not allow anybody to choose a password.
  token_hash bytea not null,
  purpose text collate "C" not null,
  created_by text collate "C" not null,
  expires_at timestamp with time zone not null default clock_timestamp() + '24:00:00'::interval,
  constraint password_link_pkey PRIMARY KEY (username),
  constraint password_link_token_hash_key UNIQUE (token_hash),
  constraint password_link_purpose_check CHECK (purpose = ANY (ARRAY['invitation'::text, 'reset'::text])),
  constraint password_link_token_hash_check CHECK (length(token_hash) = 32),
  constraint password_link_username_fkey FOREIGN KEY (username) REFERENCES admin.account(username)
);

-- Browsers that gave the right password and still need the second factor. A row is no session.
create table admin.pending_sign_in (
  token_hash bytea not null,
  username text collate "C" not null,
  expires_at timestamp with time zone not null default clock_timestamp() + '00:05:00'::interval,
  constraint pending_sign_in_pkey PRIMARY KEY (token_hash),
  constraint pending_sign_in_token_hash_check CHECK (length(token_hash) = 32),
  constraint pending_sign_in_username_fkey FOREIGN KEY (username) REFERENCES admin.account(username)
);

-- Each replaces a one-time code once.
create table admin.recovery_code (
  username text collate "C" not null,
  -- SHA-256 of 140 random bits that were shown once: too many to need a slow hash.
  code_hash bytea not null,
  made_at timestamp with time zone not null default clock_timestamp(),
  used_at timestamp with time zone,
  constraint recovery_code_pkey PRIMARY KEY (username, code_hash),
  constraint recovery_code_code_hash_check CHECK (length(code_hash) = 32),
  constraint recovery_code_username_fkey FOREIGN KEY (username) REFERENCES admin.account(username)
);

-- The security log. An entry is deleted 400 days after it was made.
create table admin.security_entry (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default clock_timestamp(),
  -- One of domain/src/people/security-log.ts. Not checked: during an upgrade servers of two releases write here.
  kind text collate "C" not null,
  -- The account of the entry. Null when no account has the name that was typed: it may be a password.
  username text collate "C",
  -- The account that acted on another one, or operator for a command on the server. Null: the person acted.
  actor text collate "C",
  -- The /24 of an IPv4 address or the /48 of an IPv6 address: about 256 customers of a provider.
  network cidr,
  browser text,
  request_id uuid,
  -- Facts of the kind, without personal data of customers.
  detail jsonb not null default '{}'::jsonb,
  constraint security_entry_pkey PRIMARY KEY (id),
  constraint security_entry_browser_check CHECK (length(browser) >= 1 AND length(browser) <= 60),
  constraint security_entry_detail_check CHECK (jsonb_typeof(detail) = 'object'::text AND length(detail::text) <= 600),
  constraint security_entry_kind_check CHECK (kind ~ '^[a-z]+(-[a-z]+){1,5}$'::text AND length(kind) <= 40),
  constraint security_entry_network_check CHECK (masklen(network::inet) =
CASE family(network::inet)
    WHEN 4 THEN 24
    ELSE 48
END)
);
CREATE INDEX security_entry_at ON admin.security_entry USING btree (at);

-- The browsers that are signed in.
create table admin.session (
  -- May be shown in a list of sessions; it grants no access.
  id uuid not null default uuidv7(),
  -- SHA-256 of 256 random bits that only the cookie holds. Reading it does not allow anybody to sign in.
  token_hash bytea not null,
  username text collate "C" not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  -- Updated at most once a minute, so that a busy page does not write a row per request.
  seen_at timestamp with time zone not null default clock_timestamp(),
  -- When the password was last entered. Refunds and settings require it again after a while.
  authenticated_at timestamp with time zone not null default clock_timestamp(),
  -- SHA-256 of a token that permits changing the password for a few minutes after it was entered.
  proof_hash bytea,
  -- When this session last used a second factor. Null: the session is not valid if the account has one.
  second_factor_at timestamp with time zone,
  address text not null,
  user_agent text not null,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_token_hash_key UNIQUE (token_hash),
  constraint session_proof_hash_check CHECK (length(proof_hash) = 32),
  constraint session_token_hash_check CHECK (length(token_hash) = 32),
  constraint session_username_fkey FOREIGN KEY (username) REFERENCES admin.account(username)
) with (fillfactor=80);
CREATE INDEX session_of_account ON admin.session USING btree (username);

-- Pictures by the SHA-256 of their bytes. So a stored picture never changes.
create table image.kept (
  hash bytea not null,
  -- Stored uncompressed, because pictures are already compressed.
  bytes bytea storage external not null,
  kept_at timestamp with time zone not null default clock_timestamp(),
  constraint kept_pkey PRIMARY KEY (hash),
  constraint kept_bytes_check CHECK (octet_length(bytes) >= 1 AND octet_length(bytes) <= (5 * 1024 * 1024)),
  constraint kept_check CHECK (hash = sha256(bytes))
);
grant insert, select on table image.kept to kilim_server;

create table kilim.migration (
  version bigint not null,
  name text,
  md5 text,
  run_at timestamp with time zone,
  constraint migration_pkey PRIMARY KEY (version)
);
grant select on table kilim.migration to kilim_server;

-- Request counts for rate limits, shared by all processes. Unlogged: counts may be lost in a crash. The package
-- rate-limiter-flexible prescribes the columns and their order.
create unlogged table kilim.throttle (
  -- A keyed hash hides the address or person.
  key text collate "C" not null,
  points integer not null,
  -- Milliseconds since 1970, by the clocks of the processes.
  expire bigint,
  constraint throttle_pkey PRIMARY KEY (key)
) with (fillfactor=50);

-- Faults of the product itself. The mail health-notice of an instant tells which of them began and ended then.
create table ledger.alarm (
  -- A background job, or a kind of what needs attention.
  name text collate "C" not null,
  began_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  -- For a person, without personal data.
  sentence text not null,
  constraint alarm_pkey PRIMARY KEY (name, began_at),
  constraint alarm_name_check CHECK (name ~ '^[a-z][a-z0-9-]{0,39}$'::text),
  constraint alarm_sentence_check CHECK (length(sentence) >= 1 AND length(sentence) <= 1000)
);
CREATE UNIQUE INDEX alarm_open ON ledger.alarm USING btree (name) WHERE ended_at IS NULL;
grant select on table ledger.alarm to kilim_server;

-- Signed checkpoints over closed ranges of the ledger. They show what the hash chains cannot: that whole streams or
-- their ends were removed, even by the owner of the database. A checkpoint covers the events with (from_epoch,
-- from_xid) <= (epoch, xid) < (epoch, xid), whose transactions had all ended.
create table ledger.checkpoint (
  sequence integer not null,
  from_epoch smallint not null,
  from_xid xid8 not null,
  epoch smallint not null,
  xid xid8 not null,
  events bigint not null,
  -- RFC 6962 Merkle root of the event hashes of the range, in the order (epoch, xid, position).
  root bytea not null,
  -- The signed text: a checkpoint in the format of C2SP signed notes.
  note text not null,
  sealed_at timestamp with time zone not null default clock_timestamp(),
  constraint checkpoint_pkey PRIMARY KEY (sequence),
  constraint checkpoint_events_check CHECK (events > 0),
  constraint checkpoint_root_check CHECK (length(root) = 32),
  constraint checkpoint_sequence_check CHECK (sequence > 0)
);
CREATE TRIGGER checkpoint_is_append_only BEFORE DELETE OR UPDATE ON ledger.checkpoint FOR EACH ROW EXECUTE FUNCTION
  ledger.refuse_change();
alter table ledger.checkpoint enable always trigger checkpoint_is_append_only;
CREATE TRIGGER checkpoint_is_never_truncated BEFORE TRUNCATE ON ledger.checkpoint FOR EACH STATEMENT EXECUTE FUNCTION
  ledger.refuse_change();
alter table ledger.checkpoint enable always trigger checkpoint_is_never_truncated;
grant select on table ledger.checkpoint to kilim_report;
grant select on table ledger.checkpoint to kilim_server;

-- The clusters in which the ledger has lived, oldest first. ledger.compare_cluster compares the last row with the
-- server.
create table ledger.cluster (
  sequence integer not null,
  -- The epoch of the events from this row on. It is the default of ledger.event.epoch, so it costs an append nothing.
  epoch smallint not null,
  -- pg_control_system().system_identifier, which physical copies share. Text: JavaScript cannot hold such integers.
  system_identifier text collate "C" not null,
  -- The oid of ledger.event. A logical restore creates the table again, even in the same cluster; a physical copy and a
  -- database made from a template keep the oid.
  event_table oid not null,
  -- Of the write-ahead log. Each promotion raises it, of a standby or after point-in-time recovery.
  timeline integer not null,
  xid xid8 not null default pg_current_xact_id(),
  -- first: the database was created, or got this table. copied: the rows were restored logically, and the epoch rose.
  -- promoted: the timeline rose. rewound: a running server had seen events that were gone.
  reason text collate "C" not null,
  -- Earlier events may be missing, because a backup and an asynchronous standby end earlier than the ledger did. A
  -- payment at Square from before recorded_at then needs an administrator, unless the ledger explains it.
  may_lack_events boolean not null,
  recorded_at timestamp with time zone not null default clock_timestamp(),
  constraint cluster_pkey PRIMARY KEY (sequence),
  constraint cluster_reason_check CHECK (reason = ANY (ARRAY['first'::text, 'copied'::text, 'promoted'::text,
    'rewound'::text])),
  constraint cluster_sequence_check CHECK (sequence > 0)
);
CREATE TRIGGER cluster_is_append_only BEFORE DELETE OR UPDATE ON ledger.cluster FOR EACH ROW EXECUTE FUNCTION
  ledger.refuse_change();
alter table ledger.cluster enable always trigger cluster_is_append_only;
CREATE TRIGGER cluster_is_never_truncated BEFORE TRUNCATE ON ledger.cluster FOR EACH STATEMENT EXECUTE FUNCTION
  ledger.refuse_change();
alter table ledger.cluster enable always trigger cluster_is_never_truncated;
grant select on table ledger.cluster to kilim_report;
grant select on table ledger.cluster to kilim_server;

-- The executed commands, by the id that the caller chose. A repeated command appends nothing and gets the first answer;
-- another request under the same id is refused.
create table ledger.command (
  command_id text collate "C" not null,
  request_hash bytea not null,
  stream_id text collate "C" not null,
  from_version integer not null,
  to_version integer not null,
  -- Bytes by which a server with a key knows the events of the command as its own. The core stores them and reads
  -- nothing of them. Null: events of a server or a command without a key.
  stamp bytea,
  recorded_at timestamp with time zone not null default clock_timestamp(),
  constraint command_pkey PRIMARY KEY (command_id)
);
CREATE TRIGGER command_is_append_only BEFORE DELETE OR UPDATE ON ledger.command FOR EACH ROW EXECUTE FUNCTION
  ledger.refuse_change();
alter table ledger.command enable always trigger command_is_append_only;
CREATE TRIGGER command_is_never_truncated BEFORE TRUNCATE ON ledger.command FOR EACH STATEMENT EXECUTE FUNCTION
  ledger.refuse_change();
alter table ledger.command enable always trigger command_is_never_truncated;
grant select on table ledger.command to kilim_server;
grant select on table ledger.command to kilim_verifier;

-- Personal data, outside the ledger so that it can be erased. The event holds only a salted digest.
create table ledger.customer_contact (
  order_id uuid not null,
  salt bytea not null,
  name text not null,
  email text not null,
  phone text not null,
  street text,
  -- Apartment, suite or floor.
  unit text,
  city text,
  state text,
  zip_code text,
  -- The day that the customer would like: '2026-11-25'.
  pickup_day text,
  -- The time that the customer would like: 'morning'.
  pickup_window text,
  driver_note text,
  -- SHA-256 of a cookie of the ordering browser. Only that browser sees the contact unmasked on the receipt.
  receipt_token_hash bytea not null,
  constraint customer_contact_pkey PRIMARY KEY (order_id),
  constraint customer_contact_receipt_token_hash_check CHECK (length(receipt_token_hash) = 32),
  constraint customer_contact_salt_check CHECK (length(salt) = 16)
);
-- For the days that have no room for another pickup.
CREATE INDEX customer_contact_pickup_day ON ledger.customer_contact USING btree (pickup_day) WHERE pickup_day IS NOT
  NULL;
CREATE INDEX customer_contact_words ON ledger.customer_contact USING gin (ledger.contact_words(name, email, phone));
grant select on table ledger.customer_contact to kilim_server;
grant select (order_id) on table ledger.customer_contact to kilim_verifier;

-- How far the events are counted, in reading order, and the time zone of the days.
create table ledger.day_progress (
  only_row boolean not null default true,
  time_zone text not null,
  epoch smallint not null,
  xid xid8 not null,
  "position" bigint not null,
  constraint day_progress_pkey PRIMARY KEY (only_row),
  constraint day_progress_only_row_check CHECK (only_row)
);
grant select on table ledger.day_progress to kilim_report;
grant select on table ledger.day_progress to kilim_server;

-- A call to Square that still has to be made, committed with the event that intends it. The request of the customer and
-- the settle worker execute effects with the same code. The row holds no time, so no clock can end a lease early: a
-- server takes an effect over only after it has itself seen (fence, beat) unchanged for wait_seconds. An owner whose
-- fence is no longer current may neither release nor close the effect, and stops calling Square.
create table ledger.effect (
  key text collate "C" not null,
  order_id uuid not null,
  payment_id text collate "C" not null,
  -- charge: one payment attempt, which one owner authorizes and completes. refund: asks Square for a refund.
  -- follow_refund: polls a refund that Square has accepted until it is decided, which can take days.
  kind text collate "C" not null,
  -- parked: needs a person.
  state text collate "C" not null default 'open'::text,
  opened_at timestamp with time zone not null default clock_timestamp(),
  refund_id text collate "C",
  -- The number of owners so far.
  fence integer not null default 0,
  -- Changes as long as the owner is alive.
  beat integer not null default 0,
  -- How long (fence, beat) must stay unchanged before another server takes over.
  wait_seconds integer not null,
  -- The status that Square names when it settles nothing: unknown to the program, or not final yet.
  answer text collate "C",
  constraint effect_pkey PRIMARY KEY (key),
  constraint effect_fence_check CHECK (fence >= 0),
  constraint effect_kind_check CHECK (kind = ANY (ARRAY['charge'::text, 'refund'::text, 'follow_refund'::text])),
  constraint effect_of_refund_names_it CHECK ((refund_id IS NULL) = (kind = 'charge'::text)),
  constraint effect_state_check CHECK (state = ANY (ARRAY['open'::text, 'done'::text, 'parked'::text])),
  constraint effect_wait_seconds_check CHECK (wait_seconds >= 0)
) with (fillfactor=80);
CREATE INDEX effect_open ON ledger.effect USING btree (opened_at) WHERE state = 'open'::text;
-- For the metrics, which count parked effects at each request.
CREATE INDEX effect_parked ON ledger.effect USING btree (opened_at) WHERE state = 'parked'::text;
grant select on table ledger.effect to kilim_server;
grant select (order_id, payment_id, kind, refund_id) on table ledger.effect to kilim_verifier;

-- The facts. A row is never changed or deleted. No CHECK constraints: PostgreSQL would parse each one for every
-- statement, a third of the cost of an append. Only the append functions write here, and they check.
create table ledger.event (
  -- Assigned when the row is written, so the order of positions is not the order of commits. To continue from a place,
  -- read by (epoch, xid, position) and only below pg_snapshot_xmin(pg_current_snapshot()): otherwise events of
  -- transactions that commit late are missed.
  "position" bigint not null generated always as identity,
  -- Must rise after a logical restore into another cluster, whose transaction counter may be lower.
  epoch smallint not null default 1,
  xid xid8 not null default pg_current_xact_id(),
  stream_id text collate "C" not null,
  version integer not null,
  -- Has no index: nothing looks events up by their id.
  event_id uuid not null default uuidv7(),
  command_id text collate "C" not null,
  type text collate "C" not null,
  schema_version smallint not null,
  refund_id text collate "C",
  -- Copied from the payload, as refund_id is, by the encoder of both: for accountants and projections.
  amount_cents bigint,
  currency character(3),
  actor text collate "C" not null,
  request_id text collate "C",
  occurred_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null default clock_timestamp(),
  -- json, not jsonb: json keeps the exact bytes that were hashed.
  payload json not null,
  -- The hash of the previous event of the stream; 32 zero bytes for the first one.
  previous_hash bytea not null,
  -- ledger.event_hash of this row.
  hash bytea not null,
  constraint event_pkey PRIMARY KEY (stream_id, version)
);
-- Payments that Square thinks may be fraud: a person looks at them first.
CREATE INDEX event_high_risk ON ledger.event USING btree (occurred_at) WHERE type = 'PaymentAuthorized'::text AND
  (payload ->> 'risk'::text) = 'high'::text;
-- For exports of a range of time. Events arrive roughly in this order, so BRIN suffices.
CREATE INDEX event_occurred ON ledger.event USING brin (occurred_at);
-- For the mails to customers who waited long for it.
CREATE INDEX event_payment_not_made ON ledger.event USING btree (recorded_at) WHERE type = ANY
  (ARRAY['PaymentVoided'::text, 'PaymentDeclined'::text]);
-- Sums rare events that move money without reading the events of all orders.
CREATE INDEX event_rare_money ON ledger.event USING btree (type) INCLUDE (amount_cents) WHERE type = ANY
  (ARRAY['DisputeOpened'::text, 'DisputeClosed'::text, 'ExternalRefundRecorded'::text, 'ExcessRefundFound'::text,
  'OrphanPaymentFound'::text, 'OrphanPaymentReturned'::text, 'PayoutEntriesRecorded'::text, 'PayoutRecorded'::text,
  'PayoutPaid'::text, 'PayoutFailed'::text]);
-- For readers of all streams, who continue from a place.
CREATE INDEX event_reading_order ON ledger.event USING btree (epoch, xid, "position");
-- For the events of one refund.
CREATE INDEX event_refund ON ledger.event USING btree (refund_id) WHERE refund_id IS NOT NULL;
CREATE TRIGGER event_is_append_only BEFORE DELETE OR UPDATE ON ledger.event FOR EACH ROW EXECUTE FUNCTION
  ledger.refuse_change();
alter table ledger.event enable always trigger event_is_append_only;
CREATE TRIGGER event_is_never_truncated BEFORE TRUNCATE ON ledger.event FOR EACH STATEMENT EXECUTE FUNCTION
  ledger.refuse_change();
alter table ledger.event enable always trigger event_is_never_truncated;
grant select on table ledger.event to kilim_report;
grant select on table ledger.event to kilim_server;

-- The latest result of each comparison of the books and of the proof of the ledger. No facts: they describe one moment.
create table ledger.finding (
  -- Servers make all but the verification, which only a command of an operator makes.
  name text collate "C" not null,
  made_at timestamp with time zone not null default clock_timestamp(),
  report jsonb not null,
  constraint finding_pkey PRIMARY KEY (name),
  constraint finding_name_check CHECK (name = ANY (ARRAY['books'::text, 'reconciliation'::text, 'server-check'::text,
    'verification'::text]))
);
grant select on table ledger.finding to kilim_server;

-- One row for each job of the servers. Backup, its copy, verification and standby have one from their first success; to
-- stop watching one of these four, the owner deletes its row.
create table ledger.heartbeat (
  name text collate "C" not null,
  -- The last success of any server; before the first one, when a server first had this job.
  succeeded_at timestamp with time zone not null default clock_timestamp(),
  failed_at timestamp with time zone,
  -- The last failure since, in words of the program or as a code. Never words of a database or a peer, which may be
  -- personal.
  failure text,
  -- The shop is told after so long without success.
  limit_seconds integer not null,
  -- What that means for the shop, in words for its owner.
  meaning text not null,
  constraint heartbeat_pkey PRIMARY KEY (name),
  constraint heartbeat_check CHECK ((failed_at IS NULL) = (failure IS NULL)),
  constraint heartbeat_failure_check CHECK (length(failure) >= 1 AND length(failure) <= 300),
  constraint heartbeat_limit_seconds_check CHECK (limit_seconds > 0),
  constraint heartbeat_name_check CHECK (name ~ '^[a-z][a-z0-9-]{0,39}$'::text)
);
grant select on table ledger.heartbeat to kilim_server;

-- When each periodic job is due. The first process that notices executes it.
create table ledger.job (
  name text collate "C" not null,
  due_at timestamp with time zone not null,
  constraint job_pkey PRIMARY KEY (name)
);
grant select on table ledger.job to kilim_server;

-- One row for each e-mail, without address and text: both are read when the mail is sent, so an erased contact gets
-- none, and nothing personal has to be erased here.
create table ledger.mail (
  kind text collate "C" not null,
  -- An order, a refund, a day, a closing, an event as stream/version, or entry/id of the security log.
  about text collate "C" not null,
  order_id uuid,
  -- Part of the Message-ID. The same for each try, so that a mail program shows a repeated mail once.
  message_id uuid not null default uuidv7(),
  -- open: to be sent. sent: the mail server took it. parked: waits for a person. dropped: is not sent.
  state text collate "C" not null default 'open'::text,
  tries integer not null default 0,
  -- When the mail became due, or when a person asked to send it again.
  opened_at timestamp with time zone not null default clock_timestamp(),
  due_at timestamp with time zone not null default clock_timestamp(),
  settled_at timestamp with time zone,
  -- Codes of the last failure, such as 550 5.1.1. Never the words of the server. RESTORED: the mail was perhaps sent
  -- before the database was restored.
  failure text collate "C",
  constraint mail_pkey PRIMARY KEY (kind, about),
  constraint mail_about_check CHECK (length(about) >= 1 AND length(about) <= 100),
  constraint mail_check CHECK ((settled_at IS NULL) = (state = 'open'::text)),
  constraint mail_failure_check CHECK (length(failure) >= 1 AND length(failure) <= 100),
  constraint mail_kind_check CHECK (kind ~ '^[a-z-]{1,40}$'::text),
  constraint mail_state_check CHECK (state = ANY (ARRAY['open'::text, 'sent'::text, 'parked'::text, 'dropped'::text]))
);
CREATE INDEX mail_of_order ON ledger.mail USING btree (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX mail_open ON ledger.mail USING btree (due_at) WHERE state = 'open'::text;
CREATE INDEX mail_parked ON ledger.mail USING btree (settled_at) WHERE state = 'parked'::text;
grant select on table ledger.mail to kilim_server;

-- Kinds of mails that were sent before. What happened before a kind was configured gets no mail.
create table ledger.mail_kind (
  kind text collate "C" not null,
  constraint mail_kind_pkey PRIMARY KEY (kind)
);

-- The money that the events of a day moved. Events never change, so values are only added.
create table ledger.money_day (
  day date not null,
  orders integer not null,
  takings_cents bigint not null,
  refunds integer not null,
  refunds_cents bigint not null,
  fees_cents bigint not null,
  constraint money_day_pkey PRIMARY KEY (day)
);
grant select on table ledger.money_day to kilim_report;
grant select on table ledger.money_day to kilim_server;

-- The number of orders placed on a day, by status, at the last count.
create table ledger.order_day (
  day date not null,
  payment_status text collate "C" not null,
  refund_status text collate "C" not null,
  delivery_option text collate "C" not null,
  orders integer not null,
  constraint order_day_pkey PRIMARY KEY (day, payment_status, refund_status, delivery_option),
  constraint order_day_orders_check CHECK (orders > 0)
);
-- A filter for orders with refunds does not read the other days.
CREATE INDEX order_day_with_refund ON ledger.order_day USING btree (refund_status, payment_status) WHERE refund_status
  <> 'none'::text;
grant select on table ledger.order_day to kilim_report;
grant select on table ledger.order_day to kilim_server;

-- Notes about orders. Erasing the contact of an order deletes its notes.
create table ledger.order_note (
  id bigint not null generated always as identity,
  order_id uuid not null,
  text text,
  written_by text not null,
  written_at timestamp with time zone not null default clock_timestamp(),
  deleted_by text,
  deleted_at timestamp with time zone,
  constraint order_note_pkey PRIMARY KEY (id),
  constraint order_note_deleted CHECK ((text IS NULL) = (deleted_at IS NOT NULL) AND (deleted_by IS NULL) = (deleted_at
    IS NULL)),
  constraint order_note_text_check CHECK (length(text) >= 1 AND length(text) <= 2000)
);
CREATE INDEX order_note_order ON ledger.order_note USING btree (order_id);
grant select on table ledger.order_note to kilim_server;

-- One row per order, written and checked by ledger.append_to_order; a CHECK would be parsed for each statement.
create table ledger.order_summary (
  order_id uuid not null,
  -- The head of the stream. An append requires the expected version, so of two concurrent appends one fails.
  version integer not null,
  payment_id text collate "C",
  square_payment_id text collate "C",
  payment_status text collate "C" not null,
  delivery_option text collate "C" not null,
  rug_count integer not null,
  total_cents bigint not null,
  captured_cents bigint not null,
  refund_pending_cents bigint not null,
  refunded_cents bigint not null,
  -- Follows from the amounts, as refund_status does. Not generated, because PostgreSQL would parse the expression for
  -- every statement. The command `ledger compare` checks both columns against the events.
  refundable_cents bigint not null,
  placed_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  fee_cents bigint not null default 0,
  dispute_status text collate "C" not null default 'none'::text,
  refund_status text collate "C" not null,
  -- The day that the shop and the customer agreed on: '2026-11-27'. The wished day is personal:
  -- ledger.customer_contact.
  pickup_day text collate "C",
  -- The agreed time of that day: 'morning'.
  pickup_window text collate "C",
  -- Where the rugs are: waiting, received, ready or handed-over.
  stage text collate "C" not null default 'waiting'::text,
  -- The order of which this one pays a difference. It is no order of a list or a count.
  supplement_of uuid,
  -- The difference that the customer was asked to pay last, unless the request was withdrawn.
  supplement_id uuid,
  constraint order_summary_pkey PRIMARY KEY (order_id),
  constraint order_summary_payment_id_key UNIQUE (payment_id),
  -- The last line of defence: never refund more than was captured, whatever the code above believes.
  constraint order_summary_never_more_out_than_in CHECK ((refund_pending_cents + refunded_cents) <= captured_cents AND
    captured_cents <= total_cents)
) with (fillfactor=80);
-- For the short order number that people read out or copy from Square.
CREATE INDEX order_summary_last_eight ON ledger.order_summary USING btree ("right"(order_id::text, 8));
CREATE INDEX order_summary_newest_first ON ledger.order_summary USING btree (placed_at DESC, order_id DESC);
-- For reconciliation, which asks for the payments of a span of time.
CREATE INDEX order_summary_paid ON ledger.order_summary USING btree (paid_at) WHERE payment_status = 'paid'::text;
-- For the pickups of a day. No payment or refund updates this index.
CREATE INDEX order_summary_pickup_day ON ledger.order_summary USING btree (pickup_day) WHERE pickup_day IS NOT NULL;
-- For what Square reports: it names the payment.
CREATE INDEX order_summary_square_payment ON ledger.order_summary USING btree (square_payment_id);
-- Few orders are in the shop. No payment updates this index.
CREATE INDEX order_summary_stage ON ledger.order_summary USING btree (stage, placed_at DESC, order_id DESC) WHERE stage
  <> 'waiting'::text AND stage <> 'handed-over'::text;
-- For the link that pays a difference.
CREATE INDEX order_summary_supplement ON ledger.order_summary USING btree (supplement_id) WHERE supplement_id IS NOT
  NULL;
-- For an order with the orders that pay its differences.
CREATE INDEX order_summary_supplements ON ledger.order_summary USING btree (supplement_of) WHERE supplement_of IS NOT
  NULL;
-- Few orders have refunds, so a filter for them need not read the others. Payments do not update this index.
CREATE INDEX order_summary_with_refund ON ledger.order_summary USING btree (refund_status, placed_at DESC, order_id
  DESC) WHERE refund_status <> 'none'::text;
grant select on table ledger.order_summary to kilim_report;
grant select on table ledger.order_summary to kilim_server;

-- The entries of Squares payouts, to be matched with payments, refunds and disputes. Derived from the streams
-- payout-... by ledger.list_payout_entries.
create table ledger.payout_entry (
  entry_id text collate "C" not null,
  payout_id text collate "C" not null,
  -- Squares type of activity: CHARGE, REFUND, DISPUTE, ...
  activity text collate "C" not null,
  -- What the ledger knew of the entry when it was recorded.
  standing text collate "C" not null,
  square_payment_id text collate "C",
  square_refund_id text collate "C",
  square_dispute_id text collate "C",
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  effective_at timestamp with time zone,
  constraint payout_entry_pkey PRIMARY KEY (entry_id),
  constraint payout_entry_adds_up CHECK (net_cents = (gross_cents - fee_cents))
);
-- Finds the few entries that no event of an order has booked.
CREATE INDEX payout_entry_not_of_orders ON ledger.payout_entry USING btree (standing) WHERE standing <> 'order'::text;
CREATE INDEX payout_entry_of_payment ON ledger.payout_entry USING btree (square_payment_id) WHERE square_payment_id IS
  NOT NULL;
CREATE INDEX payout_entry_of_payout ON ledger.payout_entry USING btree (payout_id);
CREATE INDEX payout_entry_of_refund ON ledger.payout_entry USING btree (square_refund_id) WHERE square_refund_id IS NOT
  NULL;
grant select on table ledger.payout_entry to kilim_report;
grant select on table ledger.payout_entry to kilim_server;

-- The number of refunds requested on a day, by status, at the last count.
create table ledger.refund_day (
  day date not null,
  status text collate "C" not null,
  refunds integer not null,
  constraint refund_day_pkey PRIMARY KEY (day, status),
  constraint refund_day_refunds_check CHECK (refunds > 0)
);
grant select on table ledger.refund_day to kilim_report;
grant select on table ledger.refund_day to kilim_server;

-- One row per refund, written by ledger.append_to_order.
create table ledger.refund_history (
  refund_id text collate "C" not null,
  order_id uuid not null,
  payment_id text collate "C" not null,
  square_refund_id text collate "C",
  origin text collate "C" not null,
  status text collate "C" not null,
  refund_type text collate "C" not null,
  amount_cents bigint not null,
  reason text not null,
  items jsonb not null,
  delivery_minimum_cents bigint not null,
  services_cents bigint not null,
  add_ons_cents bigint not null,
  delivery_cents bigint not null,
  minimum_cents bigint not null,
  sales_tax_cents bigint not null,
  requested_by text not null,
  failure_code text collate "C",
  requested_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  -- How the customer got the money outside Square: check, cash or bank-transfer. Null: by Square.
  paid_by text collate "C",
  -- The day on the check or the transfer: 2026-11-24.
  paid_on text collate "C",
  -- The number of the check or the transfer.
  reference text collate "C",
  constraint refund_history_pkey PRIMARY KEY (refund_id),
  constraint refund_history_square_refund_id_key UNIQUE (square_refund_id),
  constraint refund_history_amount_cents_check CHECK (amount_cents > 0),
  constraint refund_history_delivery_minimum_cents_check CHECK (delivery_minimum_cents >= 0),
  constraint refund_history_origin_check CHECK (origin = ANY (ARRAY['admin'::text, 'square-dashboard'::text])),
  constraint refund_history_refund_type_check CHECK (refund_type = ANY (ARRAY['full'::text, 'partial'::text])),
  constraint refund_history_split_is_the_amount CHECK ((services_cents + add_ons_cents + delivery_cents + minimum_cents
    + sales_tax_cents) = amount_cents),
  constraint refund_history_status_check CHECK (status = ANY (ARRAY['pending'::text, 'completed'::text,
    'failed'::text]))
) with (fillfactor=80);
CREATE INDEX refund_history_newest_first ON ledger.refund_history USING btree (requested_at DESC, refund_id DESC);
CREATE INDEX refund_history_of_order ON ledger.refund_history USING btree (order_id);
CREATE INDEX refund_history_unsettled ON ledger.refund_history USING btree (status, requested_at DESC, refund_id DESC)
  WHERE status <> 'completed'::text;
grant select on table ledger.refund_history to kilim_report;
grant select on table ledger.refund_history to kilim_server;

-- What administrators wrote about a refund, which may name people. Erasing the contact of the order deletes it. The
-- event RefundRequested holds a salted digest.
create table ledger.refund_text (
  refund_id text not null,
  order_id uuid not null,
  salt bytea not null,
  reason text,
  notes text,
  constraint refund_text_pkey PRIMARY KEY (refund_id),
  constraint refund_text_check CHECK (num_nonnulls(reason, notes) > 0),
  constraint refund_text_salt_check CHECK (length(salt) = 16)
);
CREATE INDEX refund_text_order ON ledger.refund_text USING btree (order_id);
grant select on table ledger.refund_text to kilim_server;
grant select (refund_id, order_id) on table ledger.refund_text to kilim_verifier;

-- Notifications from Squares webhooks: that something changed, and where to look. A hint says nothing of money: the
-- server asks Square, and appends what Square answers.
create table ledger.square_hint (
  -- Squares id, the same when Square repeats the notification.
  event_id text collate "C" not null,
  event_type text collate "C" not null,
  subject text collate "C" not null,
  square_id text collate "C" not null,
  received_at timestamp with time zone not null default clock_timestamp(),
  handled_at timestamp with time zone,
  -- How often the hint was taken up: as with effects, after it was observed unchanged for wait_seconds.
  tries integer not null default 0,
  wait_seconds integer not null default 0,
  constraint square_hint_pkey PRIMARY KEY (event_id),
  constraint square_hint_event_id_check CHECK (event_id ~ '^[!-~]{1,100}$'::text),
  constraint square_hint_event_type_check CHECK (event_type ~ '^[!-~]{1,100}$'::text),
  constraint square_hint_square_id_check CHECK (square_id ~ '^[A-Za-z0-9_-]{1,255}$'::text),
  constraint square_hint_subject_check CHECK (subject = ANY (ARRAY['payment'::text, 'refund'::text, 'dispute'::text,
    'payout'::text])),
  constraint square_hint_wait_seconds_check CHECK (wait_seconds >= 0)
) with (fillfactor=80);
CREATE INDEX square_hint_open ON ledger.square_hint USING btree (received_at) WHERE handled_at IS NULL;
grant select on table ledger.square_hint to kilim_server;

-- Each note that left the machine, for the operator; a proof reads the notes where they were sent.
create table ledger.witnessed (
  id bigint not null generated always as identity,
  -- mail or timestamp.
  kind text collate "C" not null,
  -- The host that received the note, of a mail the domain of its address.
  sent_to text collate "C" not null,
  sequence integer not null,
  sent_at timestamp with time zone not null default clock_timestamp(),
  -- What the witness answered. For a timestamp: the response of the authority (RFC 3161), DER in base64.
  receipt text not null,
  constraint witnessed_pkey PRIMARY KEY (id),
  constraint witnessed_kind_check CHECK (kind ~ '^[a-z]{1,20}$'::text),
  constraint witnessed_receipt_check CHECK (length(receipt) >= 1 AND length(receipt) <= 100000),
  constraint witnessed_sent_to_check CHECK (length(sent_to) >= 1 AND length(sent_to) <= 253),
  constraint witnessed_sequence_fkey FOREIGN KEY (sequence) REFERENCES ledger.checkpoint(sequence)
);
CREATE INDEX witnessed_newest ON ledger.witnessed USING btree (kind, sent_to, id DESC);
CREATE TRIGGER witnessed_is_append_only BEFORE DELETE OR UPDATE ON ledger.witnessed FOR EACH ROW EXECUTE FUNCTION
  ledger.refuse_change();
alter table ledger.witnessed enable always trigger witnessed_is_append_only;
CREATE TRIGGER witnessed_is_never_truncated BEFORE TRUNCATE ON ledger.witnessed FOR EACH STATEMENT EXECUTE FUNCTION
  ledger.refuse_change();
alter table ledger.witnessed enable always trigger witnessed_is_never_truncated;
grant select on table ledger.witnessed to kilim_report;
grant select on table ledger.witnessed to kilim_server;

-- Views

-- The sessions that have not expired, of active accounts. By the clock of the database: all servers must agree.
create view admin.live_session as
 SELECT session.id,
    session.token_hash,
    session.username,
    session.created_at,
    session.seen_at,
    session.authenticated_at > (clock_timestamp() - '00:10:00'::interval) AS is_recent,
    session.proof_hash,
    session.address,
    session.user_agent,
    account.display_name,
    account.role,
    account.must_change_password
   FROM admin.session
     JOIN admin.account USING (username)
  WHERE session.created_at > (clock_timestamp() - '12:00:00'::interval) AND session.seen_at > (clock_timestamp() -
    '00:30:00'::interval) AND account.state = 'active'::text;

-- Failed refunds whose customers still wait for the money: nobody has tried again since, given it back otherwise or
-- explained it. A view, so that the planner uses the index of the order or of failed refunds.
create view ledger.owed_refund as
 SELECT refund_id,
    order_id,
    amount_cents,
    failure_code,
    settled_at AS failed_at
   FROM ledger.refund_history failed
  WHERE status = 'failed'::text AND amount_cents::numeric > (( SELECT COALESCE(sum(later.amount_cents), 0::numeric) AS
    "coalesce"
           FROM ledger.refund_history later
          WHERE later.order_id = failed.order_id AND later.requested_at > failed.requested_at)) AND NOT (EXISTS ( SELECT
           FROM ledger.event explained
          WHERE explained.stream_id = 'resolutions'::text AND explained.type = 'DifferenceExplained'::text AND
            (explained.payload ->> 'code'::text) = 'RefundFailed'::text AND (explained.payload ->> 'squareId'::text) =
            failed.refund_id AND NOT (EXISTS ( SELECT
                   FROM ledger.event undone
                  WHERE undone.stream_id = 'resolutions'::text AND undone.type = 'ExplanationUndone'::text AND
                    ((undone.payload ->> 'undoes'::text)::integer) = explained.version))));
grant select on table ledger.owed_refund to kilim_server;

-- Functions

-- False when the account has as many passkeys as it may have, or the passkey is known.
CREATE OR REPLACE FUNCTION admin.add_passkey(
  p_username text,
  p_session uuid,
  p_credential_id bytea,
  p_name text,
  p_public_key bytea,
  p_sign_count bigint,
  p_transports text[],
  p_most integer
)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
grant execute on function admin.add_passkey to kilim_server;

-- For the persons own account.
CREATE OR REPLACE FUNCTION admin.change_display_name(p_username text, p_display_name text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 UPDATE admin.account SET display_name = change_display_name.p_display_name
   WHERE (account.username = change_display_name.p_username);
END;
grant execute on function admin.change_display_name to kilim_server;

-- Adds the proposed authenticator app. False when it was proposed again in the meantime.
CREATE OR REPLACE FUNCTION admin.confirm_one_time_code(
  p_username text,
  p_session uuid,
  p_secret bytea,
  p_step bigint,
  p_name text
)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
grant execute on function admin.confirm_one_time_code to kilim_server;

-- How many entries there are, counted up to a number.
CREATE OR REPLACE FUNCTION admin.count_security_entries(p_kind text, p_username text, p_most integer)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT (count(*))::integer AS count
    FROM ( SELECT
            FROM admin.security_entry entry
           WHERE (((count_security_entries.p_kind IS NULL) OR (entry.kind = count_security_entries.p_kind)) AND
             ((count_security_entries.p_username IS NULL) OR (entry.username = count_security_entries.p_username) OR
             (entry.actor = count_security_entries.p_username)))
          LIMIT count_security_entries.p_most) counted;
END;
grant execute on function admin.count_security_entries to kilim_server;

-- Null when as many tokens are in force as there may be. Days: 1 to 365.
CREATE OR REPLACE FUNCTION admin.create_export_token(
  p_token_hash bytea,
  p_name text,
  p_created_by text,
  p_days integer,
  p_most integer
)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
grant execute on function admin.create_export_token to kilim_server;

-- False when there is an account already, also one that another server has just created.
CREATE OR REPLACE FUNCTION admin.create_first_owner(p_username text, p_hash text, p_must_change boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
grant execute on function admin.create_first_owner to kilim_server;

-- SHA-256 in hexadecimal; null of null.
CREATE OR REPLACE FUNCTION admin.digest_of(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE STRICT
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN encode(sha256(convert_to(p_text, 'UTF8'::name)), 'hex'::text);

-- Ends all sessions and export tokens. The last active owner cannot be disabled.
CREATE OR REPLACE FUNCTION admin.disable(p_username text)
 RETURNS TABLE(outcome text, ended_sessions integer, revoked_tokens integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
grant execute on function admin.disable to kilim_server;

-- The address of a person, and the earlier one for seven days after a change.
CREATE OR REPLACE FUNCTION admin.emails_of(p_username text)
 RETURNS TABLE(email text, is_current boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT account.email,
     true
    FROM admin.account
   WHERE ((account.username = emails_of.p_username) AND (account.email IS NOT NULL))
 UNION ALL
  SELECT account.earlier_email,
     false
    FROM admin.account
   WHERE ((account.username = emails_of.p_username) AND (account.earlier_email IS NOT NULL) AND
     (account.email_changed_at > (clock_timestamp() - '7 days'::interval)));
END;
grant execute on function admin.emails_of to kilim_server;

-- The account is as it was before it was disabled, without sessions and tokens.
CREATE OR REPLACE FUNCTION admin.enable(p_username text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
grant execute on function admin.enable to kilim_server;

-- Ends the sessions of the account but one, its pending sign-ins, known browsers and link. Returns how many sessions
-- ended.
CREATE OR REPLACE FUNCTION admin.end_all_access(p_username text, p_keep_session uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

-- Ends all sessions of the account.
CREATE OR REPLACE FUNCTION admin.end_all_sessions(p_username text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 DELETE FROM admin.session
   WHERE (session.username = end_all_sessions.p_username);
END;
grant execute on function admin.end_all_sessions to kilim_server;

-- Why a token opens nothing: revoked, its creator is not active, or expired. Null: it opens exports.
CREATE OR REPLACE FUNCTION admin.end_of_export_token(p_token admin.export_token)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN CASE WHEN ((p_token).revoked_at IS NOT NULL) THEN 'revoked'::text WHEN (EXISTS (SELECT FROM admin.account WHERE
  ((account.username = (end_of_export_token.p_token).created_by) AND (account.state <> 'active'::text)))) THEN
  'creator'::text WHEN ((p_token).expires_at <= clock_timestamp()) THEN 'expired'::text ELSE NULL::text END;

-- Of two concurrent calls, only one returns true.
CREATE OR REPLACE FUNCTION admin.end_pending_sign_in(p_token_hash bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  delete from admin.pending_sign_in where token_hash = p_token_hash and expires_at > clock_timestamp();
  return found;
end
$function$;
grant execute on function admin.end_pending_sign_in to kilim_server;

-- Ends one session of the account. False when there is none with this id.
CREATE OR REPLACE FUNCTION admin.end_session(p_username text, p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  delete from admin.session where id = p_id and username = p_username;
  return found;
end
$function$;
grant execute on function admin.end_session to kilim_server;

-- The name of a token, for the entry about its revocation.
CREATE OR REPLACE FUNCTION admin.export_token_named(p_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN (SELECT token.name FROM admin.export_token token WHERE (token.id = export_token_named.p_id));
grant execute on function admin.export_token_named to kilim_server;

-- The account that a link opens, as long as the link is valid.
CREATE OR REPLACE FUNCTION admin.find_link(p_token_hash bytea)
 RETURNS TABLE(username text, display_name text, role text, purpose text, expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT account.username,
     account.display_name,
     account.role,
     link.purpose,
     link.expires_at
    FROM (admin.password_link link
      JOIN admin.account USING (username))
   WHERE ((link.token_hash = find_link.p_token_hash) AND (link.expires_at > clock_timestamp()) AND (account.state <>
     'disabled'::text));
END;
grant execute on function admin.find_link to kilim_server;

-- The account and the public key of a passkey.
CREATE OR REPLACE FUNCTION admin.find_passkey(p_credential_id bytea)
 RETURNS TABLE(username text, public_key bytea, sign_count bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT passkey.username,
     passkey.public_key,
     passkey.sign_count
    FROM admin.passkey
   WHERE (passkey.credential_id = find_passkey.p_credential_id);
END;
grant execute on function admin.find_passkey to kilim_server;

-- 400 days are part of the function, so an attacker in a server cannot delete the traces of an attack.
CREATE OR REPLACE FUNCTION admin.forget_old_security_entries()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_forgotten integer;
begin
  delete from admin.security_entry where at < clock_timestamp() - interval '400 days';
  get diagnostics v_forgotten = row_count;
  return v_forgotten;
end
$function$;
grant execute on function admin.forget_old_security_entries to kilim_server;

-- False before the first start of a server.
CREATE OR REPLACE FUNCTION admin.has_accounts()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN (EXISTS (SELECT FROM admin.account));
grant execute on function admin.has_accounts to kilim_server;

-- Whether another active owner remains when this account is disabled or gets another role.
CREATE OR REPLACE FUNCTION admin.has_another_owner(p_username text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  -- The locks let a second change wait for the first. It then sees the rows as the first one left them.
  perform from admin.account where role = 'owner' and state = 'active' order by username for update;
  return exists (
    select from admin.account where role = 'owner' and state = 'active' and username <> p_username
  );
end
$function$;

-- Whether the person of the session gave proof in these last seconds: with the second factor if the account has one,
-- else with the password.
CREATE OR REPLACE FUNCTION admin.has_proven_within(p_session_id uuid, p_seconds integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT COALESCE((
         CASE
             WHEN admin.has_second_factor(session.username) THEN session.second_factor_at
             ELSE session.authenticated_at
         END > (clock_timestamp() - make_interval(secs => (has_proven_within.p_seconds)::double precision))), false) AS
           "coalesce"
    FROM admin.session
   WHERE (session.id = has_proven_within.p_session_id);
END;
grant execute on function admin.has_proven_within to kilim_server;

-- Whether signing in to this account needs a second factor.
CREATE OR REPLACE FUNCTION admin.has_second_factor(p_username text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN ((EXISTS (SELECT FROM admin.passkey WHERE (passkey.username = has_second_factor.p_username))) OR (EXISTS (SELECT
  FROM admin.one_time_code WHERE ((one_time_code.username = has_second_factor.p_username) AND
  one_time_code.is_confirmed))));
grant execute on function admin.has_second_factor to kilim_server;

-- Whether this is the proof of the latest password of the session, entered within ten minutes.
CREATE OR REPLACE FUNCTION admin.holds_proof(p_id uuid, p_proof_hash bytea)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN (EXISTS (SELECT FROM admin.live_session live WHERE ((live.id = holds_proof.p_id) AND (live.proof_hash =
  holds_proof.p_proof_hash) AND live.is_recent)));
grant execute on function admin.holds_proof to kilim_server;

-- Creates an account without a password. False when the name is taken.
CREATE OR REPLACE FUNCTION admin.invite(p_username text, p_display_name text, p_role text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  insert into admin.account (username, display_name, role, state)
  values (p_username, p_display_name, p_role, 'invited')
  on conflict do nothing;
  return found;
end
$function$;
grant execute on function admin.invite to kilim_server;

-- Whether the account has signed in with this browser before.
CREATE OR REPLACE FUNCTION admin.is_known_browser(p_username text, p_token_hash bytea)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN (EXISTS (SELECT FROM admin.known_browser WHERE ((known_browser.token_hash = is_known_browser.p_token_hash) AND
  (known_browser.username = is_known_browser.p_username))));
grant execute on function admin.is_known_browser to kilim_server;

-- Notes a challenge that an authenticator may sign.
CREATE OR REPLACE FUNCTION admin.keep_challenge(p_challenge bytea, p_holder bytea, p_purpose text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 DELETE FROM admin.passkey_challenge
   WHERE (passkey_challenge.expires_at < clock_timestamp());
 INSERT INTO admin.passkey_challenge (challenge, holder, purpose)
   VALUES (keep_challenge.p_challenge, keep_challenge.p_holder, keep_challenge.p_purpose);
END;
grant execute on function admin.keep_challenge to kilim_server;

-- Notes that this browser gave the right password.
CREATE OR REPLACE FUNCTION admin.keep_sign_in(p_token_hash bytea, p_username text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 DELETE FROM admin.pending_sign_in
   WHERE (pending_sign_in.expires_at < clock_timestamp());
 INSERT INTO admin.pending_sign_in (token_hash, username)
   VALUES (keep_sign_in.p_token_hash, keep_sign_in.p_username);
END;
grant execute on function admin.keep_sign_in to kilim_server;

-- How each account may sign in, with a digest in place of each secret.
CREATE OR REPLACE FUNCTION admin.list_access()
 RETURNS TABLE(username text, role text, state text, password text, passkeys text, "oneTimeCode" text, "recoveryCodes"
   text, link text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT account.username,
     account.role,
     account.state,
     admin.digest_of(account.password_hash) AS digest_of,
     ( SELECT admin.digest_of(string_agg(((encode(passkey.credential_id, 'hex'::text) || ' '::text) ||
       encode(passkey.public_key, 'hex'::text)), '
'::text ORDER BY passkey.credential_id)) AS digest_of
            FROM admin.passkey
           WHERE (passkey.username = account.username)) AS digest_of,
     ( SELECT admin.digest_of(encode(code.secret, 'hex'::text)) AS digest_of
            FROM admin.one_time_code code
           WHERE ((code.username = account.username) AND code.is_confirmed)) AS digest_of,
     ( SELECT admin.digest_of(string_agg(encode(code.code_hash, 'hex'::text), '
'::text ORDER BY code.code_hash)) AS digest_of
            FROM admin.recovery_code code
           WHERE (code.username = account.username)) AS digest_of,
     ( SELECT admin.digest_of(encode(link.token_hash, 'hex'::text)) AS digest_of
            FROM admin.password_link link
           WHERE (link.username = account.username)) AS digest_of
    FROM admin.account;
END;
grant execute on function admin.list_access to kilim_server;
grant execute on function admin.list_access to kilim_verifier;

-- Tokens in force first, newest first.
CREATE OR REPLACE FUNCTION admin.list_export_tokens()
 RETURNS TABLE(id uuid, name text, created_by text, created_at timestamp with time zone, used_at timestamp with time
   zone, revoked_at timestamp with time zone, expires_at timestamp with time zone, ended text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT token.id,
     token.name,
     token.created_by,
     token.created_at,
     token.used_at,
     token.revoked_at,
     token.expires_at,
     admin.end_of_export_token(token.*) AS end_of_export_token
    FROM admin.export_token token
   ORDER BY (admin.end_of_export_token(token.*) IS NOT NULL), token.created_at DESC, token.id
  LIMIT 100;
END;
grant execute on function admin.list_export_tokens to kilim_server;

-- The names that screens show instead of sign-in names.
CREATE OR REPLACE FUNCTION admin.list_names()
 RETURNS TABLE(username text, display_name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT account.username,
     account.display_name
    FROM admin.account
   ORDER BY account.username;
END;
grant execute on function admin.list_names to kilim_server;

-- All accounts for owners, without anything secret.
CREATE OR REPLACE FUNCTION admin.list_people()
 RETURNS TABLE(username text, display_name text, role text, state text, must_change_password boolean, created_at
   timestamp with time zone, seen_at timestamp with time zone, link_purpose text, link_expires_at timestamp with time
   zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT account.username,
     account.display_name,
     account.role,
     account.state,
     account.must_change_password,
     account.created_at,
     ( SELECT max(session.seen_at) AS max
            FROM admin.session
           WHERE (session.username = account.username)) AS max,
     link.purpose,
     link.expires_at
    FROM (admin.account
      LEFT JOIN admin.password_link link ON (((link.username = account.username) AND (link.expires_at >
        clock_timestamp()))))
   ORDER BY account.username;
END;
grant execute on function admin.list_people to kilim_server;

-- The factors of one account, oldest first. It shows no secrets.
CREATE OR REPLACE FUNCTION admin.list_second_factors(p_username text)
 RETURNS TABLE(id uuid, kind text, name text, created_at timestamp with time zone, used_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT passkey.id,
     'passkey'::text AS kind,
     passkey.name,
     passkey.created_at,
     passkey.used_at
    FROM admin.passkey
   WHERE (passkey.username = list_second_factors.p_username)
 UNION ALL
  SELECT code.id,
     'one-time-code'::text AS kind,
     code.name,
     code.created_at,
     code.used_at
    FROM admin.one_time_code code
   WHERE ((code.username = list_second_factors.p_username) AND code.is_confirmed)
  ORDER BY 4, 1;
END;
grant execute on function admin.list_second_factors to kilim_server;

-- Newest first, with the present names. A person is the account or the actor of an entry.
CREATE OR REPLACE FUNCTION admin.list_security_entries(p_kind text, p_username text, p_skip integer, p_take integer)
 RETURNS TABLE(id bigint, at timestamp with time zone, kind text, username text, display_name text, actor text,
   actor_name text, network text, browser text, detail text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT entry.id,
     entry.at,
     entry.kind,
     entry.username,
     COALESCE(account.display_name, entry.username) AS "coalesce",
     entry.actor,
     COALESCE(acting.display_name, entry.actor) AS "coalesce",
     (entry.network)::text AS network,
     entry.browser,
     (entry.detail)::text AS detail
    FROM ((admin.security_entry entry
      LEFT JOIN admin.account ON ((account.username = entry.username)))
      LEFT JOIN admin.account acting ON ((acting.username = entry.actor)))
   WHERE (((list_security_entries.p_kind IS NULL) OR (entry.kind = list_security_entries.p_kind)) AND
     ((list_security_entries.p_username IS NULL) OR (entry.username = list_security_entries.p_username) OR (entry.actor
     = list_security_entries.p_username)))
   ORDER BY entry.id DESC
  OFFSET list_security_entries.p_skip
  LIMIT LEAST(list_security_entries.p_take, 200);
END;
grant execute on function admin.list_security_entries to kilim_server;

-- The live sessions of one account, the last used one first.
CREATE OR REPLACE FUNCTION admin.list_sessions(p_username text)
 RETURNS TABLE(id uuid, created_at timestamp with time zone, seen_at timestamp with time zone, address text, user_agent
   text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT live.id,
     live.created_at,
     live.seen_at,
     live.address,
     live.user_agent
    FROM admin.live_session live
   WHERE (live.username = list_sessions.p_username)
   ORDER BY live.seen_at DESC, live.id;
END;
grant execute on function admin.list_sessions to kilim_server;

-- As admin.prove_session, but the session does not count as used.
CREATE OR REPLACE FUNCTION admin.look_at_session(p_token_hash bytea)
 RETURNS TABLE(id uuid, username text, display_name text, role text, is_recent boolean, must_change_password boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT live.id,
     live.username,
     live.display_name,
     live.role,
     live.is_recent,
     live.must_change_password
    FROM admin.live_session live
   WHERE (live.token_hash = look_at_session.p_token_hash);
END;
grant execute on function admin.look_at_session to kilim_server;

-- Replaces the link of an account. Returns its purpose; null when the account is disabled or does not exist.
CREATE OR REPLACE FUNCTION admin.make_link(p_username text, p_token_hash bytea, p_by text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
grant execute on function admin.make_link to kilim_server;

-- The session that was just started or renewed used a second factor. The proof permits a change of the password, so it
-- ends when only a passkey was used.
CREATE OR REPLACE FUNCTION admin.mark_second_factor(p_proof_hash bytea, p_with_password boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update admin.session set
    second_factor_at = clock_timestamp(),
    proof_hash = case when p_with_password then proof_hash end
  where proof_hash = p_proof_hash;
  return found;
end
$function$;
grant execute on function admin.mark_second_factor to kilim_server;

-- Adding a factor counts as using it. Sessions that never used one end, because another person who knows the password
-- may have started them.
CREATE OR REPLACE FUNCTION admin.note_added_factor(p_username text, p_session uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 UPDATE admin.session SET second_factor_at = clock_timestamp()
   WHERE ((session.id = note_added_factor.p_session) AND (session.username = note_added_factor.p_username));
 DELETE FROM admin.session
   WHERE ((session.username = note_added_factor.p_username) AND (session.second_factor_at IS NULL));
 DELETE FROM admin.pending_sign_in
   WHERE (pending_sign_in.username = note_added_factor.p_username);
END;

-- Adds an entry at the time of the database. Returns its id, and its account if there is one with this name.
CREATE OR REPLACE FUNCTION admin.note_security_entry(
  p_kind text,
  p_username text,
  p_actor text,
  p_network text,
  p_browser text,
  p_request_id uuid,
  p_detail text
)
 RETURNS TABLE(id bigint, username text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 INSERT INTO admin.security_entry AS noted (kind, username, actor, network, browser, request_id, detail)
   VALUES (note_security_entry.p_kind, ( SELECT account.username
            FROM admin.account
           WHERE (account.username = note_security_entry.p_username)),
         CASE
             WHEN (note_security_entry.p_actor = 'operator'::text) THEN note_security_entry.p_actor
             ELSE ( SELECT account.username
                FROM admin.account
               WHERE (account.username = note_security_entry.p_actor))
         END, (note_security_entry.p_network)::cidr, note_security_entry.p_browser, note_security_entry.p_request_id,
           (note_security_entry.p_detail)::jsonb)
   RETURNING noted.id,
     noted.username;
END;
grant execute on function admin.note_security_entry to kilim_server;

-- The encrypted secret. There is no way to read all secrets.
CREATE OR REPLACE FUNCTION admin.one_time_code_of(p_username text)
 RETURNS TABLE(secret bytea, is_confirmed boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT code.secret,
     code.is_confirmed
    FROM admin.one_time_code code
   WHERE (code.username = one_time_code_of.p_username);
END;
grant execute on function admin.one_time_code_of to kilim_server;

-- The id of the account for authenticators. The first call generates it.
CREATE OR REPLACE FUNCTION admin.passkey_handle(p_username text)
 RETURNS bytea
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 INSERT INTO admin.passkey_user (username)
   VALUES (passkey_handle.p_username) ON CONFLICT DO NOTHING;
 SELECT passkey_user.handle
    FROM admin.passkey_user
   WHERE (passkey_user.username = passkey_handle.p_username);
END;
grant execute on function admin.passkey_handle to kilim_server;

-- So that no authenticator makes a second passkey for the account.
CREATE OR REPLACE FUNCTION admin.passkeys_to_exclude(p_username text)
 RETURNS TABLE(credential_id bytea, transports text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT passkey.credential_id,
     array_to_string(passkey.transports, ','::text) AS array_to_string
    FROM admin.passkey
   WHERE (passkey.username = passkeys_to_exclude.p_username);
END;
grant execute on function admin.passkeys_to_exclude to kilim_server;

-- The password hash of an active account. There is no way to read all hashes.
CREATE OR REPLACE FUNCTION admin.password_of(p_username text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN (SELECT account.password_hash FROM admin.account WHERE ((account.username = password_of.p_username) AND
  (account.state = 'active'::text)));
grant execute on function admin.password_of to kilim_server;

-- The account whose password this browser gave.
CREATE OR REPLACE FUNCTION admin.pending_sign_in_of(p_token_hash bytea)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN (SELECT pending_sign_in.username FROM admin.pending_sign_in WHERE ((pending_sign_in.token_hash =
  pending_sign_in_of.p_token_hash) AND (pending_sign_in.expires_at > clock_timestamp())));
grant execute on function admin.pending_sign_in_of to kilim_server;

-- False when the account has an authenticator app.
CREATE OR REPLACE FUNCTION admin.propose_one_time_code(p_username text, p_secret bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  insert into admin.one_time_code as code (username, secret) values (p_username, p_secret)
  on conflict (username) do update set secret = excluded.secret, created_at = clock_timestamp(), last_step = null
  where not code.is_confirmed;
  return found;
end
$function$;
grant execute on function admin.propose_one_time_code to kilim_server;

-- The token, the role of its creator, and why it has ended.
CREATE OR REPLACE FUNCTION admin.prove_export_token(p_token_hash bytea)
 RETURNS TABLE(id uuid, name text, created_by text, role text, expires_at timestamp with time zone, ended text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 WITH found AS (
          SELECT token.id,
             token.token_hash,
             token.name,
             token.created_by,
             token.created_at,
             token.used_at,
             token.revoked_at,
             token.expires_at,
             admin.end_of_export_token(token.*) AS ended
            FROM admin.export_token token
           WHERE (token.token_hash = prove_export_token.p_token_hash)
         ), used AS (
          UPDATE admin.export_token SET used_at = clock_timestamp()
           WHERE (export_token.id IN ( SELECT found_1.id
                    FROM found found_1
                   WHERE ((found_1.ended IS NULL) AND ((found_1.used_at IS NULL) OR (found_1.used_at <
                     (clock_timestamp() - '01:00:00'::interval))))))
         )
  SELECT found.id,
     found.name,
     found.created_by,
     account.role,
     found.expires_at,
     found.ended
    FROM (found
      JOIN admin.account ON ((account.username = found.created_by)));
END;
grant execute on function admin.prove_export_token to kilim_server;

-- The session of this token, unless it has ended.
CREATE OR REPLACE FUNCTION admin.prove_session(p_token_hash bytea)
 RETURNS TABLE(id uuid, username text, display_name text, role text, is_recent boolean, must_change_password boolean)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 WITH proven AS (
          SELECT live.id,
             live.username,
             live.display_name,
             live.role,
             live.is_recent,
             live.must_change_password,
             live.seen_at
            FROM admin.live_session live
           WHERE (live.token_hash = prove_session.p_token_hash)
         ), seen AS (
          UPDATE admin.session SET seen_at = clock_timestamp()
           WHERE (session.id IN ( SELECT proven_1.id
                    FROM proven proven_1
                   WHERE (proven_1.seen_at < (clock_timestamp() - '00:01:00'::interval))))
         )
  SELECT proven.id,
     proven.username,
     proven.display_name,
     proven.role,
     proven.is_recent,
     proven.must_change_password
    FROM proven;
END;
grant execute on function admin.prove_session to kilim_server;

-- How many recovery codes of the account are unused.
CREATE OR REPLACE FUNCTION admin.recovery_codes_left(p_username text)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN (SELECT (count(*))::integer AS count FROM admin.recovery_code WHERE ((recovery_code.username =
  recovery_codes_left.p_username) AND (recovery_code.used_at IS NULL)));
grant execute on function admin.recovery_codes_left to kilim_server;

-- Replaces the token of a browser after a sign-in, and forgets browsers after a year.
CREATE OR REPLACE FUNCTION admin.remember_browser(p_username text, p_token_hash bytea, p_earlier_hash bytea)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 DELETE FROM admin.known_browser
   WHERE ((known_browser.token_hash = remember_browser.p_earlier_hash) OR (known_browser.used_at < (clock_timestamp() -
     '1 year'::interval)));
 INSERT INTO admin.known_browser (token_hash, username)
   VALUES (remember_browser.p_token_hash, remember_browser.p_username);
END;
grant execute on function admin.remember_browser to kilim_server;

-- Returns the kind of the factor; null when there is none. The recovery codes end with the last factor.
CREATE OR REPLACE FUNCTION admin.remove_second_factor(p_username text, p_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
grant execute on function admin.remove_second_factor to kilim_server;

-- False when the account has no such factor.
CREATE OR REPLACE FUNCTION admin.rename_second_factor(p_username text, p_id uuid, p_name text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update admin.passkey set name = p_name where id = p_id and username = p_username;
  if found then
    return true;
  end if;
  update admin.one_time_code set name = p_name where id = p_id and username = p_username;
  return found;
end
$function$;
grant execute on function admin.rename_second_factor to kilim_server;

-- Hashes a password that was just entered with the present costs. False when the account has another hash by now. Ends
-- no session, because the password stays the same.
CREATE OR REPLACE FUNCTION admin.renew_password_hash(p_username text, p_known_hash text, p_hash text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  -- A new password that is set at the same time wins, because the hash is then another one.
  update admin.account set password_hash = p_hash
  where username = p_username and state = 'active' and password_hash = p_known_hash;
  return found;
end
$function$;
grant execute on function admin.renew_password_hash to kilim_server;

-- A new token after the password was entered again. False when the session has ended.
CREATE OR REPLACE FUNCTION admin.renew_session(p_id uuid, p_token_hash bytea, p_proof_hash bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update admin.session set
    token_hash = p_token_hash,
    proof_hash = p_proof_hash,
    authenticated_at = clock_timestamp(),
    seen_at = clock_timestamp()
  where id = p_id;
  return found;
end
$function$;
grant execute on function admin.renew_session to kilim_server;

-- The earlier recovery codes of the account are no longer valid.
CREATE OR REPLACE FUNCTION admin.replace_recovery_codes(p_username text, p_hashes bytea[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 DELETE FROM admin.recovery_code
   WHERE (recovery_code.username = replace_recovery_codes.p_username);
 INSERT INTO admin.recovery_code (username, code_hash)  SELECT replace_recovery_codes.p_username AS p_username,
             unnest(replace_recovery_codes.p_hashes) AS unnest;
END;
grant execute on function admin.replace_recovery_codes to kilim_server;

-- Removes all factors. Returns how many sessions ended; null when there is no such account.
CREATE OR REPLACE FUNCTION admin.reset_second_factor(p_username text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
grant execute on function admin.reset_second_factor to kilim_server;

-- False when there is no such token. A revoked token stays as it is.
CREATE OR REPLACE FUNCTION admin.revoke_export_token(p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update admin.export_token set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = p_id;
  return found;
end
$function$;
grant execute on function admin.revoke_export_token to kilim_server;

-- One entry, for the mail about it.
CREATE OR REPLACE FUNCTION admin.security_entry_with(p_id bigint)
 RETURNS TABLE(at timestamp with time zone, kind text, username text, display_name text, actor_name text, browser text,
   detail text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT entry.at,
     entry.kind,
     entry.username,
     COALESCE(account.display_name, entry.username) AS "coalesce",
     COALESCE(acting.display_name, entry.actor) AS "coalesce",
     entry.browser,
     (entry.detail)::text AS detail
    FROM ((admin.security_entry entry
      LEFT JOIN admin.account ON ((account.username = entry.username)))
      LEFT JOIN admin.account acting ON ((acting.username = entry.actor)))
   WHERE (entry.id = security_entry_with.p_id);
END;
grant execute on function admin.security_entry_with to kilim_server;

-- Whether the account has a second factor, and whether and when this session used one.
CREATE OR REPLACE FUNCTION admin.session_factor(p_id uuid)
 RETURNS TABLE(has_factor boolean, is_proven boolean, is_recent boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT admin.has_second_factor(session.username) AS has_second_factor,
     (session.second_factor_at IS NOT NULL),
     COALESCE((session.second_factor_at > (clock_timestamp() - '00:10:00'::interval)), false) AS "coalesce"
    FROM admin.session
   WHERE (session.id = session_factor.p_id);
END;
grant execute on function admin.session_factor to kilim_server;

-- Seconds since 1970 of the last password and of the last second factor of a session.
CREATE OR REPLACE FUNCTION admin.session_times(p_id uuid)
 RETURNS TABLE(authenticated text, factor text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT (EXTRACT(epoch FROM session.authenticated_at))::text AS "extract",
     (EXTRACT(epoch FROM session.second_factor_at))::text AS "extract"
    FROM admin.session
   WHERE (session.id = session_times.p_id);
END;
grant execute on function admin.session_times to kilim_server;

-- Null removes the address. False when it is the same.
CREATE OR REPLACE FUNCTION admin.set_email(p_username text, p_email text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
grant execute on function admin.set_email to kilim_server;

-- Returns how many sessions ended with the old password; null when no active account has this name.
CREATE OR REPLACE FUNCTION admin.set_password(p_username text, p_hash text, p_must_change boolean, p_keep_session uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
grant execute on function admin.set_password to kilim_server;

-- Ends the sessions, so that none keeps rights of the earlier role. The last active owner keeps the role.
CREATE OR REPLACE FUNCTION admin.set_role(p_username text, p_role text)
 RETURNS TABLE(outcome text, earlier text, ended_sessions integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
grant execute on function admin.set_role to kilim_server;

-- Notes that a challenge of a sign-in was used. False when it was used before. Only a right passkey leads here, so
-- strangers cannot fill the table, and asking for a challenge needs no limit.
CREATE OR REPLACE FUNCTION admin.spend_challenge(p_challenge bytea, p_holder bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  delete from admin.passkey_challenge where expires_at < clock_timestamp();
  insert into admin.passkey_challenge (challenge, holder, purpose) values (p_challenge, p_holder, 'sign-in')
  on conflict (challenge) do nothing;
  return found;
end
$function$;
grant execute on function admin.spend_challenge to kilim_server;

-- Also ends the earlier session of this browser and deletes expired ones. False when the account is not active.
CREATE OR REPLACE FUNCTION admin.start_session(
  p_username text,
  p_token_hash bytea,
  p_proof_hash bytea,
  p_address text,
  p_user_agent text,
  p_replacing bytea
)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
grant execute on function admin.start_session to kilim_server;

-- A challenge is valid once. Of two concurrent calls, only one returns true.
CREATE OR REPLACE FUNCTION admin.use_challenge(p_challenge bytea, p_holder bytea, p_purpose text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  delete from admin.passkey_challenge
  where challenge = p_challenge and holder = p_holder and purpose = p_purpose and expires_at > clock_timestamp();
  return found;
end
$function$;
grant execute on function admin.use_challenge to kilim_server;

-- Sets the password and the name, and activates an invited account. No row when the link is no longer valid.
CREATE OR REPLACE FUNCTION admin.use_link(p_token_hash bytea, p_hash text, p_display_name text)
 RETURNS TABLE(username text, purpose text, ended_sessions integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
grant execute on function admin.use_link to kilim_server;

-- False when a code of this or a later step was accepted before.
CREATE OR REPLACE FUNCTION admin.use_one_time_code(p_username text, p_step bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update admin.one_time_code set last_step = p_step, used_at = clock_timestamp()
  where username = p_username and is_confirmed and (last_step is null or last_step < p_step);
  return found;
end
$function$;
grant execute on function admin.use_one_time_code to kilim_server;

-- False when the counter of the authenticator did not grow.
CREATE OR REPLACE FUNCTION admin.use_passkey(p_credential_id bytea, p_sign_count bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update admin.passkey set sign_count = p_sign_count, used_at = clock_timestamp()
  where credential_id = p_credential_id and (sign_count < p_sign_count or (sign_count = 0 and p_sign_count = 0));
  return found;
end
$function$;
grant execute on function admin.use_passkey to kilim_server;

-- Uses up a recovery code. False when it is wrong or was used.
CREATE OR REPLACE FUNCTION admin.use_recovery_code(p_username text, p_hash bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update admin.recovery_code set used_at = clock_timestamp()
  where username = p_username and code_hash = p_hash and used_at is null;
  return found;
end
$function$;
grant execute on function admin.use_recovery_code to kilim_server;

-- Adds to the count of a key. Returns the sum and when it ends. Servers can neither list the keys, which contain a
-- keyed hash, nor delete a count without its key: an attacker in the database cannot lift a limit on passwords or
-- cards. Instants are milliseconds since 1970, by the clock of the server.
CREATE OR REPLACE FUNCTION kilim.count_requests(p_key text, p_times integer, p_expire bigint, p_now bigint)
 RETURNS TABLE(points integer, expire bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if p_key is null or length(p_key) > 200 or p_times is null or p_times not between -100000 and 100000
    or p_now is null or p_expire is null or p_expire - p_now not between 0 and 366 * 86400 * 1000::bigint
  then
    raise exception 'This is not a count of requests' using errcode = 'KLM03';
  end if;
  return query
    insert into kilim.throttle as counted (key, points, expire) values (p_key, greatest(p_times, 0), p_expire)
    on conflict (key) do update set
      points = case when counted.expire <= p_now then excluded.points else greatest(counted.points + p_times, 0) end,
      expire = case when counted.expire <= p_now then excluded.expire else counted.expire end
    returning counted.points, counted.expire;
end
$function$;
grant execute on function kilim.count_requests to kilim_server;

-- Ends the count of one key, as after a right password. An attacker would have to know the key.
CREATE OR REPLACE FUNCTION kilim.forget_count(p_key text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  delete from kilim.throttle where key = p_key;
  return found;
end
$function$;
grant execute on function kilim.forget_count to kilim_server;

-- Deletes counts that ended an hour ago.
CREATE OR REPLACE FUNCTION kilim.forget_expired_counts()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  delete from kilim.throttle where expire < extract(epoch from clock_timestamp()) * 1000 - 3600000
$function$;
grant execute on function kilim.forget_expired_counts to kilim_server;

-- The oldest release whose servers can use this schema. Every server compares it with its own, at its start and every
-- few seconds. A function and not a row, so that it is in the schema and in every dump.
CREATE OR REPLACE FUNCTION kilim.oldest_release()
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN '1.0.0'::text;
grant execute on function kilim.oldest_release to kilim_server;

-- The only way for servers to add a checkpoint. It must continue the last one, end at transactions that have ended, and
-- cover an event. False when another server was faster. `ledger verify` and the next seal check the signature, which
-- PostgreSQL cannot.
CREATE OR REPLACE FUNCTION ledger.add_checkpoint(
  p_sequence integer,
  p_from_epoch smallint,
  p_from_xid xid8,
  p_epoch smallint,
  p_xid xid8,
  p_events bigint,
  p_root bytea,
  p_note text
)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_last ledger.checkpoint;
begin
  select * into v_last from ledger.checkpoint order by sequence desc limit 1;
  if v_last.sequence >= p_sequence then
    return false;
  end if;
  if p_sequence <> coalesce(v_last.sequence, 0) + 1
    or (p_from_epoch, p_from_xid) is distinct from (coalesce(v_last.epoch, 0::smallint), coalesce(v_last.xid, '0'))
  then
    raise exception 'The checkpoint % does not follow the last one', p_sequence using errcode = 'KLM03';
  end if;
  -- Later events would be behind a horizon that lies ahead, and could never be sealed.
  if p_epoch <> ledger.current_epoch() or p_xid > pg_snapshot_xmin(pg_current_snapshot()) then
    raise exception 'The checkpoint % covers transactions that have not ended', p_sequence using errcode = 'KLM03';
  end if;
  if not exists (
    select from ledger.event
    where (event.epoch, event.xid) >= (p_from_epoch, p_from_xid) and (event.epoch, event.xid) < (p_epoch, p_xid)
  ) or p_note is null or not starts_with(p_note, format(E'kilim/ledger\n%s\n', p_sequence)) or length(p_note) > 10000
  then
    raise exception 'The checkpoint % seals nothing', p_sequence using errcode = 'KLM03';
  end if;
  insert into ledger.checkpoint (sequence, from_epoch, from_xid, epoch, xid, events, root, note)
  values (p_sequence, p_from_epoch, p_from_xid, p_epoch, p_xid, p_events, p_root, p_note)
  on conflict (sequence) do nothing;
  return found;
end
$function$;
grant execute on function ledger.add_checkpoint to kilim_server;

-- Adds a mail that follows from the calendar. False when it is known already.
CREATE OR REPLACE FUNCTION ledger.add_mail(p_kind text, p_about text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  insert into ledger.mail (kind, about) values (p_kind, p_about) on conflict do nothing;
  return found;
end
$function$;
grant execute on function ledger.add_mail to kilim_server;

-- The database sets the instant, so no server can date a note back.
CREATE OR REPLACE FUNCTION ledger.add_witnessed(p_kind text, p_sent_to text, p_sequence integer, p_receipt text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 INSERT INTO ledger.witnessed (kind, sent_to, sequence, receipt)
   VALUES (add_witnessed.p_kind, add_witnessed.p_sent_to, add_witnessed.p_sequence, add_witnessed.p_receipt);
END;
grant execute on function ledger.add_witnessed to kilim_server;

-- Prepares the ledger for appends in this cluster. After a logical restore it raises the epoch, records the cluster,
-- moves the sequence of positions behind the restored events, and parks open mails about orders. A second call changes
-- nothing. Returns the state that it found, as ledger.compare_cluster names it: known and promoted need nothing from
-- the owner, timeline behind and xid behind cannot be repaired here.
CREATE OR REPLACE FUNCTION ledger.adopt_cluster()
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_state text;
  v_epoch smallint;
  v_newest ledger.event;
  v_sealed xid8;
  v_is_foreign boolean;
begin
  -- Of several callers one adopts, and the others wait and find a known cluster.
  lock table ledger.cluster in share row exclusive mode;
  v_state := ledger.compare_cluster();
  if v_state in ('known', 'promoted', 'timeline behind', 'xid behind') then
    return v_state;
  end if;
  select * into v_newest from ledger.event order by epoch desc, xid desc, position desc limit 1;
  v_epoch := greatest(ledger.current_epoch(), v_newest.epoch);
  if v_state = 'unrecorded' then
    -- The ledger is older than this table. Only the counter tells whether its events are of this cluster.
    select max(checkpoint.xid) into v_sealed from ledger.checkpoint where checkpoint.epoch = v_newest.epoch;
    v_is_foreign := greatest(v_newest.xid, v_sealed) >= pg_snapshot_xmax(pg_current_snapshot());
  end if;
  if v_state = 'copied' or v_is_foreign then
    v_state := 'copied';
    v_epoch := v_epoch + 1;
  end if;
  if ledger.epoch_of_appends() is distinct from v_epoch then
    -- Waits for running appends, and holds back new ones until this transaction ends.
    execute format('alter table ledger.event alter column epoch set default %s', v_epoch);
  end if;
  if v_newest.position > ledger.last_position() then
    perform setval(pg_get_serial_sequence('ledger.event', 'position'), (select max(position) from ledger.event));
  end if;
  if v_state = 'copied' then
    -- What the dump says is older than the work of the lost database: it perhaps sent these mails, and did these jobs.
    update ledger.mail set state = 'parked', settled_at = clock_timestamp(), failure = 'RESTORED'
    where state = 'open' and order_id is not null;
    update ledger.heartbeat set succeeded_at = clock_timestamp(), failed_at = null, failure = null;
  end if;
  if v_state in ('unrecorded', 'copied') then
    perform ledger.record_cluster(
      v_epoch, case when v_state = 'copied' then 'copied' else 'first' end, v_newest.position is not null
    );
  end if;
  return v_state;
end
$function$;

-- The only way to append to the stream of an order: all of one command or nothing. It checks the expected version,
-- stores the command with its stamp, chains the hashes, updates the rows of the order, and opens and closes effects.
-- False when the order has changed since it was read: read and decide again. An existing command id raises
-- unique_violation (23505); the caller then looks up the earlier command.
CREATE OR REPLACE FUNCTION ledger.append_to_order(
  p_order_id uuid,
  p_expected_version integer,
  p_command_id text,
  p_request_hash bytea,
  p_actor text,
  p_request_id text,
  p_occurred_at timestamp with time zone,
  p_types text,
  p_schema_versions smallint[],
  p_refund_ids text,
  p_amounts_cents bigint[],
  p_payloads text,
  p_next json,
  p_refunds json,
  p_open_effects json,
  p_close_effects text[],
  p_stamp bytea
)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_stream_id constant text := 'order-' || p_order_id;
  v_last constant integer := p_expected_version + cardinality(p_schema_versions);
  v_next record;
  v_written integer;
  v_done text;
begin
  -- The head of the stream is locked first, so that the loser of two concurrent appends draws no position.
  -- JSON: a server that does not know a column yet leaves it out. A plan that names the table, and not only its type,
  -- is made again when a rebuild has replaced the table.
  if p_expected_version = 0 then
    insert into ledger.order_summary
    select * from json_populate_record(null::ledger.order_summary, p_next)
    on conflict (order_id) do nothing returning * into v_next;
    if not found then
      return false;
    end if;
  else
    select * into v_next
    from json_populate_record((select stored from ledger.order_summary stored where false), p_next);
  end if;
  if cardinality(p_schema_versions) = 0 or v_next.order_id <> p_order_id or v_next.version <> v_last
    or v_next.payment_status not in ('unpaid', 'processing', 'paid', 'declined', 'voided')
    or v_next.delivery_option not in ('dropoff', 'pickup')
    or v_next.dispute_status not in ('none', 'open', 'won', 'lost', 'accepted')
    or v_next.pickup_window not in ('morning', 'afternoon', 'evening')
    or (v_next.pickup_day is null) <> (v_next.pickup_window is null)
    or v_next.stage not in ('waiting', 'received', 'ready', 'handed-over')
    or v_next.rug_count < 1
    or least(v_next.captured_cents, v_next.refund_pending_cents, v_next.refunded_cents) < 0
    or v_next.refundable_cents <> v_next.captured_cents - v_next.refund_pending_cents - v_next.refunded_cents
    or v_next.refund_status <>
      ledger.refund_status(v_next.refund_pending_cents, v_next.refunded_cents, v_next.captured_cents)
  then
    raise exception 'The summary of % is not the one that follows these events', v_stream_id using errcode = 'KLM03';
  end if;

  if p_expected_version > 0 then
    update ledger.order_summary set
      version = v_next.version,
      payment_id = v_next.payment_id,
      square_payment_id = v_next.square_payment_id,
      payment_status = v_next.payment_status,
      captured_cents = v_next.captured_cents,
      refund_pending_cents = v_next.refund_pending_cents,
      refunded_cents = v_next.refunded_cents,
      refundable_cents = v_next.refundable_cents,
      refund_status = v_next.refund_status,
      fee_cents = v_next.fee_cents,
      dispute_status = v_next.dispute_status,
      pickup_day = v_next.pickup_day,
      pickup_window = v_next.pickup_window,
      stage = v_next.stage,
      supplement_id = v_next.supplement_id,
      paid_at = v_next.paid_at,
      updated_at = v_next.updated_at
    where order_summary.order_id = p_order_id and order_summary.version = p_expected_version;
    if not found then
      return false;
    end if;
  end if;

  insert into ledger.command (command_id, request_hash, stream_id, from_version, to_version, stamp)
  values (p_command_id, p_request_hash, v_stream_id, p_expected_version + 1, v_last, p_stamp);

  -- An assignment, because PERFORM would execute a statement for the call.
  v_done := ledger.write_events(
    v_stream_id, p_expected_version, p_command_id, p_actor, p_request_id, p_occurred_at,
    p_types, p_schema_versions, p_refund_ids, p_amounts_cents, p_payloads
  );

  if p_refunds is not null then
    -- A person may correct what a refund was for.
    insert into ledger.refund_history
    select * from json_populate_recordset(null::ledger.refund_history, p_refunds)
    on conflict (refund_id) do update set
      square_refund_id = excluded.square_refund_id,
      status = excluded.status,
      failure_code = excluded.failure_code,
      settled_at = excluded.settled_at,
      items = excluded.items,
      delivery_minimum_cents = excluded.delivery_minimum_cents,
      services_cents = excluded.services_cents,
      add_ons_cents = excluded.add_ons_cents,
      delivery_cents = excluded.delivery_cents,
      minimum_cents = excluded.minimum_cents,
      sales_tax_cents = excluded.sales_tax_cents
    where refund_history.order_id = p_order_id;
    get diagnostics v_written = row_count;
    if v_written <> json_array_length(p_refunds) then
      raise exception 'A refund of % belongs to another order', v_stream_id using errcode = 'KLM03';
    end if;
  end if;
  if p_close_effects is not null then
    update ledger.effect set state = 'done' where effect.key = any (p_close_effects) and effect.order_id = p_order_id;
  end if;
  if p_open_effects is not null then
    insert into ledger.effect (key, order_id, payment_id, refund_id, kind, wait_seconds)
    select opened.key, p_order_id, opened.payment_id, opened.refund_id, opened.kind, opened.wait_seconds
    from json_to_recordset(p_open_effects)
      as opened (key text, payment_id text, refund_id text, kind text, wait_seconds integer);
  end if;
  return true;
end
$function$;
grant execute on function ledger.append_to_order to kilim_server;

-- The only way to append to all other streams: settings, administrators, payouts, payments without an order. It returns
-- the same as ledger.append_to_order.
CREATE OR REPLACE FUNCTION ledger.append_to_stream(
  p_stream_id text,
  p_expected_version integer,
  p_command_id text,
  p_request_hash bytea,
  p_actor text,
  p_request_id text,
  p_occurred_at timestamp with time zone,
  p_types text,
  p_schema_versions smallint[],
  p_amounts_cents bigint[],
  p_payloads text,
  p_stamp bytea
)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_done text;
begin
  if cardinality(p_schema_versions) = 0 or p_stream_id like 'order-%' or p_stream_id ~ '[\n\r]' then
    raise exception 'Nothing can be appended to % in this way', p_stream_id using errcode = 'KLM03';
  end if;
  -- These streams have no row to lock, and get a few events a day: concurrent appends wait for each other.
  perform pg_advisory_xact_lock(hashtextextended(p_stream_id, 0));
  if p_expected_version <> (
    select coalesce(max(event.version), 0) from ledger.event where event.stream_id = p_stream_id
  ) then
    return false;
  end if;

  insert into ledger.command (command_id, request_hash, stream_id, from_version, to_version, stamp)
  values (
    p_command_id, p_request_hash, p_stream_id,
    p_expected_version + 1, p_expected_version + cardinality(p_schema_versions), p_stamp
  );
  v_done := ledger.write_events(
    p_stream_id, p_expected_version, p_command_id, p_actor, p_request_id, p_occurred_at,
    p_types, p_schema_versions, '', p_amounts_cents, p_payloads
  );
  return true;
end
$function$;
grant execute on function ledger.append_to_stream to kilim_server;

-- A job succeeded, or failed for this reason.
CREATE OR REPLACE FUNCTION ledger.beat(p_rule json, p_failure text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 INSERT INTO ledger.heartbeat (name, limit_seconds, meaning, failed_at, failure)
   VALUES ((beat.p_rule ->> 'name'::text), ((beat.p_rule ->> 'limitSeconds'::text))::integer, (beat.p_rule ->>
     'meaning'::text),
         CASE
             WHEN (beat.p_failure IS NOT NULL) THEN clock_timestamp()
             ELSE NULL::timestamp with time zone
         END, beat.p_failure) ON CONFLICT(name) DO UPDATE SET succeeded_at =
         CASE
             WHEN (beat.p_failure IS NULL) THEN clock_timestamp()
             ELSE heartbeat.succeeded_at
         END, failed_at = excluded.failed_at, failure = excluded.failure;
END;
grant execute on function ledger.beat to kilim_server;

-- False when the effect is closed, or another process has taken it over.
CREATE OR REPLACE FUNCTION ledger.beat_effect(p_key text, p_fence integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update ledger.effect set beat = beat + 1 where key = p_key and state = 'open' and fence = p_fence;
  return found;
end
$function$;
grant execute on function ledger.beat_effect to kilim_server;

-- Takes an effect from the request that opened it.
CREATE OR REPLACE FUNCTION ledger.claim_effect(p_key text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update ledger.effect set fence = 1, beat = beat + 1 where key = p_key and state = 'open' and fence = 0;
  return found;
end
$function$;
grant execute on function ledger.claim_effect to kilim_server;

-- Closes an effect whose outcome the ledger has already. While the row of the order or of the refund says that the
-- payment or the refund is undecided, the effect stays open.
CREATE OR REPLACE FUNCTION ledger.close_effect(p_key text, p_fence integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update ledger.effect set state = 'done'
  where key = p_key and state = 'open' and fence = p_fence
    and not exists (
      select from ledger.order_summary summary
      where effect.kind = 'charge' and summary.order_id = effect.order_id
        and summary.payment_id = effect.payment_id and summary.payment_status = 'processing'
    )
    and not exists (
      select from ledger.refund_history refund
      where refund.refund_id = effect.refund_id and refund.status = 'pending'
        and (effect.kind = 'follow_refund' or refund.square_refund_id is null)
    );
  return found;
end
$function$;
grant execute on function ledger.close_effect to kilim_server;

-- Compares the server with the last row of ledger.cluster. known: append. promoted: call ledger.record_recovery, then
-- append. unrecorded, copied, epoch not set, position behind: the owner calls ledger.adopt_cluster before anything is
-- appended. timeline behind, xid behind: the files of the cluster are older than its rows; nothing may be appended.
CREATE OR REPLACE FUNCTION ledger.compare_cluster()
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_recorded ledger.cluster;
  v_newest ledger.event;
  v_sealed xid8;
  v_highest xid8;
begin
  select * into v_recorded from ledger.cluster order by sequence desc limit 1;
  if not found then
    return 'unrecorded';
  end if;
  if v_recorded.system_identifier <> (select control.system_identifier::text from pg_control_system() control)
    or v_recorded.event_table <> 'ledger.event'::regclass::oid
  then
    return 'copied';
  end if;
  if ledger.epoch_of_appends() is distinct from v_recorded.epoch then
    return 'epoch not set';
  end if;
  -- A standby cannot append, and its timeline is that of its primary.
  if pg_is_in_recovery() then
    return 'known';
  end if;
  if ledger.timeline_now() < v_recorded.timeline then
    return 'timeline behind';
  end if;
  select * into v_newest from ledger.event order by epoch desc, xid desc, position desc limit 1;
  select checkpoint.xid into v_sealed from ledger.checkpoint
  where checkpoint.epoch = v_recorded.epoch order by checkpoint.sequence desc limit 1;
  v_highest := greatest(
    v_recorded.xid, v_sealed, case when v_newest.epoch = v_recorded.epoch then v_newest.xid end
  );
  -- Every committed transaction that this snapshot sees is below xmax. An xid from there on is of another counter, or
  -- of this very transaction.
  if v_highest >= pg_snapshot_xmax(pg_current_snapshot())
    and v_highest is distinct from pg_current_xact_id_if_assigned()
  then
    return 'xid behind';
  end if;
  if v_newest.position > ledger.last_position() then
    return 'position behind';
  end if;
  return case when ledger.timeline_now() > v_recorded.timeline then 'promoted' else 'known' end;
end
$function$;
grant execute on function ledger.compare_cluster to kilim_server;
grant execute on function ledger.compare_cluster to kilim_verifier;

-- Lets a refund pass that stays within the limits, and raises KL001 for another one. Concurrent refunds wait.
CREATE OR REPLACE FUNCTION ledger.confirm_refund_limits(
  p_refund_id text,
  p_person text,
  p_amount bigint,
  p_at timestamp with time zone,
  p_time_zone text,
  p_most_of_one bigint,
  p_most_by_person bigint,
  p_most_by_all bigint
)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
grant execute on function ledger.confirm_refund_limits to kilim_server;

-- The words that find an order, in addition to its ids: each word of the name and of the local part of the email
-- address, the address, its domain, and the telephone number. A clerk at the telephone hears obrien for O'Brien,
-- mueller for Müller, and the last digits of a number. Truncated, so that no order exceeds the size limit of the index.
-- Searching for beginnings of words needs no extension and, unlike searching inside words, reads only the matches.
CREATE OR REPLACE FUNCTION ledger.contact_words(p_name text, p_email text, p_phone text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(array_remove(((((ledger.search_words("left"(COALESCE(p_name, ''::text), 200)) ||
  ledger.search_words(regexp_replace("left"(COALESCE(p_name, ''::text), 200), '[''’‘ʼ‐‑-]'::text, ''::text, 'g'::text)))
  || ledger.search_words(replace(replace(replace(lower(("left"(COALESCE(p_name, ''::text), 200) COLLATE pg_c_utf8)),
  'ä'::text, 'ae'::text), 'ö'::text, 'oe'::text), 'ü'::text, 'ue'::text))) ||
  ledger.search_words("left"(split_part(COALESCE(p_email, ''::text), '@'::text, 1), 200))) ||
  ARRAY["left"(lower((COALESCE(p_email, ''::text) COLLATE pg_c_utf8)), 300), "left"(lower((split_part(COALESCE(p_email,
  ''::text), '@'::text, 2) COLLATE pg_c_utf8)), 300), "left"(COALESCE(p_phone, ''::text), 30), "right"(COALESCE(p_phone,
  ''::text), 7), "right"(COALESCE(p_phone, ''::text), 4)]), ''::text));
grant execute on function ledger.contact_words to kilim_server;

-- Counts at most p_most_events further events and returns their number; call it until it returns 0. It also returns 0
-- while another process is counting. A changed time zone deletes all counts.
CREATE OR REPLACE FUNCTION ledger.count_days(p_time_zone text, p_most_events integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_from ledger.day_progress;
  v_to ledger.day_progress;
  v_events integer;
  v_orders uuid[];
  v_order_days date[];
  v_refund_days date[];
begin
  select * into v_from from ledger.day_progress for update skip locked;
  if not found then
    return 0;
  end if;
  if v_from.time_zone <> p_time_zone then
    delete from ledger.order_day;
    delete from ledger.refund_day;
    delete from ledger.money_day;
    v_from.epoch := 0;
    v_from.xid := '0';
    v_from.position := 0;
    update ledger.day_progress set time_zone = p_time_zone, epoch = 0, xid = '0', position = 0;
  end if;

  -- Fix the end of the range first. No events are added below the oldest running transaction, so all statements below
  -- see the same events. Transaction ids from before a restore (lower epoch) cannot be compared with running ones.
  select count(*) into v_events from (
    select from ledger.event
    where (event.epoch, event.xid, event.position) > (v_from.epoch, v_from.xid, v_from.position)
      and (
        event.xid < pg_snapshot_xmin(pg_current_snapshot())
        or event.epoch < (select ledger.current_epoch())
      )
    order by event.epoch, event.xid, event.position
    limit p_most_events
  ) counted;
  if v_events = 0 then
    return 0;
  end if;
  select event.epoch, event.xid, event.position into v_to.epoch, v_to.xid, v_to.position from ledger.event
  where (event.epoch, event.xid, event.position) > (v_from.epoch, v_from.xid, v_from.position)
  order by event.epoch, event.xid, event.position
  offset v_events - 1 limit 1;

  insert into ledger.money_day as counted (day, orders, takings_cents, refunds, refunds_cents, fees_cents)
  select * from ledger.money_between(p_time_zone, v_from, v_to)
  on conflict (day) do update set
    orders = counted.orders + excluded.orders,
    takings_cents = counted.takings_cents + excluded.takings_cents,
    refunds = counted.refunds + excluded.refunds,
    refunds_cents = counted.refunds_cents + excluded.refunds_cents,
    fees_cents = counted.fees_cents + excluded.fees_cents;

  -- The status of orders and refunds changes, so their days are recounted. A change during the count is a later event,
  -- which causes another recount.
  v_orders := array(
    select distinct substr(event.stream_id, 7)::uuid from ledger.event
    where (event.epoch, event.xid, event.position) > (v_from.epoch, v_from.xid, v_from.position)
      and (event.epoch, event.xid, event.position) <= (v_to.epoch, v_to.xid, v_to.position)
      and event.stream_id like 'order-%'
  );
  v_order_days := array(
    select distinct (placed_at at time zone p_time_zone)::date
    from ledger.order_summary where order_id = any (v_orders)
  );
  delete from ledger.order_day where day = any (v_order_days);
  insert into ledger.order_day (day, payment_status, refund_status, delivery_option, orders)
  select * from ledger.count_order_days(p_time_zone, v_order_days);
  v_refund_days := array(
    select distinct (requested_at at time zone p_time_zone)::date
    from ledger.refund_history where order_id = any (v_orders)
  );
  delete from ledger.refund_day where day = any (v_refund_days);
  insert into ledger.refund_day (day, status, refunds)
  select * from ledger.count_refund_days(p_time_zone, v_refund_days);

  update ledger.day_progress set epoch = v_to.epoch, xid = v_to.xid, position = v_to.position;
  return v_events;
end
$function$;
grant execute on function ledger.count_days to kilim_server;

-- The current rows of ledger.order_day for these days.
CREATE OR REPLACE FUNCTION ledger.count_order_days(p_time_zone text, p_days date[])
 RETURNS TABLE(day date, payment_status text, refund_status text, delivery_option text, orders bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT days.day,
     summary.payment_status,
     summary.refund_status,
     summary.delivery_option,
     count(*) FILTER (WHERE (summary.supplement_of IS NULL)) AS count
    FROM (unnest(count_order_days.p_days) days(day)
      JOIN ledger.order_summary summary ON (((summary.placed_at >= ledger.start_of_day(days.day,
        count_order_days.p_time_zone)) AND (summary.placed_at < ledger.start_of_day((days.day + 1),
        count_order_days.p_time_zone)))))
   GROUP BY days.day, summary.payment_status, summary.refund_status, summary.delivery_option
  HAVING (count(*) FILTER (WHERE (summary.supplement_of IS NULL)) > 0);
END;
grant execute on function ledger.count_order_days to kilim_report;
grant execute on function ledger.count_order_days to kilim_server;

-- The current rows of ledger.refund_day for these days.
CREATE OR REPLACE FUNCTION ledger.count_refund_days(p_time_zone text, p_days date[])
 RETURNS TABLE(day date, status text, refunds bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT days.day,
     refund.status,
     count(*) AS count
    FROM (unnest(count_refund_days.p_days) days(day)
      JOIN ledger.refund_history refund ON (((refund.requested_at >= ledger.start_of_day(days.day,
        count_refund_days.p_time_zone)) AND (refund.requested_at < ledger.start_of_day((days.day + 1),
        count_refund_days.p_time_zone)))))
   GROUP BY days.day, refund.status;
END;
grant execute on function ledger.count_refund_days to kilim_report;
grant execute on function ledger.count_refund_days to kilim_server;

-- How far the days of this time zone are counted: not at all if the counts are for another one.
CREATE OR REPLACE FUNCTION ledger.counted_to(p_time_zone text)
 RETURNS ledger.day_progress
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT progress.only_row,
     counted_to.p_time_zone AS p_time_zone,
     (
         CASE
             WHEN (progress.time_zone = counted_to.p_time_zone) THEN (progress.epoch)::integer
             ELSE 0
         END)::smallint AS int2,
         CASE
             WHEN (progress.time_zone = counted_to.p_time_zone) THEN progress.xid
             ELSE '0'::xid8
         END AS "case",
         CASE
             WHEN (progress.time_zone = counted_to.p_time_zone) THEN progress."position"
             ELSE (0)::bigint
         END AS "case"
    FROM ledger.day_progress progress;
END;
grant execute on function ledger.counted_to to kilim_report;
grant execute on function ledger.counted_to to kilim_server;

-- The epoch of the next event. Transaction ids of lower epochs cannot be compared with those of the running cluster:
-- all these events are committed. Not the highest epoch of the events: directly after a restore no event has the new
-- epoch.
CREATE OR REPLACE FUNCTION ledger.current_epoch()
 RETURNS smallint
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT COALESCE(( SELECT cluster.epoch
            FROM ledger.cluster
           ORDER BY cluster.sequence DESC
          LIMIT 1), (1)::smallint) AS "coalesce";
END;
grant execute on function ledger.current_epoch to kilim_report;
grant execute on function ledger.current_epoch to kilim_server;

-- Deletes the text of a note. Its author, its time and who deleted it remain.
CREATE OR REPLACE FUNCTION ledger.delete_order_note(p_order_id uuid, p_id bigint, p_by text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update ledger.order_note set text = null, deleted_by = p_by, deleted_at = clock_timestamp()
  where order_note.order_id = p_order_id and order_note.id = p_id and order_note.text is not null;
  return found;
end
$function$;
grant execute on function ledger.delete_order_note to kilim_server;

-- The default of ledger.event.epoch.
CREATE OR REPLACE FUNCTION ledger.epoch_of_appends()
 RETURNS smallint
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN (SELECT ("substring"(pg_get_expr(def.adbin, def.adrelid), '[0-9]+'::text))::smallint AS "substring" FROM
  (pg_attrdef def JOIN pg_attribute attribute ON (((attribute.attrelid = def.adrelid) AND (attribute.attnum =
  def.adnum)))) WHERE ((def.adrelid = ('ledger.event'::regclass)::oid) AND (attribute.attname = 'epoch'::name)));

-- Covers the hash of the previous event, so a change, an insertion or a swap inside a stream invalidates every later
-- hash. Line feeds separate the fields and cannot occur inside them; the payload comes last. Stable, not immutable,
-- because timestamp functions depend on settings in general (not for the epoch). No search_path, so that PostgreSQL can
-- inline it.
CREATE OR REPLACE FUNCTION ledger.event_hash(event ledger.event)
 RETURNS bytea
 LANGUAGE sql
 STABLE
RETURN sha256(((event).previous_hash || convert_to(concat_ws('
'::text, 'kilim-event-1', (event).stream_id, (event).version, (event).event_id, (event).command_id, (event).type,
  (event).schema_version, COALESCE((event).refund_id, ''::text), COALESCE(((event).amount_cents)::text, ''::text),
  COALESCE(((event).currency)::text, ''::text), (event).actor, COALESCE((event).request_id, ''::text), ((EXTRACT(epoch
  FROM (event).occurred_at) * (1000000)::numeric))::bigint, ((EXTRACT(epoch FROM (event).recorded_at) *
  (1000000)::numeric))::bigint, (event).payload), 'UTF8'::name)));
grant execute on function ledger.event_hash to kilim_report;
grant execute on function ledger.event_hash to kilim_server;

-- The jobs of a server that starts. A job that it does not have is watched again from the next beat of a server that
-- has it. What not every installation has is watched from its first success.
CREATE OR REPLACE FUNCTION ledger.expect_jobs(p_rules json)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 DELETE FROM ledger.heartbeat
   WHERE ((NOT (heartbeat.name IN ( SELECT (rule.value ->> 'name'::text)
            FROM json_array_elements(expect_jobs.p_rules) rule(value)))) AND (heartbeat.name <> ALL
              (ARRAY['backup'::text, 'offsite'::text, 'standby'::text, 'verify'::text])));
 INSERT INTO ledger.heartbeat (name, limit_seconds, meaning)  SELECT (rule.value ->> 'name'::text),
             ((rule.value ->> 'limitSeconds'::text))::integer AS int4,
             (rule.value ->> 'meaning'::text)
            FROM json_array_elements(expect_jobs.p_rules) rule(value) ON CONFLICT(name) DO UPDATE SET limit_seconds =
              excluded.limit_seconds, meaning = excluded.meaning;
END;
grant execute on function ledger.expect_jobs to kilim_server;

-- Deletes the contact of an order, its notes, the texts of its refunds, the salts, without which the digests in the
-- ledger reveal nothing, and the key to the receipt. It requires an event ContactErased, so that every erasure leaves a
-- trace. Returns whether there was a contact.
CREATE OR REPLACE FUNCTION ledger.forget_contact(p_order_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if not exists (
    select from ledger.event where event.stream_id = 'order-' || p_order_id and event.type = 'ContactErased'
  ) then
    raise exception 'The stream of order % does not say that its contact was erased', p_order_id
      using errcode = 'KLM03';
  end if;
  delete from ledger.refund_text where refund_text.order_id = p_order_id;
  delete from ledger.order_note where order_note.order_id = p_order_id;
  delete from ledger.customer_contact where customer_contact.order_id = p_order_id;
  return found;
end
$function$;
grant execute on function ledger.forget_contact to kilim_server;

-- Deletes the rows of mails that were settled this long ago.
CREATE OR REPLACE FUNCTION ledger.forget_mails(p_after interval)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_forgotten integer;
begin
  -- Younger rows are needed: without its row, gather_mails would find the mail due again. A mail that was sent to try
  -- stays, because the list of the first day asks for one.
  delete from ledger.mail
  where kind <> 'test-mail' and state <> 'open'
    and settled_at < clock_timestamp() - greatest(p_after, interval '60 days');
  get diagnostics v_forgotten = row_count;
  return v_forgotten;
end
$function$;
grant execute on function ledger.forget_mails to kilim_server;

-- Deletes processed hints after 30 days. Square can repeat notifications of the last 28 days.
CREATE OR REPLACE FUNCTION ledger.forget_old_hints()
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 WITH forgotten AS (
          DELETE FROM ledger.square_hint
           WHERE (square_hint.handled_at < (clock_timestamp() - '30 days'::interval))
           RETURNING square_hint.event_id
         )
  SELECT (count(*))::integer AS count
    FROM forgotten;
END;
grant execute on function ledger.forget_old_hints to kilim_server;

-- Adds the mails of these kinds that became due within p_within: for orders, refunds, closings, told events and the
-- security log. Returns how many. A known mail is left alone. A mail about an order or a refund from before a restore
-- waits for a person.
CREATE OR REPLACE FUNCTION ledger.gather_mails(p_kinds text[], p_within interval)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET lock_timeout TO '100ms'
AS $function$
declare
  v_since timestamptz := clock_timestamp() - p_within;
  -- The lost database perhaps told customers what Square reports again. After a promotion or a recovery to a moment,
  -- payments that were under way are new: they get their mails.
  v_perhaps_told_until timestamptz := (
    select max(recorded_at - case reason when 'copied' then interval '0' else interval '5 minutes' end)
    from ledger.cluster where may_lack_events
  );
  v_gathered integer;
begin
  with first_time as (
    insert into ledger.mail_kind (kind) select unnest(p_kinds) on conflict do nothing returning kind
  ), due as (
    select kind, order_id::text as about, order_id, paid_at as happened_at
    from ledger.order_summary cross join unnest(array['order-confirmation', 'new-order']) kind
    where payment_status = 'paid' and paid_at > v_since and (supplement_of is null or kind = 'order-confirmation')
    union all
    -- Who waits longer is told that a mail comes.
    select 'payment-not-made', order_id::text, order_id, ended.recorded_at
    from ledger.event ended join ledger.order_summary on order_id = right(ended.stream_id, -6)::uuid
      join ledger.event started on started.stream_id = ended.stream_id and started.type = 'PaymentStarted'
        and started.payload ->> 'paymentId' = ended.payload ->> 'paymentId'
    where ended.type in ('PaymentVoided', 'PaymentDeclined') and ended.recorded_at > v_since
      and started.recorded_at < ended.recorded_at - interval '2 minutes' and payment_status <> 'paid'
    union all
    -- A person may undo a step within two minutes before the customer hears of it.
    select told.kind, order_id::text, order_id, updated_at from ledger.order_summary
      join (values ('received', 'rugs-received'), ('ready', 'rugs-ready')) told (stage, kind) using (stage)
    where stage not in ('waiting', 'handed-over') and updated_at > v_since
      and updated_at < clock_timestamp() - interval '2 minutes'
    union all
    select 'difference-request', supplement_id::text, order_id, updated_at from ledger.order_summary
    where supplement_id is not null and updated_at > v_since
    union all
    -- A bank may take weeks to complete a refund. Requests have an index by time.
    select 'refund-notice', refund_id, order_id, settled_at from ledger.refund_history
    where status = 'completed' and settled_at > v_since and requested_at > v_since - interval '60 days'
    union all
    select 'closing-certificate', payload ->> 'closing', null, null from ledger.event
    where stream_id = 'closings' and type = 'PeriodCertified' and recorded_at > v_since
    union all
    -- Few events are in these streams.
    select 'owner-notice', stream_id || '/' || version, null, null from ledger.event
    where stream_id in ('settings', 'accounting', 'resolutions') and recorded_at > v_since
      and type in (
        'OrphanRefundRequested', 'OrphanAssigned', 'OrphanWrittenOff', 'ClearingItemWrittenOff', 'SettingsChanged',
        'AccountsNamed'
      )
    union
    select 'owner-notice', stream_id || '/' || version, null, null
    from ledger.refund_history asked join ledger.event on event.stream_id = 'order-' || asked.order_id
    where asked.requested_at > v_since and recorded_at > v_since
      and event.type in ('RefundRequested', 'CustomerReimbursed')
    union
    -- The types have an index.
    select 'owner-notice', stream_id || '/' || version, null, null from ledger.event
    where type in ('ExternalRefundRecorded', 'ExcessRefundFound') and recorded_at > v_since
    union all
    select told.kind, 'entry/' || entry.id, null, null
    from admin.security_entry entry
      join (
        values
          ('signed-in', 'owner-notice'), ('invitation-made', 'owner-notice'), ('link-made', 'owner-notice'),
          ('password-reset', 'owner-notice'), ('role-changed', 'owner-notice'), ('account-enabled', 'owner-notice'),
          ('second-factor-reset', 'owner-notice'),
          ('signed-in', 'account-notice'), ('link-made', 'account-notice'), ('password-changed', 'account-notice'),
          ('password-reset', 'account-notice'), ('second-factor-added', 'account-notice'),
          ('second-factor-removed', 'account-notice'), ('second-factor-reset', 'account-notice'),
          ('email-changed', 'account-notice')
      ) told (entry_kind, kind) on told.entry_kind = entry.kind
    where entry.at > v_since and entry.username is not null
      and (entry.kind <> 'signed-in' or entry.detail ->> 'newBrowser' = 'true')
  ), judged as (
    select due.kind, due.about, due.order_id,
      case
        when first_time.kind is not null then 'dropped'
        when due.happened_at < v_perhaps_told_until then 'parked'
        else 'open'
      end as state
    from due left join first_time using (kind)
  )
  insert into ledger.mail (kind, about, order_id, state, settled_at, failure)
  select due.kind, due.about, due.order_id, due.state,
    case when due.state <> 'open' then clock_timestamp() end, case when due.state = 'parked' then 'RESTORED' end
  from judged due
  where due.kind = any (p_kinds)
    and not exists (select from ledger.mail known where known.kind = due.kind and known.about = due.about)
  on conflict do nothing;
  get diagnostics v_gathered = row_count;
  return v_gathered;
exception when lock_not_available then
  -- A migration waits for one of these tables while this poll waits for another. The next poll makes up for it.
  return 0;
end
$function$;
grant execute on function ledger.gather_mails to kilim_server;

-- Whether an order and the orders that pay its differences are still at these versions; 0 is an order that was never
-- placed. An append asks in its own statement, and others of the family wait until it ends.
CREATE OR REPLACE FUNCTION ledger.hold_family(p_order_id uuid, p_versions json)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('family-' || p_order_id, 0));
  return not exists (
    select from json_each_text(p_versions) seen
    where seen.value::integer <> coalesce(
      (select summary.version from ledger.order_summary summary where summary.order_id = seen.key::uuid), 0
    )
  );
end
$function$;
grant execute on function ledger.hold_family to kilim_server;

-- Stores the contact of an order. An order keeps its first one.
CREATE OR REPLACE FUNCTION ledger.keep_contact(p_contact json)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_order_id constant uuid := p_contact ->> 'order_id';
begin
  if not exists (
    select from ledger.event
    where event.stream_id = 'order-' || v_order_id and event.version = 1 and event.type = 'OrderPlaced'
  ) then
    raise exception 'There is no order % whose contact could be kept', v_order_id using errcode = 'KLM03';
  end if;
  insert into ledger.customer_contact
  select * from json_populate_record(null::ledger.customer_contact, p_contact)
  on conflict (order_id) do nothing;
  return true;
end
$function$;
grant execute on function ledger.keep_contact to kilim_server;

-- Replaces a finding. The functions below call it.
CREATE OR REPLACE FUNCTION ledger.keep_finding(p_name text, p_report jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if p_report is null or jsonb_typeof(p_report) <> 'object' or octet_length(p_report::text) > 4 * 1024 * 1024 then
    raise exception 'The finding % is not a report', p_name using errcode = 'KLM03';
  end if;
  insert into ledger.finding (name, report) values (p_name, p_report)
  on conflict (name) do update set made_at = clock_timestamp(), report = excluded.report;
end
$function$;

-- False when the notification is known.
CREATE OR REPLACE FUNCTION ledger.keep_hint(p_event_id text, p_event_type text, p_subject text, p_square_id text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  insert into ledger.square_hint (event_id, event_type, subject, square_id)
  values (p_event_id, p_event_type, p_subject, p_square_id)
  on conflict (event_id) do nothing;
  return found;
end
$function$;
grant execute on function ledger.keep_hint to kilim_server;

-- Stores a text once, and only for a refund that the stream requested with a digest.
CREATE OR REPLACE FUNCTION ledger.keep_refund_text(
  p_order_id uuid,
  p_refund_id text,
  p_salt bytea,
  p_reason text,
  p_notes text
)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if not exists (
    select from ledger.event
    where event.stream_id = 'order-' || p_order_id and event.type = 'RefundRequested'
      and event.refund_id = p_refund_id and event.payload::jsonb ? 'textDigest'
  ) then
    raise exception 'The stream of order % has no refund % with a digest of its text', p_order_id, p_refund_id
      using errcode = 'KLM03';
  end if;
  insert into ledger.refund_text (refund_id, order_id, salt, reason, notes)
  values (p_refund_id, p_order_id, p_salt, p_reason, p_notes);
  return true;
end
$function$;
grant execute on function ledger.keep_refund_text to kilim_server;

-- The last position that the sequence of ledger.event gave out.
CREATE OR REPLACE FUNCTION ledger.last_position()
 RETURNS bigint
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN COALESCE(pg_sequence_last_value((pg_get_serial_sequence('ledger.event'::text, 'position'::text))::regclass),
  (0)::bigint);

-- Inserts the entries of a payout, in the transaction that appends its events; calling it for all payouts rebuilds the
-- table. Not written in SQL: a rebuild replaces the table, and an SQL function is bound to the old one, so a call that
-- waits for the rebuild would fail. PL/pgSQL looks the table up after the wait.
CREATE OR REPLACE FUNCTION ledger.list_payout_entries(p_stream_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  insert into ledger.payout_entry (
    entry_id, payout_id, activity, standing, square_payment_id, square_refund_id, square_dispute_id,
    gross_cents, fee_cents, net_cents, effective_at
  )
  select
    entry ->> 'entryId', event.payload ->> 'squarePayoutId', entry ->> 'activity', entry ->> 'standing',
    entry ->> 'squarePaymentId', entry ->> 'squareRefundId', entry ->> 'squareDisputeId',
    (entry ->> 'gross')::bigint, (entry ->> 'fee')::bigint, (entry ->> 'net')::bigint,
    (entry ->> 'effectiveAt')::timestamptz
  from ledger.event, json_array_elements(event.payload -> 'entries') entry
  where event.type = 'PayoutEntriesRecorded' and event.stream_id = p_stream_id
  on conflict (entry_id) do nothing;
end
$function$;
grant execute on function ledger.list_payout_entries to kilim_server;

-- What the jobs of a server wait for, in one look. schema changes with each migration, newest with each event and each
-- entry of the security log. is_settled: no transaction is under way that could still commit an earlier one. An error
-- when a migration keeps a table locked.
CREATE OR REPLACE FUNCTION ledger.look_for_work()
 RETURNS TABLE(has_effects boolean, has_hints boolean, has_mails boolean, settings_version integer, schema text, newest
   text, is_settled boolean, seconds_to_job json)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET lock_timeout TO '100ms'
AS $function$
begin
  return query select
    exists (select from ledger.effect where state = 'open'),
    exists (select from ledger.square_hint where handled_at is null),
    -- As take_mails has it. While a mail waits for another try, only a sent one shows that the mail server works.
    exists (
      select from ledger.mail
      where state = 'open'
        and (due_at <= clock_timestamp() or due_at > clock_timestamp() + interval '2 hours' or failure is not null)
    ),
    coalesce((select version from ledger.event where stream_id = 'settings' order by version desc limit 1), 0),
    concat_ws(' ', (select max(migration.version) from kilim.migration), kilim.oldest_release()),
    concat_ws(
      ' ',
      (
        select concat_ws(' ', epoch, xid, position, event_id) from ledger.event
        order by event.epoch desc, event.xid desc, event.position desc limit 1
      ),
      (select max(id) from admin.security_entry)
    ),
    pg_snapshot_xmin(pg_current_snapshot()) = pg_snapshot_xmax(pg_current_snapshot()),
    (select coalesce(json_object_agg(name, extract(epoch from due_at - clock_timestamp())), '{}') from ledger.job);
end
$function$;
grant execute on function ledger.look_for_work to kilim_server;

-- The money that the events after p_from moved on each day, up to p_to or, if it is null, the newest visible event.
-- Returned orphan payments and refunds above the refundable amount are no refunds of sales, so they do not count.
CREATE OR REPLACE FUNCTION ledger.money_between(p_time_zone text, p_from ledger.day_progress, p_to ledger.day_progress)
 RETURNS TABLE(day date, orders bigint, takings_cents bigint, refunds bigint, refunds_cents bigint, fees_cents bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT ((event.occurred_at AT TIME ZONE money_between.p_time_zone))::date AS timezone,
     count(*) FILTER (WHERE ((event.type = 'PaymentCaptured'::text) AND (NOT (event.stream_id IN ( SELECT
       ('order-'::text || supplement.order_id)
            FROM ledger.order_summary supplement
           WHERE (supplement.supplement_of IS NOT NULL)))))) AS count,
     (COALESCE(sum(event.amount_cents) FILTER (WHERE (event.type = 'PaymentCaptured'::text)), (0)::numeric))::bigint AS
       "coalesce",
     count(*) FILTER (WHERE (event.type = ANY (ARRAY['RefundCompleted'::text, 'ExternalRefundRecorded'::text]))) AS
       count,
     (COALESCE(sum(event.amount_cents) FILTER (WHERE (event.type = ANY (ARRAY['RefundCompleted'::text,
       'ExternalRefundRecorded'::text]))), (0)::numeric))::bigint AS "coalesce",
     (COALESCE(sum(event.amount_cents) FILTER (WHERE (event.type = 'ProcessingFeeAssessed'::text)),
       (0)::numeric))::bigint AS "coalesce"
    FROM ledger.event
   WHERE ((ROW(event.epoch, event.xid, event."position") > ROW((money_between.p_from).epoch, (money_between.p_from).xid,
     (money_between.p_from)."position")) AND (((money_between.p_to).epoch IS NULL) OR (ROW(event.epoch, event.xid,
     event."position") <= ROW((money_between.p_to).epoch, (money_between.p_to).xid, (money_between.p_to)."position")))
     AND (event.type = ANY (ARRAY['PaymentCaptured'::text, 'RefundCompleted'::text, 'ExternalRefundRecorded'::text,
     'ProcessingFeeAssessed'::text])))
   GROUP BY (((event.occurred_at AT TIME ZONE money_between.p_time_zone))::date);
END;
grant execute on function ledger.money_between to kilim_report;
grant execute on function ledger.money_between to kilim_server;

-- The current rows of ledger.money_day from one day to another.
CREATE OR REPLACE FUNCTION ledger.money_days_now(p_time_zone text, p_first date, p_last date)
 RETURNS TABLE(day date, orders bigint, takings_cents bigint, refunds bigint, refunds_cents bigint, fees_cents bigint)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT part.day,
     (sum(part.orders))::bigint AS sum,
     (sum(part.takings_cents))::bigint AS sum,
     (sum(part.refunds))::bigint AS sum,
     (sum(part.refunds_cents))::bigint AS sum,
     (sum(part.fees_cents))::bigint AS sum
    FROM ( SELECT counted.day,
             (counted.orders)::bigint AS orders,
             counted.takings_cents,
             (counted.refunds)::bigint AS refunds,
             counted.refunds_cents,
             counted.fees_cents
            FROM ledger.money_day counted
           WHERE (( SELECT (ledger.counted_to(money_days_now.p_time_zone)).epoch AS epoch) > 0)
         UNION ALL
          SELECT now.day,
             now.orders,
             now.takings_cents,
             now.refunds,
             now.refunds_cents,
             now.fees_cents
            FROM ledger.money_between(money_days_now.p_time_zone, ledger.counted_to(money_days_now.p_time_zone),
              NULL::ledger.day_progress) now(day, orders, takings_cents, refunds, refunds_cents, fees_cents)) part
   WHERE ((part.day >= money_days_now.p_first) AND (part.day <= money_days_now.p_last))
   GROUP BY part.day;
END;
grant execute on function ledger.money_days_now to kilim_report;
grant execute on function ledger.money_days_now to kilim_server;

-- Compares the open faults with those of now. A fault ends when it was not seen for p_quiet, so one that comes and goes
-- is told once. Returns whether a mail became due.
CREATE OR REPLACE FUNCTION ledger.note_alarms(p_alarms json, p_quiet interval)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_now timestamptz := clock_timestamp();
begin
  delete from ledger.alarm where ended_at < v_now - interval '90 days';
  update ledger.alarm set seen_at = v_now, sentence = seen.sentence
  from json_to_recordset(p_alarms) seen (name text, sentence text)
  where alarm.name = seen.name and ended_at is null;
  insert into ledger.alarm (name, began_at, seen_at, sentence)
  select name, v_now, v_now, sentence from json_to_recordset(p_alarms) seen (name text, sentence text)
  on conflict (name) where ended_at is null do nothing;
  update ledger.alarm set ended_at = v_now where ended_at is null and seen_at < v_now - p_quiet;
  insert into ledger.mail (kind, about)
  select 'health-notice', to_char(v_now at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
  where exists (select from ledger.alarm where began_at = v_now or ended_at = v_now);
  return found;
end
$function$;
grant execute on function ledger.note_alarms to kilim_server;

-- The current rows of ledger.order_day. A single SQL statement, as the next two functions are, so that PostgreSQL
-- inlines it into the calling query.
CREATE OR REPLACE FUNCTION ledger.order_days_now(p_time_zone text)
 RETURNS TABLE(day date, payment_status text, refund_status text, delivery_option text, orders bigint)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 WITH touched AS MATERIALIZED (
          SELECT ledger.touched_order_days(order_days_now.p_time_zone) AS days
         )
  SELECT counted.day,
     counted.payment_status,
     counted.refund_status,
     counted.delivery_option,
     (counted.orders)::bigint AS orders
    FROM ledger.order_day counted
   WHERE ((( SELECT (ledger.counted_to(order_days_now.p_time_zone)).epoch AS epoch) > 0) AND (counted.day <> ALL ((
     SELECT touched.days
            FROM touched)::date[])))
 UNION ALL
  SELECT now.day,
     now.payment_status,
     now.refund_status,
     now.delivery_option,
     now.orders
    FROM ledger.count_order_days(order_days_now.p_time_zone, ( SELECT touched.days
            FROM touched)) now(day, payment_status, refund_status, delivery_option, orders);
END;
grant execute on function ledger.order_days_now to kilim_report;
grant execute on function ledger.order_days_now to kilim_server;

-- Orders with events after the last count. Usually one index lookup with a cached plan shows that there are none. Not
-- written in SQL, which PostgreSQL would plan anew for each page of a list.
CREATE OR REPLACE FUNCTION ledger.orders_since(p_from ledger.day_progress)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_newest record;
begin
  select event.epoch, event.xid, event.position into v_newest
  from ledger.event order by event.epoch desc, event.xid desc, event.position desc limit 1;
  if not found
    or (v_newest.epoch, v_newest.xid, v_newest.position) <= (p_from.epoch, p_from.xid, p_from.position)
  then
    return '{}';
  end if;
  return array(
    select distinct substr(event.stream_id, 7)::uuid from ledger.event
    where (event.epoch, event.xid, event.position) > (p_from.epoch, p_from.xid, p_from.position)
      and event.stream_id like 'order-%'
  );
end
$function$;
grant execute on function ledger.orders_since to kilim_report;
grant execute on function ledger.orders_since to kilim_server;

-- Estimates from the statistics how many orders match a query of a single word; 0 for a rare word, for several words,
-- and for a table that was never analyzed. A common word is searched among the newest orders first, because the index
-- would have to collect all matches.
CREATE OR REPLACE FUNCTION ledger.orders_with_common_word(p_query tsquery)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE STRICT SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_word constant text := substring(p_query::text from '^''([^'' ]+)'':\*$');
begin
  if v_word is null then
    return 0;
  end if;
  return coalesce((
    select max(common.share) * (select reltuples from pg_class where oid = 'ledger.customer_contact'::regclass)
    from pg_stats stats,
      unnest(stats.most_common_elems::text::text[], stats.most_common_elem_freqs) as common (word, share)
    where stats.schemaname = 'ledger' and stats.tablename = 'customer_contact_words'
      and starts_with(common.word, v_word)
  ), 0)::bigint;
end
$function$;
grant execute on function ledger.orders_with_common_word to kilim_server;

-- At most p_most orders that match, always by the index. PostgreSQL would choose a sequential scan for many matches,
-- because it ignores that the scan computes the words of every row.
CREATE OR REPLACE FUNCTION ledger.orders_with_words(p_query tsquery, p_most integer)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE STRICT
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
BEGIN ATOMIC
 SELECT contact.order_id
    FROM ledger.customer_contact contact
   WHERE (ledger.contact_words(contact.name, contact.email, contact.phone) @@ orders_with_words.p_query)
  LIMIT orders_with_words.p_most;
END;
grant execute on function ledger.orders_with_words to kilim_server;

-- Leaves a refund that must not be sent to a person. False when another process has taken it over.
CREATE OR REPLACE FUNCTION ledger.park_effect(p_key text, p_fence integer, p_answer text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if p_answer is null or p_answer !~ '^[A-Z_]{1,40}$' then
    raise exception 'Nothing parks an effect because of %', p_answer using errcode = 'KLM03';
  end if;
  update ledger.effect set state = 'parked', answer = p_answer
  where key = p_key and kind = 'refund' and state = 'open' and fence = p_fence;
  return found;
end
$function$;
grant execute on function ledger.park_effect to kilim_server;

-- Leaves effects that are a day old to a person. Returns their keys.
CREATE OR REPLACE FUNCTION ledger.park_old_effects()
 RETURNS SETOF text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 UPDATE ledger.effect SET state = 'parked'::text
   WHERE ((effect.state = 'open'::text) AND (effect.kind <> 'follow_refund'::text) AND (effect.opened_at <
     (clock_timestamp() - '24:00:00'::interval)))
   RETURNING effect.key;
END;
grant execute on function ledger.park_old_effects to kilim_server;

-- Makes a job due after these seconds, at most a day.
CREATE OR REPLACE FUNCTION ledger.postpone_job(p_name text, p_seconds double precision)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if p_seconds is null or p_seconds not between 0 and 86400 then
    raise exception 'The job % cannot wait % s', p_name, p_seconds using errcode = 'KLM03';
  end if;
  update ledger.job set due_at = clock_timestamp() + make_interval(secs => p_seconds) where name = p_name;
end
$function$;
grant execute on function ledger.postpone_job to kilim_server;

-- Lets a mail be tried again after a pause. False when another server has taken it since.
CREATE OR REPLACE FUNCTION ledger.postpone_mail(
  p_kind text,
  p_about text,
  p_tries integer,
  p_failure text,
  p_pause interval
)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update ledger.mail set due_at = clock_timestamp() + p_pause, failure = coalesce(p_failure, failure)
  where kind = p_kind and about = p_about and state = 'open' and tries = p_tries;
  return found;
end
$function$;
grant execute on function ledger.postpone_mail to kilim_server;

-- As ledger.release_effect, and keeps what Square says of it.
CREATE OR REPLACE FUNCTION ledger.put_effect_back(p_key text, p_fence integer, p_wait_seconds integer, p_answer text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if p_answer !~ '^[A-Z_]{1,40}$' then
    raise exception 'Square says nothing like %', p_answer using errcode = 'KLM03';
  end if;
  update ledger.effect set answer = p_answer where key = p_key and state = 'open' and fence = p_fence
    and answer is distinct from p_answer;
  return ledger.release_effect(p_key, p_fence, p_wait_seconds);
end
$function$;
grant execute on function ledger.put_effect_back to kilim_server;

-- Adds a row for the running server. After a restore or promotion, Square is compared with the ledger at once.
CREATE OR REPLACE FUNCTION ledger.record_cluster(p_epoch smallint, p_reason text, p_may_lack_events boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  insert into ledger.cluster (
    sequence, epoch, system_identifier, event_table, timeline, reason, may_lack_events
  )
  select
    coalesce((select max(earlier.sequence) from ledger.cluster earlier), 0) + 1, p_epoch,
    control.system_identifier::text, 'ledger.event'::regclass::oid, ledger.timeline_now(), p_reason, p_may_lack_events
  from pg_control_system() control;
  if p_reason <> 'first' then
    update ledger.job set due_at = clock_timestamp()
    where name in ('reconcile-recent', 'reconcile-weeks', 'compare-books');
  end if;
end
$function$;

-- Records a promotion, or that events which a server had seen are gone. A physical copy keeps its transaction counter,
-- so the epoch stays. Any server may call it. Returns whether it added a row.
CREATE OR REPLACE FUNCTION ledger.record_recovery(p_events_are_gone boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_state text;
begin
  lock table ledger.cluster in share row exclusive mode;
  v_state := ledger.compare_cluster();
  if v_state <> 'promoted' and not (v_state = 'known' and p_events_are_gone) then
    return false;
  end if;
  perform ledger.record_cluster(
    ledger.current_epoch(), case when p_events_are_gone then 'rewound' else 'promoted' end, true
  );
  return true;
end
$function$;
grant execute on function ledger.record_recovery to kilim_server;

-- The current rows of ledger.refund_day.
CREATE OR REPLACE FUNCTION ledger.refund_days_now(p_time_zone text)
 RETURNS TABLE(day date, status text, refunds bigint)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 WITH touched AS MATERIALIZED (
          SELECT ledger.touched_refund_days(refund_days_now.p_time_zone) AS days
         )
  SELECT counted.day,
     counted.status,
     (counted.refunds)::bigint AS refunds
    FROM ledger.refund_day counted
   WHERE ((( SELECT (ledger.counted_to(refund_days_now.p_time_zone)).epoch AS epoch) > 0) AND (counted.day <> ALL ((
     SELECT touched.days
            FROM touched)::date[])))
 UNION ALL
  SELECT now.day,
     now.status,
     now.refunds
    FROM ledger.count_refund_days(refund_days_now.p_time_zone, ( SELECT touched.days
            FROM touched)) now(day, status, refunds);
END;
grant execute on function ledger.refund_days_now to kilim_report;
grant execute on function ledger.refund_days_now to kilim_server;

-- The refund status of the back office. It follows from the amounts alone. PostgreSQL inlines it.
CREATE OR REPLACE FUNCTION ledger.refund_status(
  p_pending_cents bigint,
  p_refunded_cents bigint,
  p_captured_cents bigint
)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_pending_cents > 0) THEN 'pending'::text WHEN (p_refunded_cents = 0) THEN 'none'::text WHEN
  (p_refunded_cents = p_captured_cents) THEN 'full'::text ELSE 'partial'::text END;
grant execute on function ledger.refund_status to kilim_server;

-- What each person has refunded since the day of the instant began: pending and completed refunds, except one.
CREATE OR REPLACE FUNCTION ledger.refunded_on_day(p_at timestamp with time zone, p_time_zone text, p_except text)
 RETURNS TABLE(requested_by text, amount_cents bigint)
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT refund.requested_by,
     (sum(refund.amount_cents))::bigint AS sum
    FROM ledger.refund_history refund
   WHERE ((refund.requested_at >= (date_trunc('day'::text, (refunded_on_day.p_at AT TIME ZONE
     refunded_on_day.p_time_zone)) AT TIME ZONE refunded_on_day.p_time_zone)) AND (refund.origin = 'admin'::text) AND
     (refund.status <> 'failed'::text) AND (refund.refund_id <> refunded_on_day.p_except))
   GROUP BY refund.requested_by;
END;
grant execute on function ledger.refunded_on_day to kilim_server;

-- Keeps a table append-only, also for the owner, whom privileges do not restrict. The triggers are ENABLE ALWAYS,
-- because session_replication_role = replica skips ordinary ones.
CREATE OR REPLACE FUNCTION ledger.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  raise exception '%.% is append-only: % is refused', tg_table_schema, tg_table_name, lower(tg_op)
    using errcode = 'KLM02';
end
$function$;

-- Lets other processes take the effect after these seconds.
CREATE OR REPLACE FUNCTION ledger.release_effect(p_key text, p_fence integer, p_wait_seconds integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if p_wait_seconds is null or p_wait_seconds not between 0 and 3600 then
    raise exception 'An effect cannot wait % s', p_wait_seconds using errcode = 'KLM03';
  end if;
  update ledger.effect set beat = beat + 1, wait_seconds = p_wait_seconds
  where key = p_key and state = 'open' and fence = p_fence;
  return found;
end
$function$;
grant execute on function ledger.release_effect to kilim_server;

-- Lets other processes take the notification after these seconds.
CREATE OR REPLACE FUNCTION ledger.release_hint(p_event_id text, p_wait_seconds integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if p_wait_seconds is null or p_wait_seconds not between 0 and 3600 then
    raise exception 'A notification cannot wait % s', p_wait_seconds using errcode = 'KLM03';
  end if;
  update ledger.square_hint set wait_seconds = p_wait_seconds where event_id = p_event_id and handled_at is null;
  return found;
end
$function$;
grant execute on function ledger.release_hint to kilim_server;

-- Replaces the latest result of a comparison that servers make, or of their own check of the ledger, which stands
-- beside the verification and never replaces it.
CREATE OR REPLACE FUNCTION ledger.remember_comparison(p_name text, p_report jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if p_name is null or p_name not in ('books', 'reconciliation', 'server-check') then
    raise exception 'A server does not make the finding %', p_name using errcode = 'KLM03';
  end if;
  perform ledger.keep_finding(p_name, p_report);
end
$function$;
grant execute on function ledger.remember_comparison to kilim_server;

-- Replaces the latest result of a proof. Servers may not call it: an attacker in a server could otherwise tell people
-- that a changed ledger is whole. The nightly verification is missed when it does not come for 26 hours.
CREATE OR REPLACE FUNCTION ledger.remember_verification(p_report jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  perform ledger.keep_finding('verification', p_report);
  -- current_user is the owner here. The owner and superusers verify by hand; the nightly work has a login of its own.
  if not pg_has_role(session_user, current_user, 'member') then
    perform ledger.beat(
      '{"name": "verify", "limitSeconds": 93600, "meaning": "The nightly check of the records did not run."}', null);
  end if;
end
$function$;
grant execute on function ledger.remember_verification to kilim_verifier;

-- Takes a parked refund. Returns the fence of the new owner; null when the refund is not parked. When its outcome stays
-- unknown, it is parked again within a minute.
CREATE OR REPLACE FUNCTION ledger.reopen_effect(p_key text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_fence integer;
begin
  update ledger.effect set state = 'open', fence = fence + 1, beat = beat + 1
  where key = p_key and state = 'parked' and kind = 'refund'
  returning fence into v_fence;
  return v_fence;
end
$function$;
grant execute on function ledger.reopen_effect to kilim_server;

-- A person asks to send a mail again that was sent or parked.
CREATE OR REPLACE FUNCTION ledger.reopen_mail(p_kind text, p_about text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update ledger.mail
  -- A mail that was sent gets another id, because mail programs hide a second mail with the same one.
  set message_id = case when state = 'sent' then uuidv7() else message_id end,
    state = 'open', tries = 0, opened_at = clock_timestamp(), due_at = clock_timestamp(), settled_at = null
  where kind = p_kind and about = p_about and state in ('sent', 'parked');
  return found;
end
$function$;
grant execute on function ledger.reopen_mail to kilim_server;

-- Converts the text of a search field. All parts must match, each as the beginning of a word. A part with dots or
-- hyphens also matches the beginning of an email address or of its domain. Null, which matches nothing, when the text
-- has no words.
CREATE OR REPLACE FUNCTION ledger.search_query(p_text text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
 WITH typed AS (
          SELECT lower((btrim(search_query.p_text) COLLATE pg_c_utf8)) AS text,
             regexp_replace(search_query.p_text, '[^0-9]+'::text, ''::text, 'g'::text) AS digits
         ), part AS (
          SELECT part_1.text,
             ledger.search_words(part_1.text) AS words
            FROM typed,
             LATERAL regexp_split_to_table(typed.text, '[[:space:]]+'::text) part_1(text)
           WHERE (NOT ((typed.text ~ '^[0-9 ().+-]+$'::text) AND ((length(typed.digits) >= 7) AND (length(typed.digits)
             <= 11))))
         UNION ALL
          SELECT ''::text AS text,
             ARRAY[regexp_replace(typed.digits, '^1(?=[0-9]{10}$)'::text, ''::text)] AS "array"
            FROM typed
           WHERE ((typed.text ~ '^[0-9 ().+-]+$'::text) AND ((length(typed.digits) >= 7) AND (length(typed.digits) <=
             11)))
         )
  SELECT (string_agg(
         CASE
             WHEN (part.text ~~ '%@%'::text) THEN ledger.word_beginning(ltrim(part.text, '@'::text))
             WHEN (cardinality(part.words) = 1) THEN ledger.word_beginning(part.words[1])
             ELSE (((('('::text || ledger.word_beginning(part.text)) || ' | ('::text) || ( SELECT
               string_agg(ledger.word_beginning(word.word), ' & '::text) AS string_agg
                FROM unnest(part.words) word(word))) || '))'::text)
         END, ' & '::text))::tsquery AS string_agg
    FROM part
   WHERE (cardinality(part.words) > 0);
END;
grant execute on function ledger.search_query to kilim_server;

-- The words of a text, in lower case and without accents. The collation is built into PostgreSQL, so all servers return
-- the same words.
CREATE OR REPLACE FUNCTION ledger.search_words(p_text text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN
  array_remove(regexp_split_to_array(translate(replace(replace(replace(replace(lower((regexp_replace(NORMALIZE(p_text,
  NFKD), '[̀-ͯ]'::text, ''::text, 'g'::text) COLLATE pg_c_utf8)), 'ß'::text, 'ss'::text), 'æ'::text, 'ae'::text),
  'œ'::text, 'oe'::text), 'þ'::text, 'th'::text), 'øłđðħı'::text, 'olddhi'::text), '[^[:alnum:]]+'::text), ''::text);
grant execute on function ledger.search_words to kilim_server;

-- Marks a notification as processed, which has to be taken first.
CREATE OR REPLACE FUNCTION ledger.settle_hint(p_event_id text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update ledger.square_hint set handled_at = clock_timestamp()
  where event_id = p_event_id and handled_at is null and tries > 0;
  return found;
end
$function$;
grant execute on function ledger.settle_hint to kilim_server;

-- Ends the work on a mail, for now when it is parked.
CREATE OR REPLACE FUNCTION ledger.settle_mail(p_kind text, p_about text, p_state text, p_failure text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update ledger.mail set state = p_state, settled_at = clock_timestamp(), failure = p_failure
  where kind = p_kind and about = p_about and p_state in ('sent', 'parked', 'dropped')
    -- A server whose lease has ended may still learn that the mail was sent.
    and (state = 'open' or state = 'parked' and p_state in ('sent', 'dropped'));
  return found;
end
$function$;
grant execute on function ledger.settle_mail to kilim_server;

-- The instant at which a day begins in a time zone.
CREATE OR REPLACE FUNCTION ledger.start_of_day(p_day date, p_time_zone text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((p_day)::timestamp without time zone AT TIME ZONE p_time_zone);
grant execute on function ledger.start_of_day to kilim_report;
grant execute on function ledger.start_of_day to kilim_server;

-- False when the effect has changed since (fence, beat) was read.
CREATE OR REPLACE FUNCTION ledger.take_effect(p_key text, p_fence integer, p_beat integer, p_wait_seconds integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if p_wait_seconds is null or p_wait_seconds not between 0 and 60 then
    raise exception 'Nothing holds an effect for % s', p_wait_seconds using errcode = 'KLM03';
  end if;
  update ledger.effect set fence = fence + 1, beat = beat + 1, wait_seconds = p_wait_seconds
  where key = p_key and state = 'open' and fence = p_fence and beat = p_beat;
  return found;
end
$function$;
grant execute on function ledger.take_effect to kilim_server;

-- False when the notification has changed since it was read.
CREATE OR REPLACE FUNCTION ledger.take_hint(
  p_event_id text,
  p_tries integer,
  p_wait_seconds integer,
  p_lease_seconds integer
)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if p_lease_seconds is null or p_lease_seconds not between 0 and 60 then
    raise exception 'Nothing holds a notification for % s', p_lease_seconds using errcode = 'KLM03';
  end if;
  update ledger.square_hint set tries = tries + 1, wait_seconds = p_lease_seconds
  where event_id = p_event_id and handled_at is null and tries = p_tries and wait_seconds = p_wait_seconds;
  return found;
end
$function$;
grant execute on function ledger.take_hint to kilim_server;

-- Whether the caller has to do the job now. It is due again after the interval. A job that is due later than that
-- counts as due, so no caller can switch it off for longer.
CREATE OR REPLACE FUNCTION ledger.take_job(p_name text, p_every_seconds double precision)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if p_name is null or p_name !~ '^[a-z][a-z0-9-]{0,39}$'
    or p_every_seconds is null or p_every_seconds not between 1 and 31 * 86400
  then
    raise exception 'There is no job % every % s', p_name, p_every_seconds using errcode = 'KLM03';
  end if;
  insert into ledger.job (name, due_at)
  values (p_name, clock_timestamp() + make_interval(secs => p_every_seconds))
  on conflict (name) do update set due_at = excluded.due_at
  -- Not excluded.due_at: it is from before a wait for another caller, whose due time would be later.
  where job.due_at not between clock_timestamp() and clock_timestamp() + make_interval(secs => p_every_seconds);
  return found;
end
$function$;
grant execute on function ledger.take_job to kilim_server;

-- Takes the mails that have been due longest. No other server takes them until the lease ends, also when this server
-- dies.
CREATE OR REPLACE FUNCTION ledger.take_mails(p_lease interval, p_most integer)
 RETURNS TABLE(kind text, about text, order_id uuid, message_id uuid, tries integer, age_seconds double precision)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 UPDATE ledger.mail taken SET tries = (taken.tries + 1), due_at = (clock_timestamp() + take_mails.p_lease)
    FROM ( SELECT due.kind,
             due.about
            FROM ledger.mail due
           WHERE ((due.state = 'open'::text) AND ((due.due_at <= clock_timestamp()) OR (due.due_at > (clock_timestamp()
             + '02:00:00'::interval))))
           ORDER BY due.due_at
          LIMIT take_mails.p_most
          FOR UPDATE OF due SKIP LOCKED) next
   WHERE ((taken.kind = next.kind) AND (taken.about = next.about))
   RETURNING taken.kind,
     taken.about,
     taken.order_id,
     taken.message_id,
     taken.tries,
     (EXTRACT(epoch FROM (clock_timestamp() - taken.opened_at)))::double precision AS "extract";
END;
grant execute on function ledger.take_mails to kilim_server;

-- The timeline that the server writes. pg_control_checkpoint shows it only after the first checkpoint that follows a
-- promotion. It fails on a standby.
CREATE OR REPLACE FUNCTION ledger.timeline_now()
 RETURNS integer
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN ((('x'::text || "left"(pg_walfile_name(pg_current_wal_insert_lsn()), 8)))::bit(32))::integer;

-- Days of orders with events after the last count.
CREATE OR REPLACE FUNCTION ledger.touched_order_days(p_time_zone text)
 RETURNS date[]
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT ARRAY( SELECT DISTINCT ((summary.placed_at AT TIME ZONE touched_order_days.p_time_zone))::date AS timezone
            FROM ledger.order_summary summary
           WHERE (summary.order_id = ANY (ledger.orders_since(ledger.counted_to(touched_order_days.p_time_zone))))) AS
             "array";
END;
grant execute on function ledger.touched_order_days to kilim_report;
grant execute on function ledger.touched_order_days to kilim_server;

-- Days of the refunds of orders with events after the last count.
CREATE OR REPLACE FUNCTION ledger.touched_refund_days(p_time_zone text)
 RETURNS date[]
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT ARRAY( SELECT DISTINCT ((refund.requested_at AT TIME ZONE touched_refund_days.p_time_zone))::date AS timezone
            FROM ledger.refund_history refund
           WHERE (refund.order_id = ANY (ledger.orders_since(ledger.counted_to(touched_refund_days.p_time_zone))))) AS
             "array";
END;
grant execute on function ledger.touched_refund_days to kilim_report;
grant execute on function ledger.touched_refund_days to kilim_server;

-- The part of a tsquery that matches words with this beginning.
CREATE OR REPLACE FUNCTION ledger.word_beginning(p_word text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((''''::text || replace(replace("left"(p_word, 300), '\'::text, '\\'::text), ''''::text, ''''''::text)) ||
  ''':*'::text);
grant execute on function ledger.word_beginning to kilim_server;

-- Inserts the events of one command at the head of their stream and chains the hashes. Only the append functions call
-- it, after they have locked the head. Types, refund ids and payloads are texts with one line per event: splitting
-- lines costs a fifth of reading an array, in which every quotation mark is escaped. Canonical JSON escapes line feeds,
-- so no payload contains one.
CREATE OR REPLACE FUNCTION ledger.write_events(
  p_stream_id text,
  p_expected_version integer,
  p_command_id text,
  p_actor text,
  p_request_id text,
  p_occurred_at timestamp with time zone,
  p_types text,
  p_schema_versions smallint[],
  p_refund_ids text,
  p_amounts_cents bigint[],
  p_payloads text
)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_event ledger.event;
  v_types constant text[] := string_to_array(p_types, E'\n');
  v_refund_ids constant text[] := string_to_array(p_refund_ids, E'\n', '');
  v_payloads constant text[] := string_to_array(p_payloads, E'\n');
  v_texts constant text := p_command_id || p_actor || coalesce(p_request_id, '');
begin
  -- Line feeds separate the hashed fields, so no field may contain one.
  if strpos(v_texts, E'\n') > 0 or strpos(v_texts || p_types || p_refund_ids, E'\r') > 0
    or '' = any (v_types) or 0 >= any (p_schema_versions)
    or cardinality(v_types) <> cardinality(p_schema_versions)
    or cardinality(v_payloads) <> cardinality(p_schema_versions)
  then
    raise exception 'What is appended to % is no event', p_stream_id using errcode = 'KLM03';
  end if;
  v_event.stream_id := p_stream_id;
  v_event.command_id := p_command_id;
  v_event.actor := p_actor;
  v_event.request_id := p_request_id;
  v_event.occurred_at := p_occurred_at;
  if p_expected_version = 0 then
    v_event.hash := '\x0000000000000000000000000000000000000000000000000000000000000000';
  else
    select event.hash into v_event.hash from ledger.event
    where event.stream_id = p_stream_id and event.version = p_expected_version;
    if not found then
      raise exception 'The stream % has no version %', p_stream_id, p_expected_version using errcode = 'KLM03';
    end if;
  end if;

  for i in 1 .. cardinality(v_types) loop
    v_event.version := p_expected_version + i;
    v_event.event_id := uuidv7();
    v_event.type := v_types[i];
    v_event.schema_version := p_schema_versions[i];
    v_event.refund_id := v_refund_ids[i];
    v_event.amount_cents := p_amounts_cents[i];
    v_event.currency := case when p_amounts_cents[i] is null then null else 'USD' end;
    v_event.recorded_at := clock_timestamp();
    v_event.payload := v_payloads[i]::json;
    v_event.previous_hash := v_event.hash;
    v_event.hash := ledger.event_hash(v_event);
    insert into ledger.event (
      stream_id, version, event_id, command_id, type, schema_version, refund_id, amount_cents, currency, actor,
      request_id, occurred_at, recorded_at, payload, previous_hash, hash
    ) values (
      v_event.stream_id, v_event.version, v_event.event_id, v_event.command_id, v_event.type, v_event.schema_version,
      v_event.refund_id, v_event.amount_cents, v_event.currency, v_event.actor, v_event.request_id,
      v_event.occurred_at, v_event.recorded_at, v_event.payload, v_event.previous_hash, v_event.hash
    );
  end loop;
end
$function$;

-- False when there is no such order, or when it has 200 notes already.
CREATE OR REPLACE FUNCTION ledger.write_order_note(p_order_id uuid, p_text text, p_by text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  insert into ledger.order_note (order_id, text, written_by)
  select order_id, p_text, p_by from ledger.order_summary
  where order_id = p_order_id
    and (select count(*) from ledger.order_note written where written.order_id = p_order_id) < 200;
  return found;
end
$function$;
grant execute on function ledger.write_order_note to kilim_server;
