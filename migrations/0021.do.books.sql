-- A rebuild puts a new list of payout entries in the old one's place. A function that holds the very table it was made with would fail for
-- whoever waits for it meanwhile; this one finds the table by its name, after it has waited.
create or replace function ledger.list_payout_entries(p_stream_id text) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
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
end
$$;

-- The last proof of the whole ledger is remembered too. Only an operator's command makes one; the application shows it.
alter table ledger.finding drop constraint finding_name_check;
alter table ledger.finding add constraint finding_name_check check (name in ('books', 'reconciliation', 'verification'));
