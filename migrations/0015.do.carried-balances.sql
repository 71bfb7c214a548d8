-- The sums of the journal by month and account, up to a place in the ledger. Reports take their opening balances from
-- them, because adding up the events of years takes seconds. They follow from the events: a server continues them every
-- few minutes, and counts all events again every day.

create table ledger.carried_balances (
  only_row boolean primary key default true check (only_row),
  carried_at timestamptz not null default clock_timestamp(),
  balances jsonb not null check (jsonb_typeof(balances) = 'object' and octet_length(balances::text) < 4 * 1024 * 1024)
);
comment on table ledger.carried_balances is
  'One row, which can be counted again from the events at any time. Nothing but reports reads it.';
comment on column ledger.carried_balances.balances is
  'The time zone, the closings in force, the last event that is counted, and the cents of each month and account.';

create function ledger.carry_balances(p_balances jsonb) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  insert into ledger.carried_balances (balances) values (p_balances)
  on conflict (only_row) do update set carried_at = clock_timestamp(), balances = excluded.balances;
end;
comment on function ledger.carry_balances is 'Replaces the carried balances.';

revoke all on function ledger.carry_balances from public;
grant execute on function ledger.carry_balances to kilim_app, kilim_server;
grant select on ledger.carried_balances to kilim_app, kilim_server, kilim_report;
