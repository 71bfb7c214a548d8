-- What Square's webhooks told: a hint that something changed there, and where to look. A hint says nothing of money: whoever takes one
-- up asks Square itself, and what Square answers is what is appended.

create table ledger.square_hint (
  -- Square's, and the same each time that it repeats itself.
  event_id text collate "C" primary key check (event_id ~ '^[!-~]{1,100}$'),
  event_type text collate "C" not null check (event_type ~ '^[!-~]{1,100}$'),
  subject text collate "C" not null check (subject in ('payment', 'refund', 'dispute', 'payout')),
  square_id text collate "C" not null check (square_id ~ '^[A-Za-z0-9_-]{1,255}$'),
  received_at timestamptz not null default clock_timestamp(),
  handled_at timestamptz,
  tries integer not null default 0,
  -- By the database's clock, as for effects.
  lease_until timestamptz not null default clock_timestamp()
) with (fillfactor = 80);

create index square_hint_due on ledger.square_hint (lease_until) where handled_at is null;

-- What waits for a person is counted each time that somebody reads the metrics.
create index effect_parked on ledger.effect (opened_at) where state = 'parked';

-- Handled hints stay for as long as Square may repeat itself: it can be asked to send again what is up to 28 days old.
create function ledger.forget_old_hints() returns integer
language sql security definer
set search_path = pg_catalog, pg_temp
begin atomic
  with forgotten as (
    delete from ledger.square_hint where handled_at < clock_timestamp() - interval '30 days' returning event_id
  )
  select count(*)::integer from forgotten;
end;

revoke all on function ledger.forget_old_hints() from public;
grant execute on function ledger.forget_old_hints() to kilim_app;
grant select, insert (event_id, event_type, subject, square_id) on ledger.square_hint to kilim_app;
grant update (handled_at, tries, lease_until) on ledger.square_hint to kilim_app;
