-- The append functions, which are the only way to write events.
-- An append also writes the rows of orders and refunds, and opens and closes the calls to Square that the events
-- require. Their tables are in the files before and after this one.

create function ledger.write_events(
  p_stream_id text, p_expected_version integer, p_command_id text, p_actor text, p_request_id text,
  p_occurred_at timestamptz, p_types text, p_schema_versions smallint[], p_refund_ids text, p_amounts_cents bigint[],
  p_payloads text
) returns void
language plpgsql as $$
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
$$;
comment on function ledger.write_events is
  'Inserts the events of one command at the head of their stream and chains the hashes. Only the append functions call '
  'it, after they have locked the head. Types, refund ids and payloads are texts with one line per event: splitting '
  'lines costs a fifth of reading an array, in which every quotation mark is escaped. Canonical JSON escapes line '
  'feeds, so no payload contains one.';

create function ledger.append_to_order(
  p_order_id uuid, p_expected_version integer, p_command_id text, p_request_hash bytea, p_actor text, p_request_id text,
  p_occurred_at timestamptz, p_types text, p_schema_versions smallint[], p_refund_ids text, p_amounts_cents bigint[],
  p_payloads text, p_next json, p_refunds json, p_open_effects json, p_close_effects text[],
  p_stamp bytea
) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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
$$;
comment on function ledger.append_to_order is
  'The only way to append to the stream of an order: all of one command or nothing. It checks the expected version, '
  'stores the command with its stamp, chains the hashes, updates the rows of the order, and opens and closes effects. '
  'False when the order has changed since it was read: read and decide again. An existing command id raises '
  'unique_violation (23505); the caller then looks up the earlier command.';

create function ledger.append_to_stream(
  p_stream_id text, p_expected_version integer, p_command_id text, p_request_hash bytea, p_actor text,
  p_request_id text, p_occurred_at timestamptz, p_types text, p_schema_versions smallint[], p_amounts_cents bigint[],
  p_payloads text, p_stamp bytea
) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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
$$;
comment on function ledger.append_to_stream is
  'The only way to append to all other streams: settings, administrators, payouts, payments without an order. It '
  'returns the same as ledger.append_to_order.';

create function ledger.hold_family(p_order_id uuid, p_versions json) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('family-' || p_order_id, 0));
  return not exists (
    select from json_each_text(p_versions) seen
    where seen.value::integer <> coalesce(
      (select summary.version from ledger.order_summary summary where summary.order_id = seen.key::uuid), 0
    )
  );
end
$$;
comment on function ledger.hold_family is
  'Whether an order and the orders that pay its differences are still at these versions; 0 is an order that was never '
  'placed. An append asks in its own statement, and others of the family wait until it ends.';

-- Rights

revoke all on all functions in schema ledger from public;
grant execute on function ledger.append_to_order, ledger.append_to_stream, ledger.hold_family to kilim_server;
