-- For the books: the entries of Square's payouts.

create table ledger.payout_entry (
  entry_id text collate "C" primary key,
  payout_id text collate "C" not null,
  activity text collate "C" not null,
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
comment on table ledger.payout_entry is
  'The entries of Squares payouts, to be matched with payments, refunds and disputes. Derived from the streams '
  'payout-... by ledger.list_payout_entries.';
comment on column ledger.payout_entry.activity is 'Squares type of activity: CHARGE, REFUND, DISPUTE, ...';
comment on column ledger.payout_entry.standing is 'What the ledger knew of the entry when it was recorded.';

create index payout_entry_of_payout on ledger.payout_entry (payout_id);
create index payout_entry_of_payment on ledger.payout_entry (square_payment_id) where square_payment_id is not null;
create index payout_entry_of_refund on ledger.payout_entry (square_refund_id) where square_refund_id is not null;
create index payout_entry_not_of_orders on ledger.payout_entry (standing) where standing <> 'order';
comment on index ledger.payout_entry_not_of_orders is 'Finds the few entries that no event of an order has booked.';

create function ledger.list_payout_entries(p_stream_id text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into ledger.payout_entry (
    entry_id, payout_id, activity, standing, square_payment_id, square_refund_id, square_dispute_id,
    gross_cents, fee_cents, net_cents, effective_at
  )
  select
    entry ->> 'entryId', event.payload ->> 'squarePayoutId', entry ->> 'activity', entry ->> 'standing',
    entry ->> 'squarePaymentId', entry ->> 'squareRefundId', entry ->> 'squareDisputeId',
    (entry ->> 'gross')::bigint, (entry ->> 'fee')::bigint, (entry ->> 'net')::bigint,
    (entry ->> 'effectiveAt')::timestamptz
  from ledger.event, json_array_elements(event.payload -> 'entries') entry
  where event.type = 'PayoutEntriesRecorded' and event.stream_id = p_stream_id
  on conflict (entry_id) do nothing;
end
$$;
comment on function ledger.list_payout_entries is
  'Inserts the entries of a payout, in the transaction that appends its events; calling it for all payouts rebuilds '
  'the table. Not written in SQL: a rebuild replaces the table, and an SQL function is bound to the old one, so a call '
  'that waits for the rebuild would fail. PL/pgSQL looks the table up after the wait.';

-- Rights

revoke all on all functions in schema ledger from public;
grant execute on function ledger.list_payout_entries to kilim_server;
grant select on ledger.payout_entry to kilim_server, kilim_report;
