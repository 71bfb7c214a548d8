-- What the back office's lists need to be as fast at a million orders as at a thousand: how many orders, refunds and dollars each day saw, and
-- indexes for what people search by.

-- A page far down a list is found through the days before it, and totals are sums over days: some thousand rows instead of all orders.
-- Nothing of this is written by an append. A worker counts afterwards what the events since its last count touched, and a reader counts
-- the days that were touched meanwhile itself. So the sums are exact at any moment, and the worker only makes them fast.
create table ledger.order_day (
  day date not null,
  payment_status text collate "C" not null,
  refund_status text collate "C" not null,
  delivery_option text collate "C" not null,
  orders integer not null check (orders > 0),
  primary key (day, payment_status, refund_status, delivery_option)
);

create table ledger.refund_day (
  day date not null,
  status text collate "C" not null,
  refunds integer not null check (refunds > 0),
  primary key (day, status)
);

-- Sums of what events moved on the day on which they happened. Events never change, so these are only ever added to.
create table ledger.money_day (
  day date primary key,
  orders integer not null,
  takings_cents bigint not null,
  refunds integer not null,
  refunds_cents bigint not null,
  fees_cents bigint not null
);

-- How far the days are counted, in the order in which all streams are read, and in which time zone days begin.
create table ledger.day_progress (
  only_row boolean primary key default true check (only_row),
  time_zone text not null,
  epoch smallint not null,
  xid xid8 not null,
  position bigint not null
);

insert into ledger.day_progress (time_zone, epoch, xid, position) values ('UTC', 0, '0', 0);

-- The instant at which a day begins.
create function ledger.start_of_day(p_day date, p_time_zone text) returns timestamptz
language sql immutable parallel safe
return p_day::timestamp at time zone p_time_zone;

-- Counts what at most so many events touched, if nobody else does it just now, and answers how many there were: call it again until
-- there are none. In another time zone than before everything is counted anew.
create function ledger.count_days(p_time_zone text, p_most_events integer) returns integer
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_from ledger.day_progress;
  v_to ledger.day_progress;
  v_events integer;
  v_orders uuid[];
  v_order_days date[];
  v_refund_days date[];
begin
  select * into v_from from ledger.day_progress for update skip locked;
  if not found then
    return 0;
  end if;
  if v_from.time_zone <> p_time_zone then
    delete from ledger.order_day;
    delete from ledger.refund_day;
    delete from ledger.money_day;
    v_from.epoch := 0;
    v_from.xid := '0';
    v_from.position := 0;
    update ledger.day_progress set time_zone = p_time_zone, epoch = 0, xid = '0', position = 0;
  end if;

  -- Where to stop is fixed first: below the oldest transaction that still runs nothing is added any more, so the statements that follow
  -- all see the same events. A transaction counter of before a restore says nothing about those that run now.
  select count(*) into v_events from (
    select from ledger.event
    where (event.epoch, event.xid, event.position) > (v_from.epoch, v_from.xid, v_from.position)
      and (event.xid < pg_snapshot_xmin(pg_current_snapshot()) or event.epoch < (select max(last.epoch) from ledger.event last))
    order by event.epoch, event.xid, event.position
    limit p_most_events
  ) counted;
  if v_events = 0 then
    return 0;
  end if;
  select event.epoch, event.xid, event.position into v_to.epoch, v_to.xid, v_to.position from ledger.event
  where (event.epoch, event.xid, event.position) > (v_from.epoch, v_from.xid, v_from.position)
  order by event.epoch, event.xid, event.position
  offset v_events - 1 limit 1;

  insert into ledger.money_day as counted (day, orders, takings_cents, refunds, refunds_cents, fees_cents)
  select * from ledger.money_between(p_time_zone, v_from, v_to)
  on conflict (day) do update set
    orders = counted.orders + excluded.orders,
    takings_cents = counted.takings_cents + excluded.takings_cents,
    refunds = counted.refunds + excluded.refunds,
    refunds_cents = counted.refunds_cents + excluded.refunds_cents,
    fees_cents = counted.fees_cents + excluded.fees_cents;

  -- How orders and refunds stand changes, so the days on which they began are counted from the start. What happens to them while we count
  -- is an event that comes later, and makes the day be counted once more.
  v_orders := array(
    select distinct substr(event.stream_id, 7)::uuid from ledger.event
    where (event.epoch, event.xid, event.position) > (v_from.epoch, v_from.xid, v_from.position)
      and (event.epoch, event.xid, event.position) <= (v_to.epoch, v_to.xid, v_to.position)
      and event.stream_id like 'order-%'
  );
  v_order_days := array(
    select distinct (placed_at at time zone p_time_zone)::date
    from ledger.order_summary where order_id = any (v_orders)
  );
  delete from ledger.order_day where day = any (v_order_days);
  insert into ledger.order_day (day, payment_status, refund_status, delivery_option, orders)
  select * from ledger.count_order_days(p_time_zone, v_order_days);
  v_refund_days := array(
    select distinct (requested_at at time zone p_time_zone)::date
    from ledger.refund_history where order_id = any (v_orders)
  );
  delete from ledger.refund_day where day = any (v_refund_days);
  insert into ledger.refund_day (day, status, refunds)
  select * from ledger.count_refund_days(p_time_zone, v_refund_days);

  update ledger.day_progress set epoch = v_to.epoch, xid = v_to.xid, position = v_to.position;
  return v_events;
end
$$;

-- What the events after one place and up to another moved, day by day. Without an end: up to the newest that can be seen.
create function ledger.money_between(p_time_zone text, p_from ledger.day_progress, p_to ledger.day_progress)
returns table (day date, orders bigint, takings_cents bigint, refunds bigint, refunds_cents bigint, fees_cents bigint)
language sql stable parallel safe
begin atomic
  select
    (event.occurred_at at time zone p_time_zone)::date,
    count(*) filter (where event.type = 'PaymentCaptured'),
    coalesce(sum(event.amount_cents) filter (where event.type = 'PaymentCaptured'), 0)::bigint,
    count(*) filter (where event.type in ('RefundCompleted', 'ExternalRefundRecorded')),
    coalesce(sum(event.amount_cents) filter (where event.type in ('RefundCompleted', 'ExternalRefundRecorded')), 0)::bigint,
    coalesce(sum(event.amount_cents) filter (where event.type = 'ProcessingFeeAssessed'), 0)::bigint
  from ledger.event
  where (event.epoch, event.xid, event.position) > ((p_from).epoch, (p_from).xid, (p_from).position)
    and ((p_to).epoch is null or (event.epoch, event.xid, event.position) <= ((p_to).epoch, (p_to).xid, (p_to).position))
    and event.type in ('PaymentCaptured', 'RefundCompleted', 'ExternalRefundRecorded', 'ProcessingFeeAssessed')
  group by 1;
end;

create function ledger.count_order_days(p_time_zone text, p_days date[])
returns table (day date, payment_status text, refund_status text, delivery_option text, orders bigint)
language sql stable parallel safe
begin atomic
  select days.day, summary.payment_status, summary.refund_status, summary.delivery_option, count(*)
  from unnest(p_days) as days (day)
  join ledger.order_summary summary
    on summary.placed_at >= ledger.start_of_day(days.day, p_time_zone)
    and summary.placed_at < ledger.start_of_day(days.day + 1, p_time_zone)
  group by 1, 2, 3, 4;
end;

create function ledger.count_refund_days(p_time_zone text, p_days date[])
returns table (day date, status text, refunds bigint)
language sql stable parallel safe
begin atomic
  select days.day, refund.status, count(*)
  from unnest(p_days) as days (day)
  join ledger.refund_history refund
    on refund.requested_at >= ledger.start_of_day(days.day, p_time_zone)
    and refund.requested_at < ledger.start_of_day(days.day + 1, p_time_zone)
  group by 1, 2;
end;

-- How far the days are counted that begin in this time zone: if they were counted in another one, not at all.
create function ledger.counted_to(p_time_zone text) returns ledger.day_progress
language sql stable
begin atomic
  select progress.only_row, p_time_zone,
    (case when progress.time_zone = p_time_zone then progress.epoch else 0 end)::smallint,
    case when progress.time_zone = p_time_zone then progress.xid else '0'::xid8 end,
    case when progress.time_zone = p_time_zone then progress.position else 0 end
  from ledger.day_progress progress;
end;

-- Orders that something happened to since the days were counted.
create function ledger.orders_since(p_from ledger.day_progress) returns uuid[]
language sql stable
begin atomic
  select array(
    select distinct substr(event.stream_id, 7)::uuid from ledger.event
    where (event.epoch, event.xid, event.position) > ((p_from).epoch, (p_from).xid, (p_from).position)
      and event.stream_id like 'order-%'
  );
end;

-- Days on which orders or refunds began that something happened to since the days were counted.
create function ledger.touched_order_days(p_time_zone text) returns date[]
language sql stable
begin atomic
  select array(
    select distinct (summary.placed_at at time zone p_time_zone)::date
    from ledger.order_summary summary
    where summary.order_id = any (ledger.orders_since(ledger.counted_to(p_time_zone)))
  );
end;

create function ledger.touched_refund_days(p_time_zone text) returns date[]
language sql stable
begin atomic
  select array(
    select distinct (refund.requested_at at time zone p_time_zone)::date
    from ledger.refund_history refund
    where refund.order_id = any (ledger.orders_since(ledger.counted_to(p_time_zone)))
  );
end;

-- The three tables as they would be if everything were counted now. They write nothing, so that a replica can answer them; and they are
-- single statements, so that PostgreSQL plans them together with what asks.
create function ledger.order_days_now(p_time_zone text)
returns table (day date, payment_status text, refund_status text, delivery_option text, orders bigint)
language sql stable
begin atomic
  select counted.day, counted.payment_status, counted.refund_status, counted.delivery_option, counted.orders::bigint
  from ledger.order_day counted
  where (select (ledger.counted_to(p_time_zone)).epoch) > 0
    and counted.day <> all ((select ledger.touched_order_days(p_time_zone))::date[])
  union all
  select now.day, now.payment_status, now.refund_status, now.delivery_option, now.orders
  from ledger.count_order_days(p_time_zone, (select ledger.touched_order_days(p_time_zone))) now;
end;

create function ledger.refund_days_now(p_time_zone text)
returns table (day date, status text, refunds bigint)
language sql stable
begin atomic
  select counted.day, counted.status, counted.refunds::bigint
  from ledger.refund_day counted
  where (select (ledger.counted_to(p_time_zone)).epoch) > 0
    and counted.day <> all ((select ledger.touched_refund_days(p_time_zone))::date[])
  union all
  select now.day, now.status, now.refunds
  from ledger.count_refund_days(p_time_zone, (select ledger.touched_refund_days(p_time_zone))) now;
end;

create function ledger.money_days_now(p_time_zone text, p_first date, p_last date)
returns table (day date, orders bigint, takings_cents bigint, refunds bigint, refunds_cents bigint, fees_cents bigint)
language sql stable
begin atomic
  select part.day, sum(part.orders)::bigint, sum(part.takings_cents)::bigint, sum(part.refunds)::bigint,
    sum(part.refunds_cents)::bigint, sum(part.fees_cents)::bigint
  from (
    select counted.day, counted.orders::bigint, counted.takings_cents, counted.refunds::bigint, counted.refunds_cents,
      counted.fees_cents
    from ledger.money_day counted
    where (select (ledger.counted_to(p_time_zone)).epoch) > 0
    union all
    select now.day, now.orders, now.takings_cents, now.refunds, now.refunds_cents, now.fees_cents
    from ledger.money_between(p_time_zone, ledger.counted_to(p_time_zone), null) now
  ) part
  where part.day between p_first and p_last
  group by part.day;
end;

-- Few orders have refunds, and whoever looks for them must not read all the others. Payments do not touch this index.
create index order_summary_with_refund on ledger.order_summary (refund_status, placed_at desc, order_id desc)
  where refund_status <> 'none';
create index refund_history_unsettled on ledger.refund_history (status, requested_at desc, refund_id desc)
  where status <> 'completed';

-- What people read out on the telephone, or copy from Square.
create index order_summary_last_eight on ledger.order_summary (right(order_id::text, 8));

-- Words as people look for them: without capitals and accents. The collation is PostgreSQL's own, so that every server agrees on it.
create function ledger.search_words(p_text text) returns text[]
language sql immutable strict parallel safe
return array_remove(
  regexp_split_to_array(
    lower(regexp_replace(normalize(p_text, nfkd), U&'[\0300-\036F]', '', 'g') collate pg_c_utf8),
    '[^[:alnum:]]+'
  ),
  ''
);

-- What an order is found by, beside its ids: each word of the name and of the first part of the email, the email, its domain, the telephone
-- number. Cut, because an order must not fail on an index that takes only so much. Searching by the beginnings of words needs no extension of
-- PostgreSQL and, other than searching anywhere within them, never looks at what it does not find.
create function ledger.contact_words(p_name text, p_email text, p_phone text) returns tsvector
language sql immutable parallel safe
return array_to_tsvector(
  array_remove(
    ledger.search_words(left(coalesce(p_name, ''), 200))
    || ledger.search_words(left(split_part(coalesce(p_email, ''), '@', 1), 200))
    || array[
      left(lower(coalesce(p_email, '') collate pg_c_utf8), 300),
      left(lower(split_part(coalesce(p_email, ''), '@', 2) collate pg_c_utf8), 300),
      left(coalesce(p_phone, ''), 30)
    ],
    ''
  )
);

create function ledger.word_beginning(p_word text) returns text
language sql immutable strict parallel safe
return '''' || replace(replace(left(p_word, 300), '\', '\\'), '''', '''''') || ''':*';

-- What somebody typed, as a question to those words: all of it has to be found, each part as the beginning of a word. A part with
-- points or hyphens in it may also be the beginning of an email or of its domain. Nothing to look for is null, which finds nothing.
create function ledger.search_query(p_text text) returns tsquery
language sql immutable strict parallel safe
begin atomic
  with typed as (
    select lower(btrim(p_text) collate pg_c_utf8) as text, regexp_replace(p_text, '[^0-9]+', '', 'g') as digits
  ), part as (
    select part.text, ledger.search_words(part.text) as words
    from typed, regexp_split_to_table(typed.text, '[[:space:]]+') as part (text)
    -- A telephone number, however it is written, is one word: without what stands between the digits, and without the country.
    where not (typed.text ~ '^[0-9 ().+-]+$' and length(typed.digits) between 7 and 11)
    union all
    select '', array[regexp_replace(typed.digits, '^1(?=[0-9]{10}$)', '')]
    from typed where typed.text ~ '^[0-9 ().+-]+$' and length(typed.digits) between 7 and 11
  )
  select string_agg(
    case
      when part.text like '%@%' then ledger.word_beginning(ltrim(part.text, '@'))
      when cardinality(part.words) = 1 then ledger.word_beginning(part.words[1])
      else '(' || ledger.word_beginning(part.text) || ' | (' || (
        select string_agg(ledger.word_beginning(word), ' & ') from unnest(part.words) word
      ) || '))'
    end,
    ' & '
  )::tsquery
  from part where cardinality(part.words) > 0;
end;

create index customer_contact_words on ledger.customer_contact using gin (ledger.contact_words(name, email, phone));

revoke all on function
  ledger.start_of_day, ledger.count_days, ledger.money_between, ledger.count_order_days, ledger.count_refund_days,
  ledger.counted_to, ledger.orders_since, ledger.touched_order_days, ledger.touched_refund_days,
  ledger.order_days_now, ledger.refund_days_now, ledger.money_days_now,
  ledger.search_words, ledger.contact_words, ledger.search_query, ledger.word_beginning
from public;
grant execute on function
  ledger.start_of_day, ledger.money_between, ledger.count_order_days, ledger.count_refund_days,
  ledger.counted_to, ledger.orders_since, ledger.touched_order_days, ledger.touched_refund_days,
  ledger.order_days_now, ledger.refund_days_now, ledger.money_days_now
to kilim_app, kilim_report;
grant execute on function
  ledger.count_days, ledger.search_words, ledger.contact_words, ledger.search_query, ledger.word_beginning
to kilim_app;
grant select on ledger.order_day, ledger.refund_day, ledger.money_day, ledger.day_progress to kilim_app, kilim_report;
