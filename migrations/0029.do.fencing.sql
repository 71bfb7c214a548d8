-- Leases that no clock can end early, and one effect for each payment attempt.
--
-- A lease used to end at a time of the database's clock. When that clock was stepped forward, a second server took over an attempt
-- whose owner was still asking Square. Now a row carries no time at all: `fence` counts the owners, `beat` changes while the owner
-- lives, and a server takes an effect over only after it has itself watched (fence, beat) stay the same for `wait_seconds`. An owner
-- whose fence is no longer current may neither release nor close the effect, and asks Square nothing more.
--
-- An attempt had two effects, to authorize and to complete. It is one piece of work with one owner: kind `charge`.

alter table ledger.effect
  drop constraint effect_kind_check,
  drop constraint effect_of_refund_names_it,
  add column fence integer not null default 0 check (fence >= 0),
  add column beat integer not null default 0,
  add column wait_seconds integer not null default 0 check (wait_seconds >= 0);

update ledger.effect set fence = tries;
update ledger.effect set kind = 'charge' where kind in ('authorize', 'complete');
update ledger.effect set key = payment_id || ':charge' where kind = 'charge' and state <> 'done';

-- Dropping `lease_until` drops the index `effect_due` as well.
alter table ledger.effect
  drop column lease_until,
  drop column tries,
  alter column wait_seconds drop default,
  add constraint effect_kind_check check (kind in ('charge', 'refund', 'follow_refund')),
  add constraint effect_of_refund_names_it check ((refund_id is null) = (kind = 'charge'));

create index effect_open on ledger.effect (opened_at) where state = 'open';
grant update (state, fence, beat, wait_seconds) on ledger.effect to kilim_app;

-- A hint is watched in the same way: by how often it was taken up, and how long it is to be left alone since then.
alter table ledger.square_hint
  drop column lease_until,
  add column wait_seconds integer not null default 0 check (wait_seconds >= 0);
create index square_hint_open on ledger.square_hint (received_at) where handled_at is null;
grant update (wait_seconds) on ledger.square_hint to kilim_app;

-- As before, except for how effects are opened. The function answers true when the events are stored and false when the order has
-- moved on since it was read. A key that exists, of the command or of the order, raises unique_violation and undoes the whole call.
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
$$;
