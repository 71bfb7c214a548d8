-- A MAC for each event: without the key, which no database ever gets, nobody can add or change an event undetected.

alter table ledger.command add column macs bytea;
comment on column ledger.command.macs is
  'HMAC-SHA-256 of the events of the command: the id of the key (4 bytes), then 32 bytes for each event. The database '
  'cannot check it; verification does. Null: a server of release 0.2.0 appended the events.';

-- The append functions of 0002.do.append.sql, with MACs. An append to an order closes only effects of that order.

create function ledger.append_to_order_v2(
  p_order_id uuid,
  p_expected_version integer,
  p_command_id text,
  p_request_hash bytea,
  p_actor text,
  p_request_id text,
  p_occurred_at timestamptz,
  p_types text,
  p_schema_versions smallint[],
  p_refund_ids text,
  p_amounts_cents bigint[],
  p_payloads text,
  p_next ledger.next_summary,
  p_refunds json,
  p_contact json,
  p_open_effects json,
  p_close_effects text[],
  p_macs bytea
) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
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

  -- Lock the head of the stream first, so that the loser of two concurrent appends draws no position.
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

  insert into ledger.command (command_id, request_hash, stream_id, from_version, to_version, macs)
  values (p_command_id, p_request_hash, v_stream_id, p_expected_version + 1, v_last, p_macs);

  -- An assignment, because PERFORM would execute a statement for the call.
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
comment on function ledger.append_to_order_v2 is
  'The only way to append to the stream of an order. One call appends the events of one command: it checks the '
  'expected version, stores the command with its MACs, chains the hashes, updates the rows of the order, and opens and '
  'closes effects. All of it happens, or nothing. It returns true when the events are stored, and false when the order '
  'has changed since it was read; then read again and decide again. When the command id or the order exists already, '
  'it raises unique_violation (23505), which undoes the call; the caller then looks up the earlier command.';

create function ledger.append_to_stream_v2(
  p_stream_id text,
  p_expected_version integer,
  p_command_id text,
  p_request_hash bytea,
  p_actor text,
  p_request_id text,
  p_occurred_at timestamptz,
  p_types text,
  p_schema_versions smallint[],
  p_amounts_cents bigint[],
  p_payloads text,
  p_macs bytea
) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
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

  insert into ledger.command (command_id, request_hash, stream_id, from_version, to_version, macs)
  values (
    p_command_id, p_request_hash, p_stream_id,
    p_expected_version + 1, p_expected_version + cardinality(p_schema_versions), p_macs
  );
  v_done := ledger.write_events(
    p_stream_id, p_expected_version, p_command_id, p_actor, p_request_id, p_occurred_at,
    p_types, p_schema_versions, '', p_amounts_cents, p_payloads
  );
  return true;
end
$$;
comment on function ledger.append_to_stream_v2 is
  'The only way to append to all other streams: settings, administrators, payouts, payments without an order. It '
  'returns what ledger.append_to_order_v2 returns.';

revoke all on function ledger.append_to_order_v2, ledger.append_to_stream_v2 from public;
grant execute on function ledger.append_to_order_v2, ledger.append_to_stream_v2 to kilim_app, kilim_server;

-- Servers of release 0.2.0 call these, without MACs.

create or replace function ledger.append_to_order(
  p_order_id uuid,
  p_expected_version integer,
  p_command_id text,
  p_request_hash bytea,
  p_actor text,
  p_request_id text,
  p_occurred_at timestamptz,
  p_types text,
  p_schema_versions smallint[],
  p_refund_ids text,
  p_amounts_cents bigint[],
  p_payloads text,
  p_next ledger.next_summary,
  p_refunds json,
  p_contact json,
  p_open_effects json,
  p_close_effects text[]
) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return ledger.append_to_order_v2(
    p_order_id, p_expected_version, p_command_id, p_request_hash, p_actor, p_request_id,
    p_occurred_at, p_types, p_schema_versions, p_refund_ids, p_amounts_cents, p_payloads, p_next,
    p_refunds, p_contact, p_open_effects, p_close_effects, null
  );
end
$$;
comment on function ledger.append_to_order is 'As ledger.append_to_order_v2, without MACs: for release 0.2.0.';

create or replace function ledger.append_to_stream(
  p_stream_id text,
  p_expected_version integer,
  p_command_id text,
  p_request_hash bytea,
  p_actor text,
  p_request_id text,
  p_occurred_at timestamptz,
  p_types text,
  p_schema_versions smallint[],
  p_amounts_cents bigint[],
  p_payloads text
) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return ledger.append_to_stream_v2(
    p_stream_id, p_expected_version, p_command_id, p_request_hash, p_actor, p_request_id,
    p_occurred_at, p_types, p_schema_versions, p_amounts_cents, p_payloads, null
  );
end
$$;
comment on function ledger.append_to_stream is 'As ledger.append_to_stream_v2, without MACs: for release 0.2.0.';
