-- A failed refund is owed again when a person undoes its explanation.

create or replace view ledger.owed_refund as
select failed.refund_id, failed.order_id, failed.amount_cents, failed.failure_code, failed.settled_at as failed_at
from ledger.refund_history failed
where failed.status = 'failed'
  and failed.amount_cents > (
    select coalesce(sum(later.amount_cents), 0)
    from ledger.refund_history later
    where later.order_id = failed.order_id and later.requested_at > failed.requested_at
  )
  and not exists (
    select from ledger.event explained
    where explained.stream_id = 'resolutions' and explained.type = 'DifferenceExplained'
      and explained.payload ->> 'code' = 'RefundFailed' and explained.payload ->> 'squareId' = failed.refund_id
      and not exists (
        select from ledger.event undone
        where undone.stream_id = 'resolutions' and undone.type = 'ExplanationUndone'
          and (undone.payload ->> 'undoes')::integer = explained.version
      )
  );
