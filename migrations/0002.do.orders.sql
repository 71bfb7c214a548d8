-- What stands beside the stream of an order: its row for lists and guards, the customer's contact, and what is still to be asked of Square.

-- One row per order, written in the statement that appends. Its version is the head of the stream: whoever appends first moves it
-- on, and the other finds another version than it expected.
create table ledger.order_summary (
  order_id uuid primary key,
  version integer not null check (version > 0),
  payment_id text collate "C" unique,
  square_payment_id text collate "C",
  payment_status text collate "C" not null
    check (payment_status in ('unpaid', 'processing', 'paid', 'declined', 'voided')),
  delivery_option text collate "C" not null check (delivery_option in ('dropoff', 'pickup')),
  rug_count integer not null check (rug_count > 0),
  total_cents bigint not null check (total_cents >= 0),
  captured_cents bigint not null check (captured_cents between 0 and total_cents),
  refund_pending_cents bigint not null check (refund_pending_cents >= 0),
  refunded_cents bigint not null check (refunded_cents >= 0),
  refundable_cents bigint generated always as (captured_cents - refund_pending_cents - refunded_cents) stored,
  placed_at timestamptz not null,
  paid_at timestamptz,
  updated_at timestamptz not null,
  -- The last line of defence: never more money out than in, whatever the code above it believed.
  constraint order_summary_never_more_out_than_in check (captured_cents - refund_pending_cents - refunded_cents >= 0)
) with (fillfactor = 80);

create index order_summary_newest_first on ledger.order_summary (placed_at desc, order_id desc);

-- Personal data, outside the ledger so that it can be erased; the event holds a salted digest of it.
create table ledger.customer_contact (
  order_id uuid primary key,
  salt bytea not null check (length(salt) = 16),
  name text not null,
  email text not null,
  phone text not null,
  street text,
  city text,
  state text,
  zip_code text,
  -- SHA-256 of the cookie of the browser that placed the order: only that browser reads the contact back unmasked.
  receipt_token_hash bytea not null check (length(receipt_token_hash) = 32)
);

-- Something that Square is to be asked, committed together with the event that intends it. The request that serves the customer and
-- the settle worker drive effects with the same code; a lease keeps them out of each other's way, and nothing depends on it
-- but noise.
create table ledger.effect (
  key text collate "C" primary key,
  order_id uuid not null,
  payment_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('authorize', 'complete')),
  state text collate "C" not null default 'open' check (state in ('open', 'done', 'parked')),
  -- By the database's clock: the clocks of the processes are never compared.
  lease_until timestamptz not null,
  tries integer not null default 0,
  opened_at timestamptz not null default clock_timestamp()
) with (fillfactor = 80);

create index effect_due on ledger.effect (lease_until) where state = 'open';

grant select on ledger.order_summary to kilim_app, kilim_report;
grant select on ledger.customer_contact to kilim_app;
grant select on ledger.effect to kilim_app;
grant update (state, lease_until, tries) on ledger.effect to kilim_app;
