-- The cluster that the ledger lives in, and what comparisons found last.

-- The cluster. Events are read in the order (epoch, xid, position). The transaction counter of another cluster may be
-- lower than the stored xids, so the epoch must rise before the first append there.

create table ledger.cluster (
  sequence integer primary key check (sequence > 0),
  epoch smallint not null,
  system_identifier text collate "C" not null,
  event_table oid not null,
  timeline integer not null,
  xid xid8 not null default pg_current_xact_id(),
  reason text collate "C" not null check (reason in ('first', 'copied', 'promoted', 'rewound')),
  may_lack_events boolean not null,
  recorded_at timestamptz not null default clock_timestamp()
);
comment on table ledger.cluster is
  'The clusters in which the ledger has lived, oldest first. ledger.compare_cluster compares the last row with the '
  'server.';
comment on column ledger.cluster.epoch is
  'The epoch of the events from this row on. It is the default of ledger.event.epoch, so it costs an append nothing.';
comment on column ledger.cluster.system_identifier is
  'pg_control_system().system_identifier, which physical copies share. Text: JavaScript cannot hold such integers.';
comment on column ledger.cluster.event_table is
  'The oid of ledger.event. A logical restore creates the table again, even in the same cluster; a physical copy and a '
  'database made from a template keep the oid.';
comment on column ledger.cluster.timeline is
  'Of the write-ahead log. Each promotion raises it, of a standby or after point-in-time recovery.';
comment on column ledger.cluster.reason is
  'first: the database was created, or got this table. copied: the rows were restored logically, and the epoch rose. '
  'promoted: the timeline rose. rewound: a running server had seen events that were gone.';
comment on column ledger.cluster.may_lack_events is
  'Earlier events may be missing, because a backup and an asynchronous standby end earlier than the ledger did. A '
  'payment at Square from before recorded_at then needs an administrator, unless the ledger explains it.';

create function ledger.current_epoch() returns smallint
language sql stable begin atomic
  select coalesce((select cluster.epoch from ledger.cluster order by cluster.sequence desc limit 1), 1::smallint);
end;
comment on function ledger.current_epoch is
  'The epoch of the next event. Transaction ids of lower epochs cannot be compared with those of the running cluster: '
  'all these events are committed. Not the highest epoch of the events: directly after a restore no event has the new '
  'epoch.';

create function ledger.timeline_now() returns integer
language sql volatile set search_path = pg_catalog, pg_temp
return ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer;
comment on function ledger.timeline_now is
  'The timeline that the server writes. pg_control_checkpoint shows it only after the first checkpoint that follows a '
  'promotion. It fails on a standby.';

create function ledger.epoch_of_appends() returns smallint
language sql stable set search_path = pg_catalog, pg_temp
return (
  select substring(pg_get_expr(def.adbin, def.adrelid) from '[0-9]+')::smallint
  from pg_attrdef def join pg_attribute attribute on attribute.attrelid = def.adrelid and attribute.attnum = def.adnum
  where def.adrelid = 'ledger.event'::regclass and attribute.attname = 'epoch'
);
comment on function ledger.epoch_of_appends is 'The default of ledger.event.epoch.';

create function ledger.last_position() returns bigint
language sql volatile set search_path = pg_catalog, pg_temp
return coalesce(pg_sequence_last_value(pg_get_serial_sequence('ledger.event', 'position')::regclass), 0);
comment on function ledger.last_position is 'The last position that the sequence of ledger.event gave out.';

create function ledger.compare_cluster() returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_recorded ledger.cluster;
  v_newest ledger.event;
  v_sealed xid8;
  v_highest xid8;
begin
  select * into v_recorded from ledger.cluster order by sequence desc limit 1;
  if not found then
    return 'unrecorded';
  end if;
  if v_recorded.system_identifier <> (select control.system_identifier::text from pg_control_system() control)
    or v_recorded.event_table <> 'ledger.event'::regclass::oid
  then
    return 'copied';
  end if;
  if ledger.epoch_of_appends() is distinct from v_recorded.epoch then
    return 'epoch not set';
  end if;
  -- A standby cannot append, and its timeline is that of its primary.
  if pg_is_in_recovery() then
    return 'known';
  end if;
  if ledger.timeline_now() < v_recorded.timeline then
    return 'timeline behind';
  end if;
  select * into v_newest from ledger.event order by epoch desc, xid desc, position desc limit 1;
  select checkpoint.xid into v_sealed from ledger.checkpoint
  where checkpoint.epoch = v_recorded.epoch order by checkpoint.sequence desc limit 1;
  v_highest := greatest(
    v_recorded.xid, v_sealed, case when v_newest.epoch = v_recorded.epoch then v_newest.xid end
  );
  -- Every committed transaction that this snapshot sees is below xmax. An xid from there on is of another counter, or
  -- of this very transaction.
  if v_highest >= pg_snapshot_xmax(pg_current_snapshot())
    and v_highest is distinct from pg_current_xact_id_if_assigned()
  then
    return 'xid behind';
  end if;
  if v_newest.position > ledger.last_position() then
    return 'position behind';
  end if;
  return case when ledger.timeline_now() > v_recorded.timeline then 'promoted' else 'known' end;
end
$$;
comment on function ledger.compare_cluster is
  'Compares the server with the last row of ledger.cluster. known: append. promoted: call ledger.record_recovery, then '
  'append. unrecorded, copied, epoch not set, position behind: the owner calls ledger.adopt_cluster before anything is '
  'appended. timeline behind, xid behind: the files of the cluster are older than its rows; nothing may be appended.';

create function ledger.record_cluster(p_epoch smallint, p_reason text, p_may_lack_events boolean) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into ledger.cluster (
    sequence, epoch, system_identifier, event_table, timeline, reason, may_lack_events
  )
  select
    coalesce((select max(earlier.sequence) from ledger.cluster earlier), 0) + 1, p_epoch,
    control.system_identifier::text, 'ledger.event'::regclass::oid, ledger.timeline_now(), p_reason, p_may_lack_events
  from pg_control_system() control;
  if p_reason <> 'first' then
    update ledger.job set due_at = clock_timestamp()
    where name in ('reconcile-recent', 'reconcile-weeks', 'compare-books');
  end if;
end
$$;
comment on function ledger.record_cluster is
  'Adds a row for the running server. After a restore or promotion, Square is compared with the ledger at once.';

create function ledger.record_recovery(p_events_are_gone boolean) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_state text;
begin
  lock table ledger.cluster in share row exclusive mode;
  v_state := ledger.compare_cluster();
  if v_state <> 'promoted' and not (v_state = 'known' and p_events_are_gone) then
    return false;
  end if;
  perform ledger.record_cluster(
    ledger.current_epoch(), case when p_events_are_gone then 'rewound' else 'promoted' end, true
  );
  return true;
end
$$;
comment on function ledger.record_recovery is
  'Records a promotion, or that events which a server had seen are gone. A physical copy keeps its transaction '
  'counter, so the epoch stays. Any server may call it. Returns whether it added a row.';

create function ledger.adopt_cluster() returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  v_state text;
  v_epoch smallint;
  v_newest ledger.event;
  v_sealed xid8;
  v_is_foreign boolean;
begin
  -- Of several callers one adopts, and the others wait and find a known cluster.
  lock table ledger.cluster in share row exclusive mode;
  v_state := ledger.compare_cluster();
  if v_state in ('known', 'promoted', 'timeline behind', 'xid behind') then
    return v_state;
  end if;
  select * into v_newest from ledger.event order by epoch desc, xid desc, position desc limit 1;
  v_epoch := greatest(ledger.current_epoch(), v_newest.epoch);
  if v_state = 'unrecorded' then
    -- The ledger is older than this table. Only the counter tells whether its events are of this cluster.
    select max(checkpoint.xid) into v_sealed from ledger.checkpoint where checkpoint.epoch = v_newest.epoch;
    v_is_foreign := greatest(v_newest.xid, v_sealed) >= pg_snapshot_xmax(pg_current_snapshot());
  end if;
  if v_state = 'copied' or v_is_foreign then
    v_state := 'copied';
    v_epoch := v_epoch + 1;
  end if;
  if ledger.epoch_of_appends() is distinct from v_epoch then
    -- Waits for running appends, and holds back new ones until this transaction ends.
    execute format('alter table ledger.event alter column epoch set default %s', v_epoch);
  end if;
  if v_newest.position > ledger.last_position() then
    perform setval(pg_get_serial_sequence('ledger.event', 'position'), (select max(position) from ledger.event));
  end if;
  if v_state = 'copied' then
    -- What the dump says is older than the work of the lost database: it perhaps sent these mails, and did these jobs.
    update ledger.mail set state = 'parked', settled_at = clock_timestamp(), failure = 'RESTORED'
    where state = 'open' and order_id is not null;
    update ledger.heartbeat set succeeded_at = clock_timestamp(), failed_at = null, failure = null;
  end if;
  if v_state in ('unrecorded', 'copied') then
    perform ledger.record_cluster(
      v_epoch, case when v_state = 'copied' then 'copied' else 'first' end, v_newest.position is not null
    );
  end if;
  return v_state;
end
$$;
comment on function ledger.adopt_cluster is
  'Prepares the ledger for appends in this cluster. After a logical restore it raises the epoch, records the cluster, '
  'moves the sequence of positions behind the restored events, and parks open mails about orders. A second call '
  'changes nothing. Returns the state that it found, as ledger.compare_cluster names it: known and promoted need '
  'nothing from the owner, timeline behind and xid behind cannot be repaired here.';

create trigger cluster_is_append_only before update or delete on ledger.cluster
  for each row execute function ledger.refuse_change();
create trigger cluster_is_never_truncated before truncate on ledger.cluster
  for each statement execute function ledger.refuse_change();
alter table ledger.cluster enable always trigger cluster_is_append_only;
alter table ledger.cluster enable always trigger cluster_is_never_truncated;

-- Findings

create table ledger.finding (
  name text collate "C" primary key check (name in ('books', 'reconciliation', 'server-check', 'verification')),
  made_at timestamptz not null default clock_timestamp(),
  report jsonb not null
);
comment on table ledger.finding is
  'The latest result of each comparison of the books and of the proof of the ledger. No facts: they describe one '
  'moment.';
comment on column ledger.finding.name is
  'Servers make all but the verification, which only a command of an operator makes.';

create function ledger.keep_finding(p_name text, p_report jsonb) returns void
language plpgsql volatile set search_path = pg_catalog, pg_temp as $$
begin
  if p_report is null or jsonb_typeof(p_report) <> 'object' or octet_length(p_report::text) > 4 * 1024 * 1024 then
    raise exception 'The finding % is not a report', p_name using errcode = 'KLM03';
  end if;
  insert into ledger.finding (name, report) values (p_name, p_report)
  on conflict (name) do update set made_at = clock_timestamp(), report = excluded.report;
end
$$;
comment on function ledger.keep_finding is 'Replaces a finding. The functions below call it.';

create function ledger.remember_comparison(p_name text, p_report jsonb) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_name is null or p_name not in ('books', 'reconciliation', 'server-check') then
    raise exception 'A server does not make the finding %', p_name using errcode = 'KLM03';
  end if;
  perform ledger.keep_finding(p_name, p_report);
end
$$;
comment on function ledger.remember_comparison is
  'Replaces the latest result of a comparison that servers make, or of their own check of the ledger, which stands '
  'beside the verification and never replaces it.';

create function ledger.remember_verification(p_report jsonb) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform ledger.keep_finding('verification', p_report);
  -- current_user is the owner here. The owner and superusers verify by hand; the nightly work has a login of its own.
  if not pg_has_role(session_user, current_user, 'member') then
    perform ledger.beat(
      '{"name": "verify", "limitSeconds": 93600, "meaning": "The nightly check of the records did not run."}', null);
  end if;
end
$$;
comment on function ledger.remember_verification is
  'Replaces the latest result of a proof. Servers may not call it: an attacker in a server could otherwise tell people '
  'that a changed ledger is whole. The nightly verification is missed when it does not come for 26 hours.';

-- Rights

revoke all on all functions in schema ledger from public;
grant execute on function ledger.current_epoch to kilim_server, kilim_report;
grant execute on function ledger.compare_cluster, ledger.record_recovery, ledger.remember_comparison to kilim_server;
grant select on ledger.cluster to kilim_server, kilim_report;
grant select on ledger.finding to kilim_server;
grant execute on function ledger.remember_verification, ledger.compare_cluster to kilim_verifier;
