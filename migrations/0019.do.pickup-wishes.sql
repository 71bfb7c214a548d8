-- What a customer may add to the address of a pickup. It is personal, so it stands beside the ledger with the rest of
-- the contact, and its digest is in the digest of the contact.

alter table ledger.customer_contact
  add column unit text,
  add column pickup_day text,
  add column pickup_window text,
  add column driver_note text;
comment on column ledger.customer_contact.unit is 'Apartment, suite or floor.';
comment on column ledger.customer_contact.pickup_day is 'The day that the customer would like: ''2026-11-25''.';
comment on column ledger.customer_contact.pickup_window is 'The time that the customer would like: ''morning''.';
