-- The only way into the ledger. One statement appends the events of one command to one order: it checks the expected version,
-- remembers the command, chains the hashes, moves the projection row on and opens and closes effects, or does nothing at all.
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
$$;

revoke all on function ledger.append_to_order from public;
grant execute on function ledger.append_to_order to kilim_app;
