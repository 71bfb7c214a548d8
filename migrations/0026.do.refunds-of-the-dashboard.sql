-- Refunds that were made in Square's dashboard are as rare as disputes, and a rebuild looks for them: they are found without reading every event.

drop index ledger.event_rare_money;
create index event_rare_money on ledger.event (type) include (amount_cents)
  where type in (
    'DisputeOpened', 'DisputeClosed', 'ExternalRefundRecorded', 'OrphanPaymentFound', 'PayoutEntriesRecorded', 'PayoutRecorded', 'PayoutPaid',
    'PayoutFailed'
  );
