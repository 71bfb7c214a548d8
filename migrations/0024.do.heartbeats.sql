-- Background work that stops must be heard of: each job says here when it last succeeded, and why it failed since.

create table ledger.heartbeat (
  name text collate "C" primary key check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
  succeeded_at timestamptz not null default clock_timestamp(),
  failed_at timestamptz,
  failure text check (length(failure) between 1 and 300),
  check ((failed_at is null) = (failure is null))
);
comment on table ledger.heartbeat is
  'One row for each background job that the servers do. The program knows how long each may go without success.';
comment on column ledger.heartbeat.succeeded_at is
  'The last success of any server; before the first one, when a server first had this job.';
comment on column ledger.heartbeat.failure is
  'The last failure since, in words of the program or as a code. Never words of a database or a peer: they may be '
  'personal.';
grant select on ledger.heartbeat to kilim_server, kilim_app;

create function ledger.expect_jobs(p_names text[]) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  delete from ledger.heartbeat where name <> all (p_names);
  insert into ledger.heartbeat (name) select unnest(p_names) on conflict do nothing;
end;
comment on function ledger.expect_jobs is
  'The jobs of a server that starts. A job that it does not have, because it was renamed or is not configured any '
  'more, is forgotten until another server does it.';

create function ledger.beat(p_name text, p_failure text) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  insert into ledger.heartbeat (name, failed_at, failure)
  values (p_name, case when p_failure is not null then clock_timestamp() end, p_failure)
  on conflict (name) do update set
    succeeded_at = case when p_failure is null then clock_timestamp() else heartbeat.succeeded_at end,
    failed_at = excluded.failed_at,
    failure = excluded.failure;
end;
comment on function ledger.beat is 'A job succeeded, or failed for this reason.';

revoke all on function ledger.expect_jobs, ledger.beat from public;
grant execute on function ledger.expect_jobs, ledger.beat to kilim_server, kilim_app;
