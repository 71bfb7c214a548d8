-- Refunds, fees and disputes of orders, and streams that are not an order's.

alter table ledger.order_summary
  add column fee_cents bigint not null default 0,
  add column dispute_status text collate "C" not null default 'none'
    check (dispute_status in ('none', 'open', 'won', 'lost', 'accepted')),
  -- The words that the back office shows and filters by follow from the amounts alone.
  add column refund_status text collate "C" not null generated always as (
    case
      when refund_pending_cents > 0 then 'pending'
      when refunded_cents = 0 then 'none'
      when refunded_cents = captured_cents then 'full'
      else 'partial'
    end
  ) stored;

-- Square names the payment, and reconciliation asks for what was paid in a span of time.
create index order_summary_square_payment on ledger.order_summary (square_payment_id);
create index order_summary_paid on ledger.order_summary (paid_at) where payment_status = 'paid';

-- One row per refund, written in the statement that appends.
create table ledger.refund_history (
  refund_id text collate "C" primary key,
  order_id uuid not null,
  payment_id text collate "C" not null,
  square_refund_id text collate "C" unique,
  origin text collate "C" not null check (origin in ('admin', 'square-dashboard')),
  status text collate "C" not null check (status in ('pending', 'completed', 'failed')),
  refund_type text collate "C" not null check (refund_type in ('full', 'partial')),
  amount_cents bigint not null check (amount_cents > 0),
  reason text not null,
  notes text,
  items jsonb not null,
  delivery_minimum_cents bigint not null check (delivery_minimum_cents >= 0),
  services_cents bigint not null,
  add_ons_cents bigint not null,
  delivery_cents bigint not null,
  minimum_cents bigint not null,
  sales_tax_cents bigint not null,
  requested_by text not null,
  failure_code text collate "C",
  requested_at timestamptz not null,
  settled_at timestamptz,
  constraint refund_history_split_is_the_amount
    check (services_cents + add_ons_cents + delivery_cents + minimum_cents + sales_tax_cents = amount_cents)
) with (fillfactor = 80);

create index refund_history_of_order on ledger.refund_history (order_id);
create index refund_history_newest_first on ledger.refund_history (requested_at desc, refund_id desc);

grant select on ledger.refund_history to kilim_app, kilim_report;

-- `refund` asks Square for it; `follow_refund` looks at what Square took on until it has decided, which can take days.
alter table ledger.effect
  add column refund_id text collate "C",
  drop constraint effect_kind_check,
  add constraint effect_kind_check check (kind in ('authorize', 'complete', 'refund', 'follow_refund')),
  add constraint effect_of_refund_names_it check ((refund_id is null) = (kind in ('authorize', 'complete')));

-- Work that is done now and then by whichever process comes first.
create table ledger.job (
  name text collate "C" primary key,
  due_at timestamptz not null
);
grant select, insert, update (due_at) on ledger.job to kilim_app;

-- Writes the events of one command after the head of their stream, each hashed over the one before it. Only the functions that have
-- guarded the head call it.
create function ledger.write_events(
  p_stream_id text,
  p_expected_version integer,
  p_command_id text,
  p_actor text,
  p_request_id text,
  p_occurred_at timestamptz,
  p_types text[],
  p_schema_versions smallint[],
  p_refund_ids text[],
  p_amounts_cents bigint[],
  p_payloads text[]
) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_event ledger.event;
begin
  v_event.stream_id := p_stream_id;
  v_event.command_id := p_command_id;
  v_event.actor := p_actor;
  v_event.request_id := p_request_id;
  v_event.occurred_at := p_occurred_at;
  select event.hash into v_event.hash from ledger.event
  where event.stream_id = p_stream_id and event.version = p_expected_version;
  if not found then
    if p_expected_version > 0 then
      raise exception 'The stream % has no version %', p_stream_id, p_expected_version using errcode = 'KLM03';
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
end
$$;

-- What an earlier command of the same id wrote, for whoever lost the race for the head of a stream.
create function ledger.lost_race(p_stream_id text, p_command_id text, p_request_hash bytea)
returns table (outcome text, stream_id text, from_version integer, to_version integer)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_earlier ledger.command;
begin
  select * into v_earlier from ledger.command where command.command_id = p_command_id;
  if not found then
    return query select 'conflict', p_stream_id, null::integer, null::integer;
  elsif v_earlier.request_hash <> p_request_hash then
    return query select 'key_reused', v_earlier.stream_id, null::integer, null::integer;
  else
    return query select 'duplicate', v_earlier.stream_id, v_earlier.from_version, v_earlier.to_version;
  end if;
end
$$;

drop function ledger.append_to_order;

-- The way into the stream of an order. One statement appends the events of one command: it checks the expected version, remembers
-- the command, chains the hashes, moves the projection rows on and opens and closes effects, or does nothing at all.
--
-- It answers with one row:
--   appended    from_version and to_version are what this call wrote
--   duplicate   this very command was recorded before; the versions are what it wrote then
--   key_reused  the command id was used for another request
--   conflict    somebody else appended first: read again and decide again
create function ledger.append_to_order(
  p_order_id uuid,
  p_expected_version integer,
  p_command_id text,
  p_request_hash bytea,
  p_actor text,
  p_request_id text,
  p_occurred_at timestamptz,
  p_types text[],
  p_schema_versions smallint[],
  p_refund_ids text[],
  p_amounts_cents bigint[],
  p_payloads text[],
  p_summary json,
  p_refunds json,
  p_contact json,
  p_open_effects json,
  p_close_effects text[]
) returns table (outcome text, stream_id text, from_version integer, to_version integer)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_stream_id constant text := 'order-' || p_order_id;
  v_last constant integer := p_expected_version + cardinality(p_types);
  v_next ledger.order_summary := json_populate_record(null::ledger.order_summary, p_summary);
  v_written integer;
begin
  if cardinality(p_types) = 0 or v_next.order_id <> p_order_id or v_next.version <> v_last then
    raise exception 'The summary of % is not the one that follows these events', v_stream_id using errcode = 'KLM03';
  end if;

  -- The head of the stream is guarded first, so that a loser draws no position.
  if p_expected_version = 0 then
    insert into ledger.order_summary (
      order_id, version, payment_id, square_payment_id, payment_status, delivery_option, rug_count, total_cents,
      captured_cents, refund_pending_cents, refunded_cents, fee_cents, dispute_status, placed_at, paid_at, updated_at
    ) values (
      v_next.order_id, v_next.version, v_next.payment_id, v_next.square_payment_id, v_next.payment_status,
      v_next.delivery_option, v_next.rug_count, v_next.total_cents, v_next.captured_cents, v_next.refund_pending_cents,
      v_next.refunded_cents, v_next.fee_cents, v_next.dispute_status, v_next.placed_at, v_next.paid_at, v_next.updated_at
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
      fee_cents = v_next.fee_cents,
      dispute_status = v_next.dispute_status,
      paid_at = v_next.paid_at,
      updated_at = v_next.updated_at
    where order_summary.order_id = p_order_id and order_summary.version = p_expected_version;
  end if;
  if not found then
    return query select * from ledger.lost_race(v_stream_id, p_command_id, p_request_hash);
    return;
  end if;

  insert into ledger.command (command_id, request_hash, stream_id, from_version, to_version)
  values (p_command_id, p_request_hash, v_stream_id, p_expected_version + 1, v_last)
  on conflict (command_id) do nothing;
  if not found then
    -- The head has moved already, so this whole call has to be undone; the caller looks the earlier command up.
    raise exception 'The command % was recorded before', p_command_id using errcode = 'KLM01';
  end if;

  perform ledger.write_events(
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
    insert into ledger.effect (key, order_id, payment_id, refund_id, kind, lease_until)
    select opened.key, p_order_id, opened.payment_id, opened.refund_id, opened.kind,
      clock_timestamp() + make_interval(secs => opened.lease_seconds)
    from json_to_recordset(p_open_effects)
      as opened (key text, payment_id text, refund_id text, kind text, lease_seconds integer);
  end if;

  return query select 'appended', v_stream_id, p_expected_version + 1, v_last;
end
$$;

-- The way into every stream that is not an order's: settings, administrators, payments that belong to no order. It answers as
-- ledger.append_to_order does.
create function ledger.append_to_stream(
  p_stream_id text,
  p_expected_version integer,
  p_command_id text,
  p_request_hash bytea,
  p_actor text,
  p_request_id text,
  p_occurred_at timestamptz,
  p_types text[],
  p_schema_versions smallint[],
  p_amounts_cents bigint[],
  p_payloads text[]
) returns table (outcome text, stream_id text, from_version integer, to_version integer)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_last constant integer := p_expected_version + cardinality(p_types);
begin
  if cardinality(p_types) = 0 or p_stream_id like 'order-%' or p_stream_id ~ '[\n\r]' then
    raise exception 'Nothing can be appended to % in this way', p_stream_id using errcode = 'KLM03';
  end if;
  -- These streams have no row to guard their head, and are written a few times a day: whoever appends to one waits for the other.
  perform pg_advisory_xact_lock(hashtextextended(p_stream_id, 0));
  if p_expected_version <> (
    select coalesce(max(event.version), 0) from ledger.event where event.stream_id = p_stream_id
  ) then
    return query select * from ledger.lost_race(p_stream_id, p_command_id, p_request_hash);
    return;
  end if;

  insert into ledger.command (command_id, request_hash, stream_id, from_version, to_version)
  values (p_command_id, p_request_hash, p_stream_id, p_expected_version + 1, v_last)
  on conflict (command_id) do nothing;
  if not found then
    raise exception 'The command % was recorded before', p_command_id using errcode = 'KLM01';
  end if;

  perform ledger.write_events(
    p_stream_id, p_expected_version, p_command_id, p_actor, p_request_id, p_occurred_at,
    p_types, p_schema_versions, array_fill(null::text, array[cardinality(p_types)]), p_amounts_cents, p_payloads
  );
  return query select 'appended', p_stream_id, p_expected_version + 1, v_last;
end
$$;

revoke all on function ledger.append_to_order, ledger.append_to_stream, ledger.write_events, ledger.lost_race from public;
grant execute on function ledger.append_to_order, ledger.append_to_stream to kilim_app;
