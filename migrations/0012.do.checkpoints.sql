-- Signed checkpoints over closed ranges of the ledger. The chain in each stream shows a change inside it; a checkpoint shows also
-- that whole streams, or their ends, are missing, whoever had the rights to remove them.

create table ledger.checkpoint (
  sequence integer primary key check (sequence > 0),
  -- Sealed are the events with (from_epoch, from_xid) <= (epoch, xid) < (epoch, xid): all of them were committed or gone by then.
  from_epoch smallint not null,
  from_xid xid8 not null,
  epoch smallint not null,
  xid xid8 not null,
  events bigint not null check (events > 0),
  -- RFC 6962 Merkle root of the range's event hashes in the order (epoch, xid, position).
  root bytea not null check (length(root) = 32),
  -- What was signed, and by whom: a checkpoint in the text form of C2SP's signed notes.
  note text not null,
  sealed_at timestamptz not null default clock_timestamp()
);

create trigger checkpoint_is_append_only before update or delete on ledger.checkpoint
  for each row execute function ledger.refuse_change();
create trigger checkpoint_is_never_truncated before truncate on ledger.checkpoint
  for each statement execute function ledger.refuse_change();
alter table ledger.checkpoint enable always trigger checkpoint_is_append_only;
alter table ledger.checkpoint enable always trigger checkpoint_is_never_truncated;

grant select on ledger.checkpoint to kilim_app, kilim_report;
grant insert (sequence, from_epoch, from_xid, epoch, xid, events, root, note) on ledger.checkpoint to kilim_app;

-- Ranges of an export go by when things happened; events come in about that order.
create index event_occurred on ledger.event using brin (occurred_at);
