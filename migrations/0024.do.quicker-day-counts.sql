-- Pages of lists are found through the counted days. What that costs besides the days themselves was mostly planning: every reading asked twice
-- which orders something happened to since the last count, and PostgreSQL planned that question anew each time, because a plan that serves any
-- place in the ledger would be a bad one for its end.

-- Orders that something happened to since the days were counted. Mostly none: to know that takes one look, whose plan is kept.
create or replace function ledger.orders_since(p_from ledger.day_progress) returns uuid[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
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
$$;

create or replace function ledger.order_days_now(p_time_zone text)
returns table (day date, payment_status text, refund_status text, delivery_option text, orders bigint)
language sql stable
begin atomic
  with touched as materialized (select ledger.touched_order_days(p_time_zone) as days)
  select counted.day, counted.payment_status, counted.refund_status, counted.delivery_option, counted.orders::bigint
  from ledger.order_day counted
  where (select (ledger.counted_to(p_time_zone)).epoch) > 0
    and counted.day <> all ((select days from touched)::date[])
  union all
  select now.day, now.payment_status, now.refund_status, now.delivery_option, now.orders
  from ledger.count_order_days(p_time_zone, (select days from touched)) now;
end;

create or replace function ledger.refund_days_now(p_time_zone text)
returns table (day date, status text, refunds bigint)
language sql stable
begin atomic
  with touched as materialized (select ledger.touched_refund_days(p_time_zone) as days)
  select counted.day, counted.status, counted.refunds::bigint
  from ledger.refund_day counted
  where (select (ledger.counted_to(p_time_zone)).epoch) > 0
    and counted.day <> all ((select days from touched)::date[])
  union all
  select now.day, now.status, now.refunds
  from ledger.count_refund_days(p_time_zone, (select days from touched)) now;
end;

-- Who looks for orders with refunds need not read all other days.
create index order_day_with_refund on ledger.order_day (refund_status, payment_status) where refund_status <> 'none';
