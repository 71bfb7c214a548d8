-- What proves that the ledger is whole: signed checkpoints, and what witnesses got.

-- Checkpoints

create table ledger.checkpoint (
  sequence integer primary key check (sequence > 0),
  from_epoch smallint not null,
  from_xid xid8 not null,
  epoch smallint not null,
  xid xid8 not null,
  events bigint not null check (events > 0),
  root bytea not null check (length(root) = 32),
  note text not null,
  sealed_at timestamptz not null default clock_timestamp()
);
comment on table ledger.checkpoint is
  'Signed checkpoints over closed ranges of the ledger. They show what the hash chains cannot: that whole streams or '
  'their ends were removed, even by the owner of the database. A checkpoint covers the events with (from_epoch, '
  'from_xid) <= (epoch, xid) < (epoch, xid), whose transactions had all ended.';
comment on column ledger.checkpoint.root is
  'RFC 6962 Merkle root of the event hashes of the range, in the order (epoch, xid, position).';
comment on column ledger.checkpoint.note is 'The signed text: a checkpoint in the format of C2SP signed notes.';

create function ledger.add_checkpoint(
  p_sequence integer, p_from_epoch smallint, p_from_xid xid8, p_epoch smallint, p_xid xid8, p_events bigint,
  p_root bytea, p_note text
) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_last ledger.checkpoint;
begin
  select * into v_last from ledger.checkpoint order by sequence desc limit 1;
  if v_last.sequence >= p_sequence then
    return false;
  end if;
  if p_sequence <> coalesce(v_last.sequence, 0) + 1
    or (p_from_epoch, p_from_xid) is distinct from (coalesce(v_last.epoch, 0::smallint), coalesce(v_last.xid, '0'))
  then
    raise exception 'The checkpoint % does not follow the last one', p_sequence using errcode = 'KLM03';
  end if;
  -- Later events would be behind a horizon that lies ahead, and could never be sealed.
  if p_epoch <> ledger.current_epoch() or p_xid > pg_snapshot_xmin(pg_current_snapshot()) then
    raise exception 'The checkpoint % covers transactions that have not ended', p_sequence using errcode = 'KLM03';
  end if;
  if not exists (
    select from ledger.event
    where (event.epoch, event.xid) >= (p_from_epoch, p_from_xid) and (event.epoch, event.xid) < (p_epoch, p_xid)
  ) or p_note is null or not starts_with(p_note, format(E'kilim/ledger\n%s\n', p_sequence)) or length(p_note) > 10000
  then
    raise exception 'The checkpoint % seals nothing', p_sequence using errcode = 'KLM03';
  end if;
  insert into ledger.checkpoint (sequence, from_epoch, from_xid, epoch, xid, events, root, note)
  values (p_sequence, p_from_epoch, p_from_xid, p_epoch, p_xid, p_events, p_root, p_note)
  on conflict (sequence) do nothing;
  return found;
end
$$;
comment on function ledger.add_checkpoint is
  'The only way for servers to add a checkpoint. It must continue the last one, end at transactions that have ended, '
  'and cover an event. False when another server was faster. `ledger verify` and the next seal check the signature, '
  'which PostgreSQL cannot.';

-- Witnesses: places outside the machine that keep the newest note of the ledger

create table ledger.witnessed (
  id bigint generated always as identity primary key,
  kind text collate "C" not null check (kind ~ '^[a-z]{1,20}$'),
  sent_to text collate "C" not null check (length(sent_to) between 1 and 253),
  sequence integer not null references ledger.checkpoint,
  sent_at timestamptz not null default clock_timestamp(),
  receipt text not null check (length(receipt) between 1 and 100000)
);
comment on table ledger.witnessed is
  'Each note that left the machine, for the operator; a proof reads the notes where they were sent.';
comment on column ledger.witnessed.kind is 'mail or timestamp.';
comment on column ledger.witnessed.sent_to is 'The host that received the note, of a mail the domain of its address.';
comment on column ledger.witnessed.receipt is
  'What the witness answered. For a timestamp: the response of the authority (RFC 3161), DER in base64.';

create index witnessed_newest on ledger.witnessed (kind, sent_to, id desc);

create function ledger.add_witnessed(p_kind text, p_sent_to text, p_sequence integer, p_receipt text) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp begin atomic
  insert into ledger.witnessed (kind, sent_to, sequence, receipt) values (p_kind, p_sent_to, p_sequence, p_receipt);
end;
comment on function ledger.add_witnessed is 'The database sets the instant, so no server can date a note back.';

create trigger checkpoint_is_append_only before update or delete on ledger.checkpoint
  for each row execute function ledger.refuse_change();
create trigger checkpoint_is_never_truncated before truncate on ledger.checkpoint
  for each statement execute function ledger.refuse_change();
create trigger witnessed_is_append_only before update or delete on ledger.witnessed
  for each row execute function ledger.refuse_change();
create trigger witnessed_is_never_truncated before truncate on ledger.witnessed
  for each statement execute function ledger.refuse_change();
alter table ledger.checkpoint enable always trigger checkpoint_is_append_only;
alter table ledger.checkpoint enable always trigger checkpoint_is_never_truncated;
alter table ledger.witnessed enable always trigger witnessed_is_append_only;
alter table ledger.witnessed enable always trigger witnessed_is_never_truncated;

-- Rights

revoke all on all functions in schema ledger from public;
grant execute on function ledger.add_checkpoint, ledger.add_witnessed to kilim_server;
grant select on ledger.checkpoint, ledger.witnessed to kilim_server, kilim_report;
