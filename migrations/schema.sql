-- Written by `npm run schema` from the migrations. Do not edit.

-- Roles

create role kilim_app nologin;

create role kilim_report nologin;

-- Schemas

create schema kilim;
grant usage on schema kilim to kilim_app;

create schema ledger;
grant usage on schema ledger to kilim_app;
grant usage on schema ledger to kilim_report;

-- Tables and sequences

create table kilim.migration (
  version bigint not null,
  name text,
  md5 text,
  run_at timestamp with time zone
);
alter table kilim.migration add constraint migration_pkey PRIMARY KEY (version);
grant select on table kilim.migration to kilim_app;

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
grant select on table ledger.customer_contact to kilim_app;

create table ledger.effect (
  key text collate "C" not null,
  order_id uuid not null,
  payment_id text collate "C" not null,
  kind text collate "C" not null,
  state text collate "C" not null default 'open'::text,
  lease_until timestamp with time zone not null,
  tries integer not null default 0,
  opened_at timestamp with time zone not null default clock_timestamp()
) with (fillfactor=80);
alter table ledger.effect add constraint effect_kind_check CHECK ((kind = ANY (ARRAY['authorize'::text, 'complete'::text])));
alter table ledger.effect add constraint effect_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text, 'parked'::text])));
alter table ledger.effect add constraint effect_pkey PRIMARY KEY (key);
CREATE INDEX effect_due ON ledger.effect USING btree (lease_until) WHERE (state = 'open'::text);
grant select on table ledger.effect to kilim_app;
grant update (state) on table ledger.effect to kilim_app;
grant update (lease_until) on table ledger.effect to kilim_app;
grant update (tries) on table ledger.effect to kilim_app;

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
alter table ledger.event add constraint event_actor_check CHECK ((actor !~ '[\n\r]'::text));
alter table ledger.event add constraint event_check CHECK (((amount_cents IS NULL) = (currency IS NULL)));
alter table ledger.event add constraint event_command_id_check CHECK ((command_id !~ '[\n\r]'::text));
alter table ledger.event add constraint event_hash_check CHECK ((length(hash) = 32));
alter table ledger.event add constraint event_previous_hash_check CHECK ((length(previous_hash) = 32));
alter table ledger.event add constraint event_refund_id_check CHECK ((refund_id !~ '[\n\r]'::text));
alter table ledger.event add constraint event_request_id_check CHECK ((request_id !~ '[\n\r]'::text));
alter table ledger.event add constraint event_schema_version_check CHECK ((schema_version > 0));
alter table ledger.event add constraint event_type_check CHECK ((type ~ '^[A-Za-z]+$'::text));
alter table ledger.event add constraint event_version_check CHECK ((version > 0));
alter table ledger.event add constraint event_pkey PRIMARY KEY (stream_id, version);
alter table ledger.event add constraint event_event_id_key UNIQUE (event_id);
CREATE INDEX event_position ON ledger.event USING brin ("position");
CREATE INDEX event_reading_order ON ledger.event USING btree (epoch, xid, "position");
CREATE INDEX event_refund ON ledger.event USING btree (refund_id) WHERE (refund_id IS NOT NULL);
CREATE TRIGGER event_is_append_only BEFORE DELETE OR UPDATE ON ledger.event FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
alter table ledger.event enable always trigger event_is_append_only;
CREATE TRIGGER event_is_never_truncated BEFORE TRUNCATE ON ledger.event FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
alter table ledger.event enable always trigger event_is_never_truncated;
grant select on table ledger.event to kilim_app;
grant select on table ledger.event to kilim_report;

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
  refundable_cents bigint generated always as (((captured_cents - refund_pending_cents) - refunded_cents)) stored,
  placed_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  updated_at timestamp with time zone not null
) with (fillfactor=80);
alter table ledger.order_summary add constraint order_summary_check CHECK (((captured_cents >= 0) AND (captured_cents <= total_cents)));
alter table ledger.order_summary add constraint order_summary_delivery_option_check CHECK ((delivery_option = ANY (ARRAY['dropoff'::text, 'pickup'::text])));
alter table ledger.order_summary add constraint order_summary_never_more_out_than_in CHECK ((((captured_cents - refund_pending_cents) - refunded_cents) >= 0));
alter table ledger.order_summary add constraint order_summary_payment_status_check CHECK ((payment_status = ANY (ARRAY['unpaid'::text, 'processing'::text, 'paid'::text, 'declined'::text, 'voided'::text])));
alter table ledger.order_summary add constraint order_summary_refund_pending_cents_check CHECK ((refund_pending_cents >= 0));
alter table ledger.order_summary add constraint order_summary_refunded_cents_check CHECK ((refunded_cents >= 0));
alter table ledger.order_summary add constraint order_summary_rug_count_check CHECK ((rug_count > 0));
alter table ledger.order_summary add constraint order_summary_total_cents_check CHECK ((total_cents >= 0));
alter table ledger.order_summary add constraint order_summary_version_check CHECK ((version > 0));
alter table ledger.order_summary add constraint order_summary_pkey PRIMARY KEY (order_id);
alter table ledger.order_summary add constraint order_summary_payment_id_key UNIQUE (payment_id);
CREATE INDEX order_summary_newest_first ON ledger.order_summary USING btree (placed_at DESC, order_id DESC);
grant select on table ledger.order_summary to kilim_app;
grant select on table ledger.order_summary to kilim_report;

-- Functions

CREATE OR REPLACE FUNCTION ledger.append_to_order(p_order_id uuid, p_expected_version integer, p_command_id text, p_request_hash bytea, p_actor text, p_request_id text, p_occurred_at timestamp with time zone, p_types text[], p_schema_versions smallint[], p_refund_ids text[], p_amounts_cents bigint[], p_payloads text[], p_summary json, p_contact json, p_open_effects json, p_close_effects text[])
 RETURNS TABLE(outcome text, stream_id text, from_version integer, to_version integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_stream_id constant text := 'order-' || p_order_id;
  v_last constant integer := p_expected_version + cardinality(p_types);
  v_next ledger.order_summary := json_populate_record(null::ledger.order_summary, p_summary);
  v_event ledger.event;
  v_earlier ledger.command;
begin
  if cardinality(p_types) = 0 or v_next.order_id <> p_order_id or v_next.version <> v_last then
    raise exception 'The summary of % is not the one that follows these events', v_stream_id using errcode = 'KLM03';
  end if;

  -- The head of the stream is guarded first, so that a loser draws no position.
  if p_expected_version = 0 then
    insert into ledger.order_summary (
      order_id, version, payment_id, square_payment_id, payment_status, delivery_option, rug_count, total_cents,
      captured_cents, refund_pending_cents, refunded_cents, placed_at, paid_at, updated_at
    ) values (
      v_next.order_id, v_next.version, v_next.payment_id, v_next.square_payment_id, v_next.payment_status,
      v_next.delivery_option, v_next.rug_count, v_next.total_cents, v_next.captured_cents, v_next.refund_pending_cents,
      v_next.refunded_cents, v_next.placed_at, v_next.paid_at, v_next.updated_at
    ) on conflict (order_id) do nothing;
  else
    update ledger.order_summary set
      version = v_next.version,
      payment_id = v_next.payment_id,
      square_payment_id = v_next.square_payment_id,
      payment_status = v_next.payment_status,
      captured_cents = v_next.captured_cents,
      refund_pending_cents = v_next.refund_pending_cents,
      refunded_cents = v_next.refunded_cents,
      paid_at = v_next.paid_at,
      updated_at = v_next.updated_at
    where order_summary.order_id = p_order_id and order_summary.version = p_expected_version;
  end if;
  if not found then
    select * into v_earlier from ledger.command where command.command_id = p_command_id;
    if not found then
      return query select 'conflict', v_stream_id, null::integer, null::integer;
    elsif v_earlier.request_hash <> p_request_hash then
      return query select 'key_reused', v_earlier.stream_id, null::integer, null::integer;
    else
      return query select 'duplicate', v_earlier.stream_id, v_earlier.from_version, v_earlier.to_version;
    end if;
    return;
  end if;

  insert into ledger.command (command_id, request_hash, stream_id, from_version, to_version)
  values (p_command_id, p_request_hash, v_stream_id, p_expected_version + 1, v_last)
  on conflict (command_id) do nothing;
  if not found then
    -- The head has moved already, so this whole call has to be undone; the caller looks the earlier command up.
    raise exception 'The command % was recorded before', p_command_id using errcode = 'KLM01';
  end if;

  v_event.stream_id := v_stream_id;
  v_event.command_id := p_command_id;
  v_event.actor := p_actor;
  v_event.request_id := p_request_id;
  v_event.occurred_at := p_occurred_at;
  select event.hash into v_event.hash from ledger.event
  where event.stream_id = v_stream_id and event.version = p_expected_version;
  if not found then
    if p_expected_version > 0 then
      raise exception 'The stream % has no version %', v_stream_id, p_expected_version using errcode = 'KLM03';
    end if;
    v_event.hash := decode(repeat('00', 32), 'hex');
  end if;

  for i in 1 .. cardinality(p_types) loop
    v_event.version := p_expected_version + i;
    v_event.event_id := uuidv7();
    v_event.type := p_types[i];
    v_event.schema_version := p_schema_versions[i];
    v_event.refund_id := p_refund_ids[i];
    v_event.amount_cents := p_amounts_cents[i];
    v_event.currency := case when p_amounts_cents[i] is null then null else 'USD' end;
    v_event.recorded_at := clock_timestamp();
    v_event.payload := p_payloads[i]::json;
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

  if p_contact is not null then
    insert into ledger.customer_contact
    select * from json_populate_record(null::ledger.customer_contact, p_contact)
    on conflict (order_id) do nothing;
  end if;
  if p_close_effects is not null then
    update ledger.effect set state = 'done' where effect.key = any (p_close_effects);
  end if;
  if p_open_effects is not null then
    insert into ledger.effect (key, order_id, payment_id, kind, lease_until)
    select opened.key, p_order_id, opened.payment_id, opened.kind,
      clock_timestamp() + make_interval(secs => opened.lease_seconds)
    from json_to_recordset(p_open_effects)
      as opened (key text, payment_id text, kind text, lease_seconds integer);
  end if;

  return query select 'appended', v_stream_id, p_expected_version + 1, v_last;
end
$function$;
grant execute on function ledger.append_to_order(uuid,integer,text,bytea,text,text,timestamp with time zone,text[],smallint[],text[],bigint[],text[],json,json,json,text[]) to kilim_app;

CREATE OR REPLACE FUNCTION ledger.event_hash(event ledger.event)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog'
RETURN sha256(((event).previous_hash || convert_to((((((((((((((((((((((((((((('kilim-event-1'::text || '
'::text) || (event).stream_id) || '
'::text) || (event).version) || '
'::text) || (event).event_id) || '
'::text) || (event).command_id) || '
'::text) || (event).type) || '
'::text) || (event).schema_version) || '
'::text) || COALESCE((event).refund_id, ''::text)) || '
'::text) || COALESCE(((event).amount_cents)::text, ''::text)) || '
'::text) || COALESCE(((event).currency)::text, ''::text)) || '
'::text) || (event).actor) || '
'::text) || COALESCE((event).request_id, ''::text)) || '
'::text) || ((EXTRACT(epoch FROM (event).occurred_at) * (1000000)::numeric))::bigint) || '
'::text) || ((EXTRACT(epoch FROM (event).recorded_at) * (1000000)::numeric))::bigint) || '
'::text) || ((event).payload)::text), 'UTF8'::name)));
grant execute on function ledger.event_hash(ledger.event) to kilim_app;
grant execute on function ledger.event_hash(ledger.event) to kilim_report;

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
