-- The ledger: an append-only table of facts. Everything else that says something about an order can be derived from it.

-- Roles are the cluster's, not the database's, so they may exist already.
-- kilim_app: what the BFF runs as. It reads, and it appends through a function; it cannot insert, update or delete an event.
-- kilim_report: what accountants' tools run as. It reads facts and projections, and no personal data.
do $$
begin
  if not exists (select from pg_roles where rolname = 'kilim_app') then create role kilim_app nologin; end if;
  if not exists (select from pg_roles where rolname = 'kilim_report') then create role kilim_report nologin; end if;
  execute format('grant kilim_app to %I', current_user);
exception
  -- Another database of the same cluster is being migrated at this moment and made the role first.
  when duplicate_object or unique_violation then null;
end
$$;

create schema ledger;

create table ledger.event (
  -- Drawn when the row is written. Order of positions is not order of commits: who reads on, reads by (epoch, xid, position)
  -- below pg_snapshot_xmin(pg_current_snapshot()), or misses events of transactions that commit late.
  position bigint generated always as identity,
  -- Rises when the data is restored logically into another cluster, whose transaction counter may be lower than the stored xids.
  epoch smallint not null default 1,
  xid xid8 not null default pg_current_xact_id(),
  stream_id text collate "C" not null,
  version integer not null check (version > 0),
  event_id uuid not null default uuidv7() unique,
  command_id text collate "C" not null check (command_id !~ '[\n\r]'),
  type text collate "C" not null check (type ~ '^[A-Za-z]+$'),
  schema_version smallint not null check (schema_version > 0),
  -- What accountants and projections read stands in columns of its own beside the payload; one encoder writes both.
  refund_id text collate "C" check (refund_id !~ '[\n\r]'),
  amount_cents bigint,
  currency char(3),
  actor text collate "C" not null check (actor !~ '[\n\r]'),
  request_id text collate "C" check (request_id !~ '[\n\r]'),
  occurred_at timestamptz not null,
  recorded_at timestamptz not null default clock_timestamp(),
  -- json, not jsonb: it keeps the very bytes that were hashed.
  payload json not null,
  previous_hash bytea not null check (length(previous_hash) = 32),
  hash bytea not null check (length(hash) = 32),
  primary key (stream_id, version),
  check ((amount_cents is null) = (currency is null))
);

-- Readers of all streams; ranges of an export; the events of one refund.
create index event_reading_order on ledger.event (epoch, xid, position);
create index event_position on ledger.event using brin (position);
create index event_refund on ledger.event (refund_id) where refund_id is not null;

-- What a caller asked for, by the id that the caller chose: a repeat records nothing and gets the first answer; another
-- request under the same id is refused.
create table ledger.command (
  command_id text collate "C" primary key,
  request_hash bytea not null,
  stream_id text collate "C" not null,
  from_version integer not null,
  to_version integer not null,
  recorded_at timestamptz not null default clock_timestamp()
);

-- The hash of an event covers the one before it in its stream, so that a change, an insertion or a swap inside a stream breaks
-- every hash that follows. Text fields are separated by line feeds, which they cannot contain; the payload comes last.
create function ledger.event_hash(event ledger.event) returns bytea
language sql immutable
set search_path = pg_catalog
return sha256(
  (event).previous_hash
  || convert_to(
    'kilim-event-1' || E'\n'
    || (event).stream_id || E'\n'
    || (event).version || E'\n'
    || (event).event_id || E'\n'
    || (event).command_id || E'\n'
    || (event).type || E'\n'
    || (event).schema_version || E'\n'
    || coalesce((event).refund_id, '') || E'\n'
    || coalesce((event).amount_cents::text, '') || E'\n'
    || coalesce((event).currency::text, '') || E'\n'
    || (event).actor || E'\n'
    || coalesce((event).request_id, '') || E'\n'
    || (extract(epoch from (event).occurred_at) * 1000000)::bigint || E'\n'
    || (extract(epoch from (event).recorded_at) * 1000000)::bigint || E'\n'
    || (event).payload::text,
    'UTF8'
  )
);

create function ledger.refuse_change() returns trigger
language plpgsql
set search_path = pg_catalog
as $$
begin
  raise exception '%.% is append-only: % is refused', tg_table_schema, tg_table_name, lower(tg_op)
    using errcode = 'KLM02';
end
$$;

-- Rights alone do not hold the owner back, and an ordinary trigger is skipped under session_replication_role = replica;
-- one that is enabled always is not.
create trigger event_is_append_only before update or delete on ledger.event
  for each row execute function ledger.refuse_change();
create trigger event_is_never_truncated before truncate on ledger.event
  for each statement execute function ledger.refuse_change();
create trigger command_is_append_only before update or delete on ledger.command
  for each row execute function ledger.refuse_change();
create trigger command_is_never_truncated before truncate on ledger.command
  for each statement execute function ledger.refuse_change();
alter table ledger.event enable always trigger event_is_append_only;
alter table ledger.event enable always trigger event_is_never_truncated;
alter table ledger.command enable always trigger command_is_append_only;
alter table ledger.command enable always trigger command_is_never_truncated;

revoke all on schema ledger from public;
revoke all on function ledger.event_hash(ledger.event), ledger.refuse_change() from public;
grant usage on schema ledger to kilim_app, kilim_report;
grant select on ledger.event to kilim_app, kilim_report;
grant select on ledger.command to kilim_app;
grant execute on function ledger.event_hash(ledger.event) to kilim_app, kilim_report;
