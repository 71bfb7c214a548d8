-- People take decisions back: a failed refund is owed again when its explanation is undone.

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

-- A person corrects what a refund was for: the row of the refund follows.

do $$
declare
  v_before constant text := 'settled_at = excluded.settled_at';
  v_text text := pg_get_functiondef('ledger.append_to_order_v2'::regproc);
begin
  if strpos(v_text, v_before) = 0 then
    raise exception 'The function does not write the rows of refunds as expected';
  end if;
  execute replace(v_text, v_before, v_before || ',
      items = excluded.items,
      delivery_minimum_cents = excluded.delivery_minimum_cents,
      services_cents = excluded.services_cents,
      add_ons_cents = excluded.add_ons_cents,
      delivery_cents = excluded.delivery_cents,
      minimum_cents = excluded.minimum_cents,
      sales_tax_cents = excluded.sales_tax_cents');
end
$$;
