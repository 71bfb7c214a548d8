-- The ledger: an append-only table of facts, from which all other data about orders can be derived.
-- The purpose of each table, column and function is in its comment. schema.sql shows these comments, too.

-- Roles belong to the cluster, not to the database, so they may exist already.
-- kilim_server: the role of the servers. It reads, and writes through functions that check what they are asked. So an
--   SQL injection can neither change an event, nor hide a pending refund, nor stop the sealing of the ledger.
-- kilim_report: the role of accountants' tools. It reads facts and projections, but no personal data.
-- kilim_verifier: as kilim_report, and may store the result of a proof of the ledger.
do $$
declare
  v_role name;
begin
  foreach v_role in array array['kilim_server', 'kilim_report', 'kilim_verifier'] loop
    begin
      if not exists (select from pg_roles where rolname = v_role) then
        execute format('create role %I nologin', v_role);
      end if;
      if not exists (
        select from pg_auth_members where roleid = v_role::regrole and member = current_user::regrole and set_option
      ) then
        execute format('grant %I to %I', v_role, current_user);
      end if;
    exception
      -- Another database of the same cluster is being migrated at the same time, and created the role first.
      when duplicate_object or unique_violation then
        execute format('grant %I to %I', v_role, current_user);
      when insufficient_privilege then
        raise exception 'this login may not create or grant the role %. If it is the owner, then as a superuser: '
          'create role % nologin (unless it exists), grant % to % with admin option',
          v_role, v_role, v_role, quote_ident(current_user) using errcode = 'insufficient_privilege';
    end;
  end loop;
  if not pg_has_role('kilim_verifier', 'kilim_report', 'member') then
    grant kilim_report to kilim_verifier;
  end if;
end
$$;

-- A server without the owner's privileges reads here at its start whether the database has all migrations.
grant usage on schema kilim to kilim_server;
grant select on kilim.migration to kilim_server;

create function kilim.oldest_release() returns text
language sql stable
return '1.0.0';
comment on function kilim.oldest_release is
  'The oldest release whose servers can use this schema. Every server compares it with its own, at its start and every '
  'few seconds. A function and not a row, so that it is in the schema and in every dump.';

revoke all on function kilim.oldest_release from public;
grant execute on function kilim.oldest_release to kilim_server;

create schema ledger;
comment on schema ledger is 'The ledger, and the tables that are derived from it or belong to its orders.';
grant usage on schema ledger to kilim_server, kilim_report;

create table ledger.event (
  position bigint generated always as identity,
  epoch smallint not null default 1,
  xid xid8 not null default pg_current_xact_id(),
  stream_id text collate "C" not null,
  version integer not null,
  event_id uuid not null default uuidv7(),
  command_id text collate "C" not null,
  type text collate "C" not null,
  schema_version smallint not null,
  refund_id text collate "C",
  amount_cents bigint,
  currency char(3),
  actor text collate "C" not null,
  request_id text collate "C",
  occurred_at timestamptz not null,
  recorded_at timestamptz not null default clock_timestamp(),
  payload json not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (stream_id, version)
);
comment on table ledger.event is
  'The facts. A row is never changed or deleted. No CHECK constraints: PostgreSQL would parse each one for every '
  'statement, a third of the cost of an append. Only the append functions write here, and they check.';
comment on column ledger.event.position is
  'Assigned when the row is written, so the order of positions is not the order of commits. To continue from a place, '
  'read by (epoch, xid, position) and only below pg_snapshot_xmin(pg_current_snapshot()): otherwise events of '
  'transactions that commit late are missed.';
comment on column ledger.event.epoch is
  'Must rise after a logical restore into another cluster, whose transaction counter may be lower.';
comment on column ledger.event.event_id is 'Has no index: nothing looks events up by their id.';
comment on column ledger.event.amount_cents is
  'Copied from the payload, as refund_id is, by the encoder of both: for accountants and projections.';
comment on column ledger.event.payload is 'json, not jsonb: json keeps the exact bytes that were hashed.';
comment on column ledger.event.previous_hash is
  'The hash of the previous event of the stream; 32 zero bytes for the first one.';
comment on column ledger.event.hash is 'ledger.event_hash of this row.';

create index event_reading_order on ledger.event (epoch, xid, position);
comment on index ledger.event_reading_order is 'For readers of all streams, who continue from a place.';
create index event_occurred on ledger.event using brin (occurred_at);
comment on index ledger.event_occurred is
  'For exports of a range of time. Events arrive roughly in this order, so BRIN suffices.';
create index event_refund on ledger.event (refund_id) where refund_id is not null;
comment on index ledger.event_refund is 'For the events of one refund.';
create index event_rare_money on ledger.event (type) include (amount_cents)
  where type in (
    'DisputeOpened', 'DisputeClosed', 'ExternalRefundRecorded', 'ExcessRefundFound',
    'OrphanPaymentFound', 'OrphanPaymentReturned',
    'PayoutEntriesRecorded', 'PayoutRecorded', 'PayoutPaid', 'PayoutFailed'
  );
create index event_high_risk on ledger.event (occurred_at)
  where type = 'PaymentAuthorized' and payload ->> 'risk' = 'high';
comment on index ledger.event_high_risk is 'Payments that Square thinks may be fraud: a person looks at them first.';
create index event_payment_not_made on ledger.event (recorded_at) where type in ('PaymentVoided', 'PaymentDeclined');
comment on index ledger.event_payment_not_made is 'For the mails to customers who waited long for it.';
comment on index ledger.event_rare_money is
  'Sums rare events that move money without reading the events of all orders.';

create table ledger.command (
  command_id text collate "C" primary key,
  request_hash bytea not null,
  stream_id text collate "C" not null,
  from_version integer not null,
  to_version integer not null,
  stamp bytea,
  recorded_at timestamptz not null default clock_timestamp()
);
comment on table ledger.command is
  'The executed commands, by the id that the caller chose. A repeated command appends nothing and gets the first '
  'answer; another request under the same id is refused.';
comment on column ledger.command.stamp is
  'Bytes by which a server with a key knows the events of the command as its own. The core stores them and reads '
  'nothing of them. Null: events of a server or a command without a key.';

-- Hashes, and the triggers that keep facts as they are

create function ledger.event_hash(event ledger.event) returns bytea
language sql stable
return sha256(
  event.previous_hash || convert_to(
    concat_ws(
      E'\n', 'kilim-event-1',
      event.stream_id, event.version, event.event_id, event.command_id, event.type, event.schema_version,
      coalesce(event.refund_id, ''), coalesce(event.amount_cents::text, ''), coalesce(event.currency::text, ''),
      event.actor, coalesce(event.request_id, ''),
      (extract(epoch from event.occurred_at) * 1000000)::bigint,
      (extract(epoch from event.recorded_at) * 1000000)::bigint,
      event.payload
    ),
    'UTF8'
  )
);
comment on function ledger.event_hash is
  'Covers the hash of the previous event, so a change, an insertion or a swap inside a stream invalidates every later '
  'hash. Line feeds separate the fields and cannot occur inside them; the payload comes last. Stable, not immutable, '
  'because timestamp functions depend on settings in general (not for the epoch). No search_path, so that PostgreSQL '
  'can inline it.';

create function ledger.refuse_change() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
  raise exception '%.% is append-only: % is refused', tg_table_schema, tg_table_name, lower(tg_op)
    using errcode = 'KLM02';
end
$$;
comment on function ledger.refuse_change is
  'Keeps a table append-only, also for the owner, whom privileges do not restrict. The triggers are ENABLE ALWAYS, '
  'because session_replication_role = replica skips ordinary ones.';

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

-- Rights

revoke all on all functions in schema ledger from public;
grant execute on function ledger.event_hash to kilim_server, kilim_report;
grant select on ledger.event to kilim_server, kilim_report;
grant select on ledger.command to kilim_server;
-- A proof also compares the commands with the events, and finds rows whose events are gone.
grant select on ledger.command to kilim_verifier;
grant select on sequence ledger.event_position_seq to kilim_verifier;
