-- The return of an orphan payment and a refund above what was refundable are rare and move money, so the Books page sums them through this
-- index. They are no refunds of sales: `ledger.money_between` does not count them, and they are not part of `refunded_cents`.

drop index ledger.event_rare_money;
create index event_rare_money on ledger.event (type) include (amount_cents)
  where type in (
    'DisputeOpened', 'DisputeClosed', 'ExternalRefundRecorded', 'ExcessRefundFound', 'OrphanPaymentFound', 'OrphanPaymentReturned',
    'PayoutEntriesRecorded', 'PayoutRecorded', 'PayoutPaid', 'PayoutFailed'
  );
