-- Money that customers got back outside Square. It is a refund of the order, and has no refund at Square.

alter table ledger.refund_history
  add paid_by text collate "C",
  add paid_on text collate "C",
  add reference text collate "C";
comment on column ledger.refund_history.paid_by is
  'How the customer got the money outside Square: check, cash or bank-transfer. Null: Square refunded it.';
comment on column ledger.refund_history.paid_on is 'The day on the check or the transfer: 2026-11-24.';
comment on column ledger.refund_history.reference is 'The number of the check or the transfer.';

-- Failed refunds that nobody has made good.

create view ledger.owed_refund as
select failed.refund_id, failed.order_id, failed.amount_cents, failed.failure_code, failed.settled_at as failed_at
from ledger.refund_history failed
where failed.status = 'failed'
  and failed.amount_cents > (
    select coalesce(sum(later.amount_cents), 0)
    from ledger.refund_history later
    where later.order_id = failed.order_id and later.requested_at > failed.requested_at
  )
  and not exists (
    select from ledger.event
    where event.stream_id = 'resolutions' and event.type = 'DifferenceExplained'
      and event.payload ->> 'code' = 'RefundFailed' and event.payload ->> 'squareId' = failed.refund_id
  );
comment on view ledger.owed_refund is
  'Refunds that failed, whose customers still wait for the money: nobody has tried again since, given it back '
  'otherwise or explained it. A view, because the planner uses the index of the order or of failed refunds.';
grant select on ledger.owed_refund to kilim_server, kilim_app;

-- A person tries parked work again. The server that does it owns the effect, as after taking it over.

create function ledger.reopen_effect(p_key text) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_fence integer;
begin
  update ledger.effect set state = 'open', fence = fence + 1, beat = beat + 1
  where key = p_key and state = 'parked' and kind = 'refund'
  returning fence into v_fence;
  return v_fence;
end
$$;
comment on function ledger.reopen_effect is
  'Takes a parked refund. It returns the fence of the new owner, or null when the refund is not parked. When its '
  'outcome stays unknown, it is parked again within a minute.';
revoke all on function ledger.reopen_effect from public;
grant execute on function ledger.reopen_effect to kilim_server, kilim_app;
