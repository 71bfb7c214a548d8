-- Written by `npm run schema` from the migrations. Do not edit.

-- Roles

create role kilim_app nologin;

create role kilim_report nologin;

-- Schemas

create schema admin;
grant usage on schema admin to kilim_app;

create schema image;
grant usage on schema image to kilim_app;

create schema kilim;
grant usage on schema kilim to kilim_app;

create schema ledger;
grant usage on schema ledger to kilim_app;
grant usage on schema ledger to kilim_report;

-- Types

create type ledger.next_summary as (version integer, payment_id text, square_payment_id text, payment_status text, delivery_option text, rug_count integer, total_cents bigint, captured_cents bigint, refund_pending_cents bigint, refunded_cents bigint, fee_cents bigint, dispute_status text, placed_at timestamp with time zone, paid_at timestamp with time zone, updated_at timestamp with time zone);

-- Tables and sequences

create table admin.account (
  username text collate "C" not null,
  password_hash text not null,
  password_changed_at timestamp with time zone not null default clock_timestamp(),
  created_at timestamp with time zone not null default clock_timestamp()
);
alter table admin.account add constraint account_password_hash_check CHECK ((password_hash ~~ '$argon2id$%'::text));
alter table admin.account add constraint account_username_check CHECK ((username ~ '^[a-z0-9][a-z0-9._@-]{0,63}$'::text));
alter table admin.account add constraint account_pkey PRIMARY KEY (username);
grant insert on table admin.account to kilim_app;
grant select on table admin.account to kilim_app;
grant update (password_hash) on table admin.account to kilim_app;
grant update (password_changed_at) on table admin.account to kilim_app;

create table admin.export_token (
  id uuid not null default uuidv7(),
  token_hash bytea not null,
  name text not null,
  created_by text collate "C" not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  used_at timestamp with time zone,
  revoked_at timestamp with time zone
);
alter table admin.export_token add constraint export_token_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)));
alter table admin.export_token add constraint export_token_token_hash_check CHECK ((length(token_hash) = 32));
alter table admin.export_token add constraint export_token_created_by_fkey FOREIGN KEY (created_by) REFERENCES admin.account(username);
alter table admin.export_token add constraint export_token_pkey PRIMARY KEY (id);
alter table admin.export_token add constraint export_token_token_hash_key UNIQUE (token_hash);
grant insert on table admin.export_token to kilim_app;
grant select on table admin.export_token to kilim_app;
grant update (used_at) on table admin.export_token to kilim_app;
grant update (revoked_at) on table admin.export_token to kilim_app;

create table admin.known_browser (
  token_hash bytea not null,
  username text collate "C" not null,
  used_at timestamp with time zone not null default clock_timestamp()
);
alter table admin.known_browser add constraint known_browser_token_hash_check CHECK ((length(token_hash) = 32));
alter table admin.known_browser add constraint known_browser_username_fkey FOREIGN KEY (username) REFERENCES admin.account(username);
alter table admin.known_browser add constraint known_browser_pkey PRIMARY KEY (token_hash);
grant delete on table admin.known_browser to kilim_app;
grant insert on table admin.known_browser to kilim_app;
grant select on table admin.known_browser to kilim_app;
grant update (used_at) on table admin.known_browser to kilim_app;

create table admin.session (
  id uuid not null default uuidv7(),
  token_hash bytea not null,
  username text collate "C" not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  seen_at timestamp with time zone not null default clock_timestamp(),
  authenticated_at timestamp with time zone not null default clock_timestamp(),
  proof_hash bytea,
  address text not null,
  user_agent text not null
) with (fillfactor=80);
alter table admin.session add constraint session_proof_hash_check CHECK ((length(proof_hash) = 32));
alter table admin.session add constraint session_token_hash_check CHECK ((length(token_hash) = 32));
alter table admin.session add constraint session_username_fkey FOREIGN KEY (username) REFERENCES admin.account(username);
alter table admin.session add constraint session_pkey PRIMARY KEY (id);
alter table admin.session add constraint session_token_hash_key UNIQUE (token_hash);
CREATE INDEX session_of_account ON admin.session USING btree (username);
grant delete on table admin.session to kilim_app;
grant insert on table admin.session to kilim_app;
grant select on table admin.session to kilim_app;
grant update (token_hash) on table admin.session to kilim_app;
grant update (seen_at) on table admin.session to kilim_app;
grant update (authenticated_at) on table admin.session to kilim_app;
grant update (proof_hash) on table admin.session to kilim_app;

create table image.kept (
  hash bytea not null,
  bytes bytea not null,
  kept_at timestamp with time zone not null default clock_timestamp()
);
alter table image.kept add constraint kept_bytes_check CHECK (((octet_length(bytes) >= 1) AND (octet_length(bytes) <= ((5 * 1024) * 1024))));
alter table image.kept add constraint kept_check CHECK ((hash = sha256(bytes)));
alter table image.kept add constraint kept_pkey PRIMARY KEY (hash);
grant insert on table image.kept to kilim_app;
grant select on table image.kept to kilim_app;

create table kilim.migration (
  version bigint not null,
  name text,
  md5 text,
  run_at timestamp with time zone
);
alter table kilim.migration add constraint migration_pkey PRIMARY KEY (version);
grant select on table kilim.migration to kilim_app;

create unlogged table kilim.throttle (
  key text collate "C" not null,
  points integer not null,
  expire bigint
) with (fillfactor=50);
alter table kilim.throttle add constraint throttle_pkey PRIMARY KEY (key);
grant delete on table kilim.throttle to kilim_app;
grant insert on table kilim.throttle to kilim_app;
grant select on table kilim.throttle to kilim_app;
grant update on table kilim.throttle to kilim_app;

create table ledger.checkpoint (
  sequence integer not null,
  from_epoch smallint not null,
  from_xid xid8 not null,
  epoch smallint not null,
  xid xid8 not null,
  events bigint not null,
  root bytea not null,
  note text not null,
  sealed_at timestamp with time zone not null default clock_timestamp()
);
alter table ledger.checkpoint add constraint checkpoint_events_check CHECK ((events > 0));
alter table ledger.checkpoint add constraint checkpoint_root_check CHECK ((length(root) = 32));
alter table ledger.checkpoint add constraint checkpoint_sequence_check CHECK ((sequence > 0));
alter table ledger.checkpoint add constraint checkpoint_pkey PRIMARY KEY (sequence);
CREATE TRIGGER checkpoint_is_append_only BEFORE DELETE OR UPDATE ON ledger.checkpoint FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
alter table ledger.checkpoint enable always trigger checkpoint_is_append_only;
CREATE TRIGGER checkpoint_is_never_truncated BEFORE TRUNCATE ON ledger.checkpoint FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
alter table ledger.checkpoint enable always trigger checkpoint_is_never_truncated;
grant select on table ledger.checkpoint to kilim_app;
grant select on table ledger.checkpoint to kilim_report;
grant insert (sequence) on table ledger.checkpoint to kilim_app;
grant insert (from_epoch) on table ledger.checkpoint to kilim_app;
grant insert (from_xid) on table ledger.checkpoint to kilim_app;
grant insert (epoch) on table ledger.checkpoint to kilim_app;
grant insert (xid) on table ledger.checkpoint to kilim_app;
grant insert (events) on table ledger.checkpoint to kilim_app;
grant insert (root) on table ledger.checkpoint to kilim_app;
grant insert (note) on table ledger.checkpoint to kilim_app;

create table ledger.command (
  command_id text collate "C" not null,
  request_hash bytea not null,
  stream_id text collate "C" not null,
  from_version integer not null,
  to_version integer not null,
  recorded_at timestamp with time zone not null default clock_timestamp()
);
alter table ledger.command add constraint command_pkey PRIMARY KEY (command_id);
CREATE TRIGGER command_is_append_only BEFORE DELETE OR UPDATE ON ledger.command FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
alter table ledger.command enable always trigger command_is_append_only;
CREATE TRIGGER command_is_never_truncated BEFORE TRUNCATE ON ledger.command FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
alter table ledger.command enable always trigger command_is_never_truncated;
grant select on table ledger.command to kilim_app;

create table ledger.customer_contact (
  order_id uuid not null,
  salt bytea not null,
  name text not null,
  email text not null,
  phone text not null,
  street text,
  city text,
  state text,
  zip_code text,
  receipt_token_hash bytea not null
);
alter table ledger.customer_contact add constraint customer_contact_receipt_token_hash_check CHECK ((length(receipt_token_hash) = 32));
alter table ledger.customer_contact add constraint customer_contact_salt_check CHECK ((length(salt) = 16));
alter table ledger.customer_contact add constraint customer_contact_pkey PRIMARY KEY (order_id);
CREATE INDEX customer_contact_words ON ledger.customer_contact USING gin (ledger.contact_words(name, email, phone));
grant select on table ledger.customer_contact to kilim_app;

create table ledger.day_progress (
  only_row boolean not null default true,
  time_zone text not null,
  epoch smallint not null,
  xid xid8 not null,
  "position" bigint not null
);
alter table ledger.day_progress add constraint day_progress_only_row_check CHECK (only_row);
alter table ledger.day_progress add constraint day_progress_pkey PRIMARY KEY (only_row);
grant select on table ledger.day_progress to kilim_app;
grant select on table ledger.day_progress to kilim_report;

create table ledger.effect (
  key text collate "C" not null,
  order_id uuid not null,
  payment_id text collate "C" not null,
  kind text collate "C" not null,
  state text collate "C" not null default 'open'::text,
  opened_at timestamp with time zone not null default clock_timestamp(),
  refund_id text collate "C",
  fence integer not null default 0,
  beat integer not null default 0,
  wait_seconds integer not null
) with (fillfactor=80);
alter table ledger.effect add constraint effect_fence_check CHECK ((fence >= 0));
alter table ledger.effect add constraint effect_kind_check CHECK ((kind = ANY (ARRAY['charge'::text, 'refund'::text, 'follow_refund'::text])));
alter table ledger.effect add constraint effect_of_refund_names_it CHECK (((refund_id IS NULL) = (kind = 'charge'::text)));
alter table ledger.effect add constraint effect_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text, 'parked'::text])));
alter table ledger.effect add constraint effect_wait_seconds_check CHECK ((wait_seconds >= 0));
alter table ledger.effect add constraint effect_pkey PRIMARY KEY (key);
CREATE INDEX effect_open ON ledger.effect USING btree (opened_at) WHERE (state = 'open'::text);
CREATE INDEX effect_parked ON ledger.effect USING btree (opened_at) WHERE (state = 'parked'::text);
grant select on table ledger.effect to kilim_app;
grant update (state) on table ledger.effect to kilim_app;
grant update (fence) on table ledger.effect to kilim_app;
grant update (beat) on table ledger.effect to kilim_app;
grant update (wait_seconds) on table ledger.effect to kilim_app;

create table ledger.event (
  "position" bigint not null generated always as identity,
  epoch smallint not null default 1,
  xid xid8 not null default pg_current_xact_id(),
  stream_id text collate "C" not null,
  version integer not null,
  event_id uuid not null default uuidv7(),
  command_id text collate "C" not null,
  type text collate "C" not null,
  schema_version smallint not null,
  refund_id text collate "C",
  amount_cents bigint,
  currency character(3),
  actor text collate "C" not null,
  request_id text collate "C",
  occurred_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null default clock_timestamp(),
  payload json not null,
  previous_hash bytea not null,
  hash bytea not null
);
alter table ledger.event add constraint event_pkey PRIMARY KEY (stream_id, version);
CREATE INDEX event_occurred ON ledger.event USING brin (occurred_at);
CREATE INDEX event_rare_money ON ledger.event USING btree (type) INCLUDE (amount_cents) WHERE (type = ANY (ARRAY['DisputeOpened'::text, 'DisputeClosed'::text, 'ExternalRefundRecorded'::text, 'ExcessRefundFound'::text, 'OrphanPaymentFound'::text, 'OrphanPaymentReturned'::text, 'PayoutEntriesRecorded'::text, 'PayoutRecorded'::text, 'PayoutPaid'::text, 'PayoutFailed'::text]));
CREATE INDEX event_reading_order ON ledger.event USING btree (epoch, xid, "position");
CREATE INDEX event_refund ON ledger.event USING btree (refund_id) WHERE (refund_id IS NOT NULL);
CREATE TRIGGER event_is_append_only BEFORE DELETE OR UPDATE ON ledger.event FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
alter table ledger.event enable always trigger event_is_append_only;
CREATE TRIGGER event_is_never_truncated BEFORE TRUNCATE ON ledger.event FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
alter table ledger.event enable always trigger event_is_never_truncated;
grant select on table ledger.event to kilim_app;
grant select on table ledger.event to kilim_report;

create table ledger.finding (
  name text collate "C" not null,
  made_at timestamp with time zone not null default clock_timestamp(),
  report jsonb not null
);
alter table ledger.finding add constraint finding_name_check CHECK ((name = ANY (ARRAY['books'::text, 'reconciliation'::text, 'verification'::text])));
alter table ledger.finding add constraint finding_pkey PRIMARY KEY (name);
grant insert on table ledger.finding to kilim_app;
grant select on table ledger.finding to kilim_app;
grant update (made_at) on table ledger.finding to kilim_app;
grant update (report) on table ledger.finding to kilim_app;

create table ledger.job (
  name text collate "C" not null,
  due_at timestamp with time zone not null
);
alter table ledger.job add constraint job_pkey PRIMARY KEY (name);
grant insert on table ledger.job to kilim_app;
grant select on table ledger.job to kilim_app;
grant update (due_at) on table ledger.job to kilim_app;

create table ledger.money_day (
  day date not null,
  orders integer not null,
  takings_cents bigint not null,
  refunds integer not null,
  refunds_cents bigint not null,
  fees_cents bigint not null
);
alter table ledger.money_day add constraint money_day_pkey PRIMARY KEY (day);
grant select on table ledger.money_day to kilim_app;
grant select on table ledger.money_day to kilim_report;

create table ledger.order_day (
  day date not null,
  payment_status text collate "C" not null,
  refund_status text collate "C" not null,
  delivery_option text collate "C" not null,
  orders integer not null
);
alter table ledger.order_day add constraint order_day_orders_check CHECK ((orders > 0));
alter table ledger.order_day add constraint order_day_pkey PRIMARY KEY (day, payment_status, refund_status, delivery_option);
CREATE INDEX order_day_with_refund ON ledger.order_day USING btree (refund_status, payment_status) WHERE (refund_status <> 'none'::text);
grant select on table ledger.order_day to kilim_app;
grant select on table ledger.order_day to kilim_report;

create table ledger.order_summary (
  order_id uuid not null,
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
  refundable_cents bigint not null,
  placed_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  fee_cents bigint not null default 0,
  dispute_status text collate "C" not null default 'none'::text,
  refund_status text collate "C" not null
) with (fillfactor=80);
alter table ledger.order_summary add constraint order_summary_never_more_out_than_in CHECK ((((refund_pending_cents + refunded_cents) <= captured_cents) AND (captured_cents <= total_cents)));
alter table ledger.order_summary add constraint order_summary_pkey PRIMARY KEY (order_id);
alter table ledger.order_summary add constraint order_summary_payment_id_key UNIQUE (payment_id);
CREATE INDEX order_summary_last_eight ON ledger.order_summary USING btree ("right"((order_id)::text, 8));
CREATE INDEX order_summary_newest_first ON ledger.order_summary USING btree (placed_at DESC, order_id DESC);
CREATE INDEX order_summary_paid ON ledger.order_summary USING btree (paid_at) WHERE (payment_status = 'paid'::text);
CREATE INDEX order_summary_square_payment ON ledger.order_summary USING btree (square_payment_id);
CREATE INDEX order_summary_with_refund ON ledger.order_summary USING btree (refund_status, placed_at DESC, order_id DESC) WHERE (refund_status <> 'none'::text);
grant select on table ledger.order_summary to kilim_app;
grant select on table ledger.order_summary to kilim_report;

create table ledger.payout_entry (
  entry_id text collate "C" not null,
  payout_id text collate "C" not null,
  activity text collate "C" not null,
  standing text collate "C" not null,
  square_payment_id text collate "C",
  square_refund_id text collate "C",
  square_dispute_id text collate "C",
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  effective_at timestamp with time zone
);
alter table ledger.payout_entry add constraint payout_entry_adds_up CHECK ((net_cents = (gross_cents - fee_cents)));
alter table ledger.payout_entry add constraint payout_entry_pkey PRIMARY KEY (entry_id);
CREATE INDEX payout_entry_not_of_orders ON ledger.payout_entry USING btree (standing) WHERE (standing <> 'order'::text);
CREATE INDEX payout_entry_of_payment ON ledger.payout_entry USING btree (square_payment_id) WHERE (square_payment_id IS NOT NULL);
CREATE INDEX payout_entry_of_payout ON ledger.payout_entry USING btree (payout_id);
CREATE INDEX payout_entry_of_refund ON ledger.payout_entry USING btree (square_refund_id) WHERE (square_refund_id IS NOT NULL);
grant select on table ledger.payout_entry to kilim_app;
grant select on table ledger.payout_entry to kilim_report;

create table ledger.refund_day (
  day date not null,
  status text collate "C" not null,
  refunds integer not null
);
alter table ledger.refund_day add constraint refund_day_refunds_check CHECK ((refunds > 0));
alter table ledger.refund_day add constraint refund_day_pkey PRIMARY KEY (day, status);
grant select on table ledger.refund_day to kilim_app;
grant select on table ledger.refund_day to kilim_report;

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
  notes text,
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
  settled_at timestamp with time zone
) with (fillfactor=80);
alter table ledger.refund_history add constraint refund_history_amount_cents_check CHECK ((amount_cents > 0));
alter table ledger.refund_history add constraint refund_history_delivery_minimum_cents_check CHECK ((delivery_minimum_cents >= 0));
alter table ledger.refund_history add constraint refund_history_origin_check CHECK ((origin = ANY (ARRAY['admin'::text, 'square-dashboard'::text])));
alter table ledger.refund_history add constraint refund_history_refund_type_check CHECK ((refund_type = ANY (ARRAY['full'::text, 'partial'::text])));
alter table ledger.refund_history add constraint refund_history_split_is_the_amount CHECK ((((((services_cents + add_ons_cents) + delivery_cents) + minimum_cents) + sales_tax_cents) = amount_cents));
alter table ledger.refund_history add constraint refund_history_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text, 'failed'::text])));
alter table ledger.refund_history add constraint refund_history_pkey PRIMARY KEY (refund_id);
alter table ledger.refund_history add constraint refund_history_square_refund_id_key UNIQUE (square_refund_id);
CREATE INDEX refund_history_newest_first ON ledger.refund_history USING btree (requested_at DESC, refund_id DESC);
CREATE INDEX refund_history_of_order ON ledger.refund_history USING btree (order_id);
CREATE INDEX refund_history_unsettled ON ledger.refund_history USING btree (status, requested_at DESC, refund_id DESC) WHERE (status <> 'completed'::text);
grant select on table ledger.refund_history to kilim_app;
grant select on table ledger.refund_history to kilim_report;

create table ledger.square_hint (
  event_id text collate "C" not null,
  event_type text collate "C" not null,
  subject text collate "C" not null,
  square_id text collate "C" not null,
  received_at timestamp with time zone not null default clock_timestamp(),
  handled_at timestamp with time zone,
  tries integer not null default 0,
  wait_seconds integer not null default 0
) with (fillfactor=80);
alter table ledger.square_hint add constraint square_hint_event_id_check CHECK ((event_id ~ '^[!-~]{1,100}$'::text));
alter table ledger.square_hint add constraint square_hint_event_type_check CHECK ((event_type ~ '^[!-~]{1,100}$'::text));
alter table ledger.square_hint add constraint square_hint_square_id_check CHECK ((square_id ~ '^[A-Za-z0-9_-]{1,255}$'::text));
alter table ledger.square_hint add constraint square_hint_subject_check CHECK ((subject = ANY (ARRAY['payment'::text, 'refund'::text, 'dispute'::text, 'payout'::text])));
alter table ledger.square_hint add constraint square_hint_wait_seconds_check CHECK ((wait_seconds >= 0));
alter table ledger.square_hint add constraint square_hint_pkey PRIMARY KEY (event_id);
CREATE INDEX square_hint_open ON ledger.square_hint USING btree (received_at) WHERE (handled_at IS NULL);
grant select on table ledger.square_hint to kilim_app;
grant insert (event_id) on table ledger.square_hint to kilim_app;
grant insert (event_type) on table ledger.square_hint to kilim_app;
grant insert (subject) on table ledger.square_hint to kilim_app;
grant insert (square_id) on table ledger.square_hint to kilim_app;
grant update (handled_at) on table ledger.square_hint to kilim_app;
grant update (tries) on table ledger.square_hint to kilim_app;
grant update (wait_seconds) on table ledger.square_hint to kilim_app;

-- Functions

CREATE OR REPLACE FUNCTION ledger.append_to_order(p_order_id uuid, p_expected_version integer, p_command_id text, p_request_hash bytea, p_actor text, p_request_id text, p_occurred_at timestamp with time zone, p_types text, p_schema_versions smallint[], p_refund_ids text, p_amounts_cents bigint[], p_payloads text, p_next ledger.next_summary, p_refunds json, p_contact json, p_open_effects json, p_close_effects text[])
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_stream_id constant text := 'order-' || p_order_id;
  v_last constant integer := p_expected_version + cardinality(p_schema_versions);
  v_written integer;
  v_done text;
begin
  if cardinality(p_schema_versions) = 0 or p_next.version <> v_last
    or p_next.payment_status not in ('unpaid', 'processing', 'paid', 'declined', 'voided')
    or p_next.delivery_option not in ('dropoff', 'pickup')
    or p_next.dispute_status not in ('none', 'open', 'won', 'lost', 'accepted')
    or p_next.rug_count < 1
    or least(p_next.captured_cents, p_next.refund_pending_cents, p_next.refunded_cents) < 0
  then
    raise exception 'The summary of % is not the one that follows these events', v_stream_id using errcode = 'KLM03';
  end if;

  -- The head of the stream is guarded first, so that a loser draws no position.
  if p_expected_version = 0 then
    insert into ledger.order_summary (
      order_id, version, payment_id, square_payment_id, payment_status, delivery_option, rug_count, total_cents,
      captured_cents, refund_pending_cents, refunded_cents, refundable_cents, refund_status, fee_cents, dispute_status,
      placed_at, paid_at, updated_at
    ) values (
      p_order_id, p_next.version, p_next.payment_id, p_next.square_payment_id, p_next.payment_status,
      p_next.delivery_option, p_next.rug_count, p_next.total_cents, p_next.captured_cents, p_next.refund_pending_cents,
      p_next.refunded_cents, p_next.captured_cents - p_next.refund_pending_cents - p_next.refunded_cents,
      ledger.refund_status(p_next.refund_pending_cents, p_next.refunded_cents, p_next.captured_cents),
      p_next.fee_cents, p_next.dispute_status, p_next.placed_at, p_next.paid_at, p_next.updated_at
    );
  else
    update ledger.order_summary set
      version = p_next.version,
      payment_id = p_next.payment_id,
      square_payment_id = p_next.square_payment_id,
      payment_status = p_next.payment_status,
      captured_cents = p_next.captured_cents,
      refund_pending_cents = p_next.refund_pending_cents,
      refunded_cents = p_next.refunded_cents,
      refundable_cents = p_next.captured_cents - p_next.refund_pending_cents - p_next.refunded_cents,
      refund_status = ledger.refund_status(p_next.refund_pending_cents, p_next.refunded_cents, p_next.captured_cents),
      fee_cents = p_next.fee_cents,
      dispute_status = p_next.dispute_status,
      paid_at = p_next.paid_at,
      updated_at = p_next.updated_at
    where order_summary.order_id = p_order_id and order_summary.version = p_expected_version;
    if not found then
      return false;
    end if;
  end if;

  insert into ledger.command (command_id, request_hash, stream_id, from_version, to_version)
  values (p_command_id, p_request_hash, v_stream_id, p_expected_version + 1, v_last);

  -- An assignment, because `perform` would run a statement to call it.
  v_done := ledger.write_events(
    v_stream_id, p_expected_version, p_command_id, p_actor, p_request_id, p_occurred_at,
    p_types, p_schema_versions, p_refund_ids, p_amounts_cents, p_payloads
  );

  if p_refunds is not null then
    insert into ledger.refund_history
    select * from json_populate_recordset(null::ledger.refund_history, p_refunds)
    on conflict (refund_id) do update set
      square_refund_id = excluded.square_refund_id,
      status = excluded.status,
      failure_code = excluded.failure_code,
      settled_at = excluded.settled_at
    where refund_history.order_id = p_order_id;
    get diagnostics v_written = row_count;
    if v_written <> json_array_length(p_refunds) then
      raise exception 'A refund of % belongs to another order', v_stream_id using errcode = 'KLM03';
    end if;
  end if;
  if p_contact is not null then
    insert into ledger.customer_contact
    select * from json_populate_record(null::ledger.customer_contact, p_contact)
    on conflict (order_id) do nothing;
  end if;
  if p_close_effects is not null then
    update ledger.effect set state = 'done' where effect.key = any (p_close_effects);
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
grant execute on function ledger.append_to_order(uuid,integer,text,bytea,text,text,timestamp with time zone,text,smallint[],text,bigint[],text,ledger.next_summary,json,json,json,text[]) to kilim_app;

CREATE OR REPLACE FUNCTION ledger.append_to_stream(p_stream_id text, p_expected_version integer, p_command_id text, p_request_hash bytea, p_actor text, p_request_id text, p_occurred_at timestamp with time zone, p_types text, p_schema_versions smallint[], p_amounts_cents bigint[], p_payloads text)
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
  -- These streams have no row to guard their head, and are written a few times a day: whoever appends to one waits for the other.
  perform pg_advisory_xact_lock(hashtextextended(p_stream_id, 0));
  if p_expected_version <> (
    select coalesce(max(event.version), 0) from ledger.event where event.stream_id = p_stream_id
  ) then
    return false;
  end if;

  insert into ledger.command (command_id, request_hash, stream_id, from_version, to_version)
  values (
    p_command_id, p_request_hash, p_stream_id, p_expected_version + 1, p_expected_version + cardinality(p_schema_versions)
  );
  v_done := ledger.write_events(
    p_stream_id, p_expected_version, p_command_id, p_actor, p_request_id, p_occurred_at,
    p_types, p_schema_versions, '', p_amounts_cents, p_payloads
  );
  return true;
end
$function$;
grant execute on function ledger.append_to_stream(text,integer,text,bytea,text,text,timestamp with time zone,text,smallint[],bigint[],text) to kilim_app;

CREATE OR REPLACE FUNCTION ledger.contact_words(p_name text, p_email text, p_phone text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(array_remove(((ledger.search_words("left"(COALESCE(p_name, ''::text), 200)) || ledger.search_words("left"(split_part(COALESCE(p_email, ''::text), '@'::text, 1), 200))) || ARRAY["left"(lower((COALESCE(p_email, ''::text) COLLATE pg_c_utf8)), 300), "left"(lower((split_part(COALESCE(p_email, ''::text), '@'::text, 2) COLLATE pg_c_utf8)), 300), "left"(COALESCE(p_phone, ''::text), 30)]), ''::text));
grant execute on function ledger.contact_words(text,text,text) to kilim_app;

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

  -- Where to stop is fixed first: below the oldest transaction that still runs nothing is added any more, so the statements that follow
  -- all see the same events. A transaction counter of before a restore says nothing about those that run now.
  select count(*) into v_events from (
    select from ledger.event
    where (event.epoch, event.xid, event.position) > (v_from.epoch, v_from.xid, v_from.position)
      and (event.xid < pg_snapshot_xmin(pg_current_snapshot()) or event.epoch < (select max(last.epoch) from ledger.event last))
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

  -- How orders and refunds stand changes, so the days on which they began are counted from the start. What happens to them while we count
  -- is an event that comes later, and makes the day be counted once more.
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
grant execute on function ledger.count_days(text,integer) to kilim_app;

CREATE OR REPLACE FUNCTION ledger.count_order_days(p_time_zone text, p_days date[])
 RETURNS TABLE(day date, payment_status text, refund_status text, delivery_option text, orders bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT days.day,
     summary.payment_status,
     summary.refund_status,
     summary.delivery_option,
     count(*) AS count
    FROM (unnest(count_order_days.p_days) days(day)
      JOIN ledger.order_summary summary ON (((summary.placed_at >= ledger.start_of_day(days.day, count_order_days.p_time_zone)) AND (summary.placed_at < ledger.start_of_day((days.day + 1), count_order_days.p_time_zone)))))
   GROUP BY days.day, summary.payment_status, summary.refund_status, summary.delivery_option;
END;
grant execute on function ledger.count_order_days(text,date[]) to kilim_app;
grant execute on function ledger.count_order_days(text,date[]) to kilim_report;

CREATE OR REPLACE FUNCTION ledger.count_refund_days(p_time_zone text, p_days date[])
 RETURNS TABLE(day date, status text, refunds bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT days.day,
     refund.status,
     count(*) AS count
    FROM (unnest(count_refund_days.p_days) days(day)
      JOIN ledger.refund_history refund ON (((refund.requested_at >= ledger.start_of_day(days.day, count_refund_days.p_time_zone)) AND (refund.requested_at < ledger.start_of_day((days.day + 1), count_refund_days.p_time_zone)))))
   GROUP BY days.day, refund.status;
END;
grant execute on function ledger.count_refund_days(text,date[]) to kilim_app;
grant execute on function ledger.count_refund_days(text,date[]) to kilim_report;

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
grant execute on function ledger.counted_to(text) to kilim_app;
grant execute on function ledger.counted_to(text) to kilim_report;

CREATE OR REPLACE FUNCTION ledger.event_hash(event ledger.event)
 RETURNS bytea
 LANGUAGE sql
 STABLE
RETURN sha256(((event).previous_hash || convert_to(concat_ws('
'::text, 'kilim-event-1', (event).stream_id, (event).version, (event).event_id, (event).command_id, (event).type, (event).schema_version, COALESCE((event).refund_id, ''::text), COALESCE(((event).amount_cents)::text, ''::text), COALESCE(((event).currency)::text, ''::text), (event).actor, COALESCE((event).request_id, ''::text), ((EXTRACT(epoch FROM (event).occurred_at) * (1000000)::numeric))::bigint, ((EXTRACT(epoch FROM (event).recorded_at) * (1000000)::numeric))::bigint, (event).payload), 'UTF8'::name)));
grant execute on function ledger.event_hash(ledger.event) to kilim_app;
grant execute on function ledger.event_hash(ledger.event) to kilim_report;

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
    raise exception 'The stream of order % does not say that its contact was erased', p_order_id using errcode = 'KLM03';
  end if;
  delete from ledger.customer_contact where customer_contact.order_id = p_order_id;
  return found;
end
$function$;
grant execute on function ledger.forget_contact(uuid) to kilim_app;

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
grant execute on function ledger.forget_old_hints() to kilim_app;

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
    (entry ->> 'gross')::bigint, (entry ->> 'fee')::bigint, (entry ->> 'net')::bigint, (entry ->> 'effectiveAt')::timestamptz
  from ledger.event, json_array_elements(event.payload -> 'entries') entry
  where event.type = 'PayoutEntriesRecorded' and event.stream_id = p_stream_id
  on conflict (entry_id) do nothing;
end
$function$;
grant execute on function ledger.list_payout_entries(text) to kilim_app;

CREATE OR REPLACE FUNCTION ledger.money_between(p_time_zone text, p_from ledger.day_progress, p_to ledger.day_progress)
 RETURNS TABLE(day date, orders bigint, takings_cents bigint, refunds bigint, refunds_cents bigint, fees_cents bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT ((event.occurred_at AT TIME ZONE money_between.p_time_zone))::date AS timezone,
     count(*) FILTER (WHERE (event.type = 'PaymentCaptured'::text)) AS count,
     (COALESCE(sum(event.amount_cents) FILTER (WHERE (event.type = 'PaymentCaptured'::text)), (0)::numeric))::bigint AS "coalesce",
     count(*) FILTER (WHERE (event.type = ANY (ARRAY['RefundCompleted'::text, 'ExternalRefundRecorded'::text]))) AS count,
     (COALESCE(sum(event.amount_cents) FILTER (WHERE (event.type = ANY (ARRAY['RefundCompleted'::text, 'ExternalRefundRecorded'::text]))), (0)::numeric))::bigint AS "coalesce",
     (COALESCE(sum(event.amount_cents) FILTER (WHERE (event.type = 'ProcessingFeeAssessed'::text)), (0)::numeric))::bigint AS "coalesce"
    FROM ledger.event
   WHERE ((ROW(event.epoch, event.xid, event."position") > ROW((money_between.p_from).epoch, (money_between.p_from).xid, (money_between.p_from)."position")) AND (((money_between.p_to).epoch IS NULL) OR (ROW(event.epoch, event.xid, event."position") <= ROW((money_between.p_to).epoch, (money_between.p_to).xid, (money_between.p_to)."position"))) AND (event.type = ANY (ARRAY['PaymentCaptured'::text, 'RefundCompleted'::text, 'ExternalRefundRecorded'::text, 'ProcessingFeeAssessed'::text])))
   GROUP BY (((event.occurred_at AT TIME ZONE money_between.p_time_zone))::date);
END;
grant execute on function ledger.money_between(text,ledger.day_progress,ledger.day_progress) to kilim_app;
grant execute on function ledger.money_between(text,ledger.day_progress,ledger.day_progress) to kilim_report;

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
            FROM ledger.money_between(money_days_now.p_time_zone, ledger.counted_to(money_days_now.p_time_zone), NULL::ledger.day_progress) now(day, orders, takings_cents, refunds, refunds_cents, fees_cents)) part
   WHERE ((part.day >= money_days_now.p_first) AND (part.day <= money_days_now.p_last))
   GROUP BY part.day;
END;
grant execute on function ledger.money_days_now(text,date,date) to kilim_app;
grant execute on function ledger.money_days_now(text,date,date) to kilim_report;

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
   WHERE ((( SELECT (ledger.counted_to(order_days_now.p_time_zone)).epoch AS epoch) > 0) AND (counted.day <> ALL (( SELECT touched.days
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
grant execute on function ledger.order_days_now(text) to kilim_app;
grant execute on function ledger.order_days_now(text) to kilim_report;

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
  if not found or (v_newest.epoch, v_newest.xid, v_newest.position) <= (p_from.epoch, p_from.xid, p_from.position) then
    return '{}';
  end if;
  return array(
    select distinct substr(event.stream_id, 7)::uuid from ledger.event
    where (event.epoch, event.xid, event.position) > (p_from.epoch, p_from.xid, p_from.position)
      and event.stream_id like 'order-%'
  );
end
$function$;
grant execute on function ledger.orders_since(ledger.day_progress) to kilim_app;
grant execute on function ledger.orders_since(ledger.day_progress) to kilim_report;

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
    from pg_stats stats, unnest(stats.most_common_elems::text::text[], stats.most_common_elem_freqs) as common (word, share)
    where stats.schemaname = 'ledger' and stats.tablename = 'customer_contact_words' and starts_with(common.word, v_word)
  ), 0)::bigint;
end
$function$;
grant execute on function ledger.orders_with_common_word(tsquery) to kilim_app;

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
grant execute on function ledger.orders_with_words(tsquery,integer) to kilim_app;

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
   WHERE ((( SELECT (ledger.counted_to(refund_days_now.p_time_zone)).epoch AS epoch) > 0) AND (counted.day <> ALL (( SELECT touched.days
            FROM touched)::date[])))
 UNION ALL
  SELECT now.day,
     now.status,
     now.refunds
    FROM ledger.count_refund_days(refund_days_now.p_time_zone, ( SELECT touched.days
            FROM touched)) now(day, status, refunds);
END;
grant execute on function ledger.refund_days_now(text) to kilim_app;
grant execute on function ledger.refund_days_now(text) to kilim_report;

CREATE OR REPLACE FUNCTION ledger.refund_status(p_pending_cents bigint, p_refunded_cents bigint, p_captured_cents bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_pending_cents > 0) THEN 'pending'::text WHEN (p_refunded_cents = 0) THEN 'none'::text WHEN (p_refunded_cents = p_captured_cents) THEN 'full'::text ELSE 'partial'::text END;

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
           WHERE (NOT ((typed.text ~ '^[0-9 ().+-]+$'::text) AND ((length(typed.digits) >= 7) AND (length(typed.digits) <= 11))))
         UNION ALL
          SELECT ''::text,
             ARRAY[regexp_replace(typed.digits, '^1(?=[0-9]{10}$)'::text, ''::text)] AS "array"
            FROM typed
           WHERE ((typed.text ~ '^[0-9 ().+-]+$'::text) AND ((length(typed.digits) >= 7) AND (length(typed.digits) <= 11)))
         )
  SELECT (string_agg(
         CASE
             WHEN (part.text ~~ '%@%'::text) THEN ledger.word_beginning(ltrim(part.text, '@'::text))
             WHEN (cardinality(part.words) = 1) THEN ledger.word_beginning(part.words[1])
             ELSE (((('('::text || ledger.word_beginning(part.text)) || ' | ('::text) || ( SELECT string_agg(ledger.word_beginning(word.word), ' & '::text) AS string_agg
                FROM unnest(part.words) word(word))) || '))'::text)
         END, ' & '::text))::tsquery AS string_agg
    FROM part
   WHERE (cardinality(part.words) > 0);
END;
grant execute on function ledger.search_query(text) to kilim_app;

CREATE OR REPLACE FUNCTION ledger.search_words(p_text text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN array_remove(regexp_split_to_array(lower((regexp_replace(NORMALIZE(p_text, NFKD), '[̀-ͯ]'::text, ''::text, 'g'::text) COLLATE pg_c_utf8)), '[^[:alnum:]]+'::text), ''::text);
grant execute on function ledger.search_words(text) to kilim_app;

CREATE OR REPLACE FUNCTION ledger.start_of_day(p_day date, p_time_zone text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((p_day)::timestamp without time zone AT TIME ZONE p_time_zone);
grant execute on function ledger.start_of_day(date,text) to kilim_app;
grant execute on function ledger.start_of_day(date,text) to kilim_report;

CREATE OR REPLACE FUNCTION ledger.touched_order_days(p_time_zone text)
 RETURNS date[]
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT ARRAY( SELECT DISTINCT ((summary.placed_at AT TIME ZONE touched_order_days.p_time_zone))::date AS timezone
            FROM ledger.order_summary summary
           WHERE (summary.order_id = ANY (ledger.orders_since(ledger.counted_to(touched_order_days.p_time_zone))))) AS "array";
END;
grant execute on function ledger.touched_order_days(text) to kilim_app;
grant execute on function ledger.touched_order_days(text) to kilim_report;

CREATE OR REPLACE FUNCTION ledger.touched_refund_days(p_time_zone text)
 RETURNS date[]
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT ARRAY( SELECT DISTINCT ((refund.requested_at AT TIME ZONE touched_refund_days.p_time_zone))::date AS timezone
            FROM ledger.refund_history refund
           WHERE (refund.order_id = ANY (ledger.orders_since(ledger.counted_to(touched_refund_days.p_time_zone))))) AS "array";
END;
grant execute on function ledger.touched_refund_days(text) to kilim_app;
grant execute on function ledger.touched_refund_days(text) to kilim_report;

CREATE OR REPLACE FUNCTION ledger.word_beginning(p_word text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((''''::text || replace(replace("left"(p_word, 300), '\'::text, '\\'::text), ''''::text, ''''''::text)) || ''':*'::text);
grant execute on function ledger.word_beginning(text) to kilim_app;

CREATE OR REPLACE FUNCTION ledger.write_events(p_stream_id text, p_expected_version integer, p_command_id text, p_actor text, p_request_id text, p_occurred_at timestamp with time zone, p_types text, p_schema_versions smallint[], p_refund_ids text, p_amounts_cents bigint[], p_payloads text)
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
  -- Line feeds separate the fields under the hash, so that none of them may hold one.
  if strpos(v_texts, E'\n') > 0 or strpos(v_texts || p_types || p_refund_ids, E'\r') > 0
    or '' = any (v_types) or 0 >= any (p_schema_versions)
    or cardinality(v_types) <> cardinality(p_schema_versions) or cardinality(v_payloads) <> cardinality(p_schema_versions)
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
      stream_id, version, event_id, command_id, type, schema_version, refund_id, amount_cents, currency, actor, request_id,
      occurred_at, recorded_at, payload, previous_hash, hash
    ) values (
      v_event.stream_id, v_event.version, v_event.event_id, v_event.command_id, v_event.type, v_event.schema_version,
      v_event.refund_id, v_event.amount_cents, v_event.currency, v_event.actor, v_event.request_id,
      v_event.occurred_at, v_event.recorded_at, v_event.payload, v_event.previous_hash, v_event.hash
    );
  end loop;
end
$function$;
