-- What each payout of Square's is made of, to be matched with payments, refunds and disputes. All of it comes from the events of the
-- streams `payout-...`, by the one statement below, so it can be thrown away and made again.
create table ledger.payout_entry (
  entry_id text collate "C" primary key,
  payout_id text collate "C" not null,
  -- Square's type of activity: CHARGE, REFUND, DISPUTE, ...
  activity text collate "C" not null,
  -- What the ledger knew of it when it was recorded.
  standing text collate "C" not null,
  square_payment_id text collate "C",
  square_refund_id text collate "C",
  square_dispute_id text collate "C",
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null,
  effective_at timestamptz,
  constraint payout_entry_adds_up check (net_cents = gross_cents - fee_cents)
);
create index payout_entry_of_refund on ledger.payout_entry (square_refund_id) where square_refund_id is not null;
create index payout_entry_of_payment on ledger.payout_entry (square_payment_id) where square_payment_id is not null;
create index payout_entry_of_payout on ledger.payout_entry (payout_id);
-- Few: what no order's event has booked is looked for without reading all the others.
create index payout_entry_not_of_orders on ledger.payout_entry (standing) where standing <> 'order';

-- Called by whoever appended the entries of a payout, in the same transaction; called for all payouts, it makes the table anew.
create function ledger.list_payout_entries(p_stream_id text) returns void
language sql security definer
set search_path = pg_catalog, pg_temp
begin atomic
  insert into ledger.payout_entry (
    entry_id, payout_id, activity, standing, square_payment_id, square_refund_id, square_dispute_id,
    gross_cents, fee_cents, net_cents, effective_at
  )
  select
    entry ->> 'entryId', event.payload ->> 'squarePayoutId', entry ->> 'activity', entry ->> 'standing',
    entry ->> 'squarePaymentId', entry ->> 'squareRefundId', entry ->> 'squareDisputeId',
    (entry ->> 'gross')::bigint, (entry ->> 'fee')::bigint, (entry ->> 'net')::bigint, (entry ->> 'effectiveAt')::timestamptz
  from ledger.event, json_array_elements(event.payload -> 'entries') entry
  where event.type = 'PayoutEntriesRecorded' and event.stream_id = p_stream_id
  on conflict (entry_id) do nothing;
end;

-- What moves money and is rare is summed up without reading every order's events.
create index event_rare_money on ledger.event (type) include (amount_cents)
  where type in (
    'DisputeOpened', 'DisputeClosed', 'OrphanPaymentFound', 'PayoutEntriesRecorded', 'PayoutRecorded', 'PayoutPaid', 'PayoutFailed'
  );

-- What a comparison of the books found, until the next one. Nothing of it is a fact: it says how things stood at that time.
create table ledger.finding (
  name text collate "C" primary key check (name in ('books', 'reconciliation')),
  made_at timestamptz not null default clock_timestamp(),
  report jsonb not null
);

revoke all on function ledger.list_payout_entries from public;
grant execute on function ledger.list_payout_entries to kilim_app;
grant select on ledger.payout_entry to kilim_app, kilim_report;
grant select, insert, update (made_at, report) on ledger.finding to kilim_app;
