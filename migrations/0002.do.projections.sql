-- Tables derived from the ledger, so that lists, totals and searches need not read events: the current state of orders
-- and refunds, and counts by day. Also what is personal, which is outside the ledger so that it can be erased.

-- Orders and refunds

create table ledger.order_summary (
  order_id uuid primary key,
  version integer not null,
  payment_id text collate "C" unique,
  square_payment_id text collate "C",
  payment_status text collate "C" not null,
  delivery_option text collate "C" not null,
  rug_count integer not null,
  total_cents bigint not null,
  captured_cents bigint not null,
  refund_pending_cents bigint not null,
  refunded_cents bigint not null,
  refundable_cents bigint not null,
  placed_at timestamptz not null,
  paid_at timestamptz,
  updated_at timestamptz not null,
  fee_cents bigint not null default 0,
  dispute_status text collate "C" not null default 'none',
  refund_status text collate "C" not null,
  pickup_day text collate "C",
  pickup_window text collate "C",
  stage text collate "C" not null default 'waiting',
  supplement_of uuid,
  supplement_id uuid,
  constraint order_summary_never_more_out_than_in
    check (refund_pending_cents + refunded_cents <= captured_cents and captured_cents <= total_cents)
) with (fillfactor = 80);
comment on table ledger.order_summary is
  'One row per order, written and checked by ledger.append_to_order; a CHECK would be parsed for each statement.';
comment on column ledger.order_summary.version is
  'The head of the stream. An append requires the expected version, so of two concurrent appends one fails.';
comment on column ledger.order_summary.refundable_cents is
  'Follows from the amounts, as refund_status does. Not generated, because PostgreSQL would parse the expression for '
  'every statement. The command `ledger compare` checks both columns against the events.';
comment on column ledger.order_summary.pickup_day is
  'The day that the shop and the customer agreed on: ''2026-11-27''. The wished day is personal: '
  'ledger.customer_contact.';
comment on column ledger.order_summary.pickup_window is 'The agreed time of that day: ''morning''.';
comment on column ledger.order_summary.stage is 'Where the rugs are: waiting, received, ready or handed-over.';
comment on column ledger.order_summary.supplement_of is
  'The order of which this one pays a difference. It is no order of a list or a count.';
comment on column ledger.order_summary.supplement_id is
  'The difference that the customer was asked to pay last, unless the request was withdrawn.';
comment on constraint order_summary_never_more_out_than_in on ledger.order_summary is
  'The last line of defence: never refund more than was captured, whatever the code above believes.';

create index order_summary_newest_first on ledger.order_summary (placed_at desc, order_id desc);
create index order_summary_paid on ledger.order_summary (paid_at) where payment_status = 'paid';
comment on index ledger.order_summary_paid is 'For reconciliation, which asks for the payments of a span of time.';
create index order_summary_square_payment on ledger.order_summary (square_payment_id);
comment on index ledger.order_summary_square_payment is 'For what Square reports: it names the payment.';
create index order_summary_with_refund on ledger.order_summary (refund_status, placed_at desc, order_id desc)
  where refund_status <> 'none';
comment on index ledger.order_summary_with_refund is
  'Few orders have refunds, so a filter for them need not read the others. Payments do not update this index.';
create index order_summary_pickup_day on ledger.order_summary (pickup_day) where pickup_day is not null;
comment on index ledger.order_summary_pickup_day is
  'For the pickups of a day. No payment or refund updates this index.';
create index order_summary_stage on ledger.order_summary (stage, placed_at desc, order_id desc)
  where stage <> 'waiting' and stage <> 'handed-over';
comment on index ledger.order_summary_stage is 'Few orders are in the shop. No payment updates this index.';
create index order_summary_supplements on ledger.order_summary (supplement_of) where supplement_of is not null;
comment on index ledger.order_summary_supplements is 'For an order with the orders that pay its differences.';
create index order_summary_supplement on ledger.order_summary (supplement_id) where supplement_id is not null;
comment on index ledger.order_summary_supplement is 'For the link that pays a difference.';
create index order_summary_last_eight on ledger.order_summary (right(order_id::text, 8));
comment on index ledger.order_summary_last_eight is
  'For the short order number that people read out or copy from Square.';

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
  paid_by text collate "C",
  paid_on text collate "C",
  reference text collate "C",
  constraint refund_history_split_is_the_amount
    check (services_cents + add_ons_cents + delivery_cents + minimum_cents + sales_tax_cents = amount_cents)
) with (fillfactor = 80);
comment on table ledger.refund_history is 'One row per refund, written by ledger.append_to_order.';
comment on column ledger.refund_history.paid_by is
  'How the customer got the money outside Square: check, cash or bank-transfer. Null: by Square.';
comment on column ledger.refund_history.paid_on is 'The day on the check or the transfer: 2026-11-24.';
comment on column ledger.refund_history.reference is 'The number of the check or the transfer.';

create index refund_history_of_order on ledger.refund_history (order_id);
create index refund_history_newest_first on ledger.refund_history (requested_at desc, refund_id desc);
create index refund_history_unsettled on ledger.refund_history (status, requested_at desc, refund_id desc)
  where status <> 'completed';

create function ledger.refund_status(p_pending_cents bigint, p_refunded_cents bigint, p_captured_cents bigint)
returns text
language sql immutable
return case
  when p_pending_cents > 0 then 'pending'
  when p_refunded_cents = 0 then 'none'
  when p_refunded_cents = p_captured_cents then 'full'
  else 'partial'
end;
comment on function ledger.refund_status is
  'The refund status of the back office. It follows from the amounts alone. PostgreSQL inlines it.';

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
    select from ledger.event explained
    where explained.stream_id = 'resolutions' and explained.type = 'DifferenceExplained'
      and explained.payload ->> 'code' = 'RefundFailed' and explained.payload ->> 'squareId' = failed.refund_id
      and not exists (
        select from ledger.event undone
        where undone.stream_id = 'resolutions' and undone.type = 'ExplanationUndone'
          and (undone.payload ->> 'undoes')::integer = explained.version
      )
  );
comment on view ledger.owed_refund is
  'Failed refunds whose customers still wait for the money: nobody has tried again since, given it back otherwise or '
  'explained it. A view, so that the planner uses the index of the order or of failed refunds.';

-- What is personal: contacts, the texts of refunds, notes

create table ledger.customer_contact (
  order_id uuid primary key,
  salt bytea not null check (length(salt) = 16),
  name text not null,
  email text not null,
  phone text not null,
  street text,
  unit text,
  city text,
  state text,
  zip_code text,
  pickup_day text,
  pickup_window text,
  driver_note text,
  receipt_token_hash bytea not null check (length(receipt_token_hash) = 32)
);
comment on table ledger.customer_contact is
  'Personal data, outside the ledger so that it can be erased. The event holds only a salted digest.';
comment on column ledger.customer_contact.receipt_token_hash is
  'SHA-256 of a cookie of the ordering browser. Only that browser sees the contact unmasked on the receipt.';
comment on column ledger.customer_contact.unit is 'Apartment, suite or floor.';
create index customer_contact_pickup_day on ledger.customer_contact (pickup_day) where pickup_day is not null;
comment on index ledger.customer_contact_pickup_day is 'For the days that have no room for another pickup.';
comment on column ledger.customer_contact.pickup_day is 'The day that the customer would like: ''2026-11-25''.';
comment on column ledger.customer_contact.pickup_window is 'The time that the customer would like: ''morning''.';

-- An append calls this in its own statement.
create function ledger.keep_contact(p_contact json) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_order_id constant uuid := p_contact ->> 'order_id';
begin
  if not exists (
    select from ledger.event
    where event.stream_id = 'order-' || v_order_id and event.version = 1 and event.type = 'OrderPlaced'
  ) then
    raise exception 'There is no order % whose contact could be kept', v_order_id using errcode = 'KLM03';
  end if;
  insert into ledger.customer_contact
  select * from json_populate_record(null::ledger.customer_contact, p_contact)
  on conflict (order_id) do nothing;
  return true;
end
$$;
comment on function ledger.keep_contact is 'Stores the contact of an order. An order keeps its first one.';

create table ledger.refund_text (
  refund_id text primary key,
  order_id uuid not null,
  salt bytea not null check (length(salt) = 16),
  reason text,
  notes text,
  check (num_nonnulls(reason, notes) > 0)
);
comment on table ledger.refund_text is
  'What administrators wrote about a refund, which may name people. Erasing the contact of the order deletes it. The '
  'event RefundRequested holds a salted digest.';

create index refund_text_order on ledger.refund_text (order_id);

-- An append calls this in its own statement.
create function ledger.keep_refund_text(
  p_order_id uuid, p_refund_id text, p_salt bytea, p_reason text, p_notes text
) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (
    select from ledger.event
    where event.stream_id = 'order-' || p_order_id and event.type = 'RefundRequested'
      and event.refund_id = p_refund_id and event.payload::jsonb ? 'textDigest'
  ) then
    raise exception 'The stream of order % has no refund % with a digest of its text', p_order_id, p_refund_id
      using errcode = 'KLM03';
  end if;
  insert into ledger.refund_text (refund_id, order_id, salt, reason, notes)
  values (p_refund_id, p_order_id, p_salt, p_reason, p_notes);
  return true;
end
$$;
comment on function ledger.keep_refund_text is
  'Stores a text once, and only for a refund that the stream requested with a digest.';

create table ledger.order_note (
  id bigint generated always as identity primary key,
  order_id uuid not null,
  text text check (length(text) between 1 and 2000),
  written_by text not null,
  written_at timestamptz not null default clock_timestamp(),
  deleted_by text,
  deleted_at timestamptz,
  constraint order_note_deleted
    check ((text is null) = (deleted_at is not null) and (deleted_by is null) = (deleted_at is null))
);
comment on table ledger.order_note is 'Notes about orders. Erasing the contact of an order deletes its notes.';

create index order_note_order on ledger.order_note (order_id);

create function ledger.write_order_note(p_order_id uuid, p_text text, p_by text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into ledger.order_note (order_id, text, written_by)
  select order_id, p_text, p_by from ledger.order_summary
  where order_id = p_order_id
    and (select count(*) from ledger.order_note written where written.order_id = p_order_id) < 200;
  return found;
end
$$;
comment on function ledger.write_order_note is 'False when there is no such order, or when it has 200 notes already.';

create function ledger.delete_order_note(p_order_id uuid, p_id bigint, p_by text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update ledger.order_note set text = null, deleted_by = p_by, deleted_at = clock_timestamp()
  where order_note.order_id = p_order_id and order_note.id = p_id and order_note.text is not null;
  return found;
end
$$;
comment on function ledger.delete_order_note(uuid, bigint, text) is
  'Deletes the text of a note. Its author, its time and who deleted it remain.';

create function ledger.forget_contact(p_order_id uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (
    select from ledger.event where event.stream_id = 'order-' || p_order_id and event.type = 'ContactErased'
  ) then
    raise exception 'The stream of order % does not say that its contact was erased', p_order_id
      using errcode = 'KLM03';
  end if;
  delete from ledger.refund_text where refund_text.order_id = p_order_id;
  delete from ledger.order_note where order_note.order_id = p_order_id;
  delete from ledger.customer_contact where customer_contact.order_id = p_order_id;
  return found;
end
$$;
comment on function ledger.forget_contact is
  'Deletes the contact of an order, its notes, the texts of its refunds, the salts, without which the digests in the '
  'ledger reveal nothing, and the key to the receipt. It requires an event ContactErased, so that every erasure leaves '
  'a trace. Returns whether there was a contact.';

-- The search for the words of contacts

create function ledger.search_words(p_text text) returns text[]
language sql immutable strict parallel safe
return array_remove(
  regexp_split_to_array(
    translate(
      replace(replace(replace(replace(
        lower(regexp_replace(normalize(p_text, nfkd), U&'[\0300-\036F]', '', 'g') collate pg_c_utf8),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      'øłđðħı', 'olddhi'
    ),
    '[^[:alnum:]]+'
  ),
  ''
);
comment on function ledger.search_words is
  'The words of a text, in lower case and without accents. The collation is built into PostgreSQL, so all servers '
  'return the same words.';

create function ledger.contact_words(p_name text, p_email text, p_phone text) returns tsvector
language sql immutable parallel safe
return array_to_tsvector(
  array_remove(
    ledger.search_words(left(coalesce(p_name, ''), 200))
    || ledger.search_words(regexp_replace(left(coalesce(p_name, ''), 200), '[''’‘ʼ‐‑-]', '', 'g'))
    || ledger.search_words(
      replace(replace(replace(
        lower(left(coalesce(p_name, ''), 200) collate pg_c_utf8), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue')
    )
    || ledger.search_words(left(split_part(coalesce(p_email, ''), '@', 1), 200))
    || array[
      left(lower(coalesce(p_email, '') collate pg_c_utf8), 300),
      left(lower(split_part(coalesce(p_email, ''), '@', 2) collate pg_c_utf8), 300),
      left(coalesce(p_phone, ''), 30),
      right(coalesce(p_phone, ''), 7),
      right(coalesce(p_phone, ''), 4)
    ],
    ''
  )
);
comment on function ledger.contact_words is
  'The words that find an order, in addition to its ids: each word of the name and of the local part of the email '
  'address, the address, its domain, and the telephone number. A clerk at the telephone hears obrien for O''Brien, '
  'mueller for Müller, and the last digits of a number. Truncated, so that no order exceeds the size limit of the '
  'index. Searching for beginnings of words needs no extension and, unlike searching inside words, reads only the '
  'matches.';

create index customer_contact_words on ledger.customer_contact using gin (ledger.contact_words(name, email, phone));

create function ledger.word_beginning(p_word text) returns text
language sql immutable strict parallel safe
return '''' || replace(replace(left(p_word, 300), '\', '\\'), '''', '''''') || ''':*';
comment on function ledger.word_beginning is 'The part of a tsquery that matches words with this beginning.';

create function ledger.search_query(p_text text) returns tsquery
language sql immutable strict parallel safe begin atomic
  with typed as (
    select lower(btrim(p_text) collate pg_c_utf8) as text, regexp_replace(p_text, '[^0-9]+', '', 'g') as digits
  ), part as (
    select part.text, ledger.search_words(part.text) as words
    from typed, regexp_split_to_table(typed.text, '[[:space:]]+') as part (text)
    -- A telephone number is one word: its digits, without the country code.
    where not (typed.text ~ '^[0-9 ().+-]+$' and length(typed.digits) between 7 and 11)
    union all
    select ''::text, array[regexp_replace(typed.digits, '^1(?=[0-9]{10}$)', '')]
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
comment on function ledger.search_query is
  'Converts the text of a search field. All parts must match, each as the beginning of a word. A part with dots or '
  'hyphens also matches the beginning of an email address or of its domain. Null, which matches nothing, when the text '
  'has no words.';

create function ledger.orders_with_words(p_query tsquery, p_most integer) returns setof uuid
language sql stable strict set search_path = pg_catalog, pg_temp set enable_seqscan = off begin atomic
  select contact.order_id from ledger.customer_contact contact
  where ledger.contact_words(contact.name, contact.email, contact.phone) @@ p_query
  limit p_most;
end;
comment on function ledger.orders_with_words is
  'At most p_most orders that match, always by the index. PostgreSQL would choose a sequential scan for many matches, '
  'because it ignores that the scan computes the words of every row.';

create function ledger.orders_with_common_word(p_query tsquery) returns bigint
language plpgsql stable strict security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_word constant text := substring(p_query::text from '^''([^'' ]+)'':\*$');
begin
  if v_word is null then
    return 0;
  end if;
  return coalesce((
    select max(common.share) * (select reltuples from pg_class where oid = 'ledger.customer_contact'::regclass)
    from pg_stats stats,
      unnest(stats.most_common_elems::text::text[], stats.most_common_elem_freqs) as common (word, share)
    where stats.schemaname = 'ledger' and stats.tablename = 'customer_contact_words'
      and starts_with(common.word, v_word)
  ), 0)::bigint;
end
$$;
comment on function ledger.orders_with_common_word is
  'Estimates from the statistics how many orders match a query of a single word; 0 for a rare word, for several words, '
  'and for a table that was never analyzed. A common word is searched among the newest orders first, because the index '
  'would have to collect all matches.';

-- Counts by day
--
-- They locate a page far down a list and add up totals: that reads some thousand rows instead of all orders. An append
-- does not write them. A worker later recounts the days that were affected by events since its last count; a reader
-- counts the days affected since then itself. So the sums are always exact, and the worker only makes them fast.

create table ledger.order_day (
  day date not null,
  payment_status text collate "C" not null,
  refund_status text collate "C" not null,
  delivery_option text collate "C" not null,
  orders integer not null check (orders > 0),
  primary key (day, payment_status, refund_status, delivery_option)
);
comment on table ledger.order_day is 'The number of orders placed on a day, by status, at the last count.';

create index order_day_with_refund on ledger.order_day (refund_status, payment_status) where refund_status <> 'none';
comment on index ledger.order_day_with_refund is 'A filter for orders with refunds does not read the other days.';

create table ledger.refund_day (
  day date not null,
  status text collate "C" not null,
  refunds integer not null check (refunds > 0),
  primary key (day, status)
);
comment on table ledger.refund_day is 'The number of refunds requested on a day, by status, at the last count.';

create table ledger.money_day (
  day date primary key,
  orders integer not null,
  takings_cents bigint not null,
  refunds integer not null,
  refunds_cents bigint not null,
  fees_cents bigint not null
);
comment on table ledger.money_day is
  'The money that the events of a day moved. Events never change, so values are only added.';

create table ledger.day_progress (
  only_row boolean primary key default true check (only_row),
  time_zone text not null,
  epoch smallint not null,
  xid xid8 not null,
  position bigint not null
);
comment on table ledger.day_progress is
  'How far the events are counted, in reading order, and the time zone of the days.';

insert into ledger.day_progress (time_zone, epoch, xid, position) values ('UTC', 0, '0', 0);

create function ledger.start_of_day(p_day date, p_time_zone text) returns timestamptz
language sql immutable parallel safe
return p_day::timestamp at time zone p_time_zone;
comment on function ledger.start_of_day is 'The instant at which a day begins in a time zone.';

create function ledger.money_between(
  p_time_zone text, p_from ledger.day_progress, p_to ledger.day_progress
) returns table (day date, orders bigint, takings_cents bigint, refunds bigint, refunds_cents bigint, fees_cents bigint)
language sql stable parallel safe begin atomic
  select
    (event.occurred_at at time zone p_time_zone)::date,
    -- A payment of a difference is no new order.
    count(*) filter (where event.type = 'PaymentCaptured' and event.stream_id not in (
      select 'order-' || supplement.order_id from ledger.order_summary supplement
      where supplement.supplement_of is not null
    )),
    coalesce(sum(event.amount_cents) filter (where event.type = 'PaymentCaptured'), 0)::bigint,
    count(*) filter (where event.type in ('RefundCompleted', 'ExternalRefundRecorded')),
    coalesce(
      sum(event.amount_cents) filter (where event.type in ('RefundCompleted', 'ExternalRefundRecorded')), 0
    )::bigint,
    coalesce(sum(event.amount_cents) filter (where event.type = 'ProcessingFeeAssessed'), 0)::bigint
  from ledger.event
  where (event.epoch, event.xid, event.position) > ((p_from).epoch, (p_from).xid, (p_from).position)
    and (
      (p_to).epoch is null
      or (event.epoch, event.xid, event.position) <= ((p_to).epoch, (p_to).xid, (p_to).position)
    )
    and event.type in ('PaymentCaptured', 'RefundCompleted', 'ExternalRefundRecorded', 'ProcessingFeeAssessed')
  group by 1;
end;
comment on function ledger.money_between is
  'The money that the events after p_from moved on each day, up to p_to or, if it is null, the newest visible event. '
  'Returned orphan payments and refunds above the refundable amount are no refunds of sales, so they do not count.';

create function ledger.count_order_days(p_time_zone text, p_days date[])
returns table (day date, payment_status text, refund_status text, delivery_option text, orders bigint)
language sql stable parallel safe begin atomic
  -- Counted out instead of joined out: without statistics of the table, the condition seems to leave few rows, and each
  -- day would read all of them.
  select days.day, summary.payment_status, summary.refund_status, summary.delivery_option,
    count(*) filter (where summary.supplement_of is null)
  from unnest(p_days) as days (day)
  join ledger.order_summary summary
    on summary.placed_at >= ledger.start_of_day(days.day, p_time_zone)
    and summary.placed_at < ledger.start_of_day(days.day + 1, p_time_zone)
  group by 1, 2, 3, 4
  having count(*) filter (where summary.supplement_of is null) > 0;
end;
comment on function ledger.count_order_days is 'The current rows of ledger.order_day for these days.';

create function ledger.count_refund_days(p_time_zone text, p_days date[])
returns table (day date, status text, refunds bigint)
language sql stable parallel safe begin atomic
  select days.day, refund.status, count(*)
  from unnest(p_days) as days (day)
  join ledger.refund_history refund
    on refund.requested_at >= ledger.start_of_day(days.day, p_time_zone)
    and refund.requested_at < ledger.start_of_day(days.day + 1, p_time_zone)
  group by 1, 2;
end;
comment on function ledger.count_refund_days is 'The current rows of ledger.refund_day for these days.';

create function ledger.count_days(p_time_zone text, p_most_events integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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

  -- Fix the end of the range first. No events are added below the oldest running transaction, so all statements below
  -- see the same events. Transaction ids from before a restore (lower epoch) cannot be compared with running ones.
  select count(*) into v_events from (
    select from ledger.event
    where (event.epoch, event.xid, event.position) > (v_from.epoch, v_from.xid, v_from.position)
      and (
        event.xid < pg_snapshot_xmin(pg_current_snapshot())
        or event.epoch < (select ledger.current_epoch())
      )
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

  -- The status of orders and refunds changes, so their days are recounted. A change during the count is a later event,
  -- which causes another recount.
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
comment on function ledger.count_days is
  'Counts at most p_most_events further events and returns their number; call it until it returns 0. It also returns 0 '
  'while another process is counting. A changed time zone deletes all counts.';

create function ledger.counted_to(p_time_zone text) returns ledger.day_progress
language sql stable begin atomic
  select progress.only_row, p_time_zone,
    (case when progress.time_zone = p_time_zone then progress.epoch else 0 end)::smallint,
    case when progress.time_zone = p_time_zone then progress.xid else '0'::xid8 end,
    case when progress.time_zone = p_time_zone then progress.position else 0 end
  from ledger.day_progress progress;
end;
comment on function ledger.counted_to is
  'How far the days of this time zone are counted: not at all if the counts are for another one.';

create function ledger.orders_since(p_from ledger.day_progress) returns uuid[]
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  v_newest record;
begin
  select event.epoch, event.xid, event.position into v_newest
  from ledger.event order by event.epoch desc, event.xid desc, event.position desc limit 1;
  if not found
    or (v_newest.epoch, v_newest.xid, v_newest.position) <= (p_from.epoch, p_from.xid, p_from.position)
  then
    return '{}';
  end if;
  return array(
    select distinct substr(event.stream_id, 7)::uuid from ledger.event
    where (event.epoch, event.xid, event.position) > (p_from.epoch, p_from.xid, p_from.position)
      and event.stream_id like 'order-%'
  );
end
$$;
comment on function ledger.orders_since is
  'Orders with events after the last count. Usually one index lookup with a cached plan shows that there are none. Not '
  'written in SQL, which PostgreSQL would plan anew for each page of a list.';

create function ledger.touched_order_days(p_time_zone text) returns date[]
language sql stable begin atomic
  select array(
    select distinct (summary.placed_at at time zone p_time_zone)::date
    from ledger.order_summary summary
    where summary.order_id = any (ledger.orders_since(ledger.counted_to(p_time_zone)))
  );
end;
comment on function ledger.touched_order_days is 'Days of orders with events after the last count.';

create function ledger.touched_refund_days(p_time_zone text) returns date[]
language sql stable begin atomic
  select array(
    select distinct (refund.requested_at at time zone p_time_zone)::date
    from ledger.refund_history refund
    where refund.order_id = any (ledger.orders_since(ledger.counted_to(p_time_zone)))
  );
end;
comment on function ledger.touched_refund_days is 'Days of the refunds of orders with events after the last count.';

create function ledger.order_days_now(p_time_zone text)
returns table (day date, payment_status text, refund_status text, delivery_option text, orders bigint)
language sql stable begin atomic
  with touched as materialized (select ledger.touched_order_days(p_time_zone) as days)
  select counted.day, counted.payment_status, counted.refund_status, counted.delivery_option, counted.orders::bigint
  from ledger.order_day counted
  where (select (ledger.counted_to(p_time_zone)).epoch) > 0
    and counted.day <> all ((select days from touched)::date[])
  union all
  select now.day, now.payment_status, now.refund_status, now.delivery_option, now.orders
  from ledger.count_order_days(p_time_zone, (select days from touched)) now;
end;
comment on function ledger.order_days_now is
  'The current rows of ledger.order_day. A single SQL statement, as the next two functions are, so that PostgreSQL '
  'inlines it into the calling query.';

create function ledger.refund_days_now(p_time_zone text) returns table (day date, status text, refunds bigint)
language sql stable begin atomic
  with touched as materialized (select ledger.touched_refund_days(p_time_zone) as days)
  select counted.day, counted.status, counted.refunds::bigint
  from ledger.refund_day counted
  where (select (ledger.counted_to(p_time_zone)).epoch) > 0
    and counted.day <> all ((select days from touched)::date[])
  union all
  select now.day, now.status, now.refunds
  from ledger.count_refund_days(p_time_zone, (select days from touched)) now;
end;
comment on function ledger.refund_days_now is 'The current rows of ledger.refund_day.';

create function ledger.money_days_now(
  p_time_zone text, p_first date, p_last date
) returns table (day date, orders bigint, takings_cents bigint, refunds bigint, refunds_cents bigint, fees_cents bigint)
language sql stable begin atomic
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
comment on function ledger.money_days_now is 'The current rows of ledger.money_day from one day to another.';

-- Rights

revoke all on all functions in schema ledger from public;
grant execute on function
  ledger.start_of_day, ledger.money_between, ledger.count_order_days, ledger.count_refund_days, ledger.counted_to,
  ledger.orders_since, ledger.touched_order_days, ledger.touched_refund_days, ledger.order_days_now,
  ledger.refund_days_now, ledger.money_days_now
to kilim_server, kilim_report;
grant execute on function
  ledger.keep_contact, ledger.keep_refund_text, ledger.write_order_note, ledger.delete_order_note,
  ledger.forget_contact, ledger.search_words, ledger.contact_words, ledger.word_beginning, ledger.search_query,
  ledger.orders_with_words, ledger.orders_with_common_word, ledger.count_days, ledger.refund_status
to kilim_server;
grant select on
  ledger.order_summary, ledger.refund_history, ledger.order_day, ledger.refund_day, ledger.money_day,
  ledger.day_progress
to kilim_server, kilim_report;
grant select on ledger.owed_refund, ledger.customer_contact, ledger.refund_text, ledger.order_note to kilim_server;
-- Of a customer, a proof learns only that there is a contact.
grant select (order_id) on ledger.customer_contact to kilim_verifier;
grant select (order_id, refund_id) on ledger.refund_text to kilim_verifier;
