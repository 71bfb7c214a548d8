-- What was sent to witnesses: places outside the machine that keep the newest note of the ledger.

create table ledger.witnessed (
  id bigint generated always as identity primary key,
  kind text collate "C" not null check (kind ~ '^[a-z]{1,20}$'),
  sent_to text collate "C" not null check (length(sent_to) between 1 and 253),
  sequence integer not null references ledger.checkpoint,
  sent_at timestamptz not null default clock_timestamp(),
  receipt text not null check (length(receipt) between 1 and 100000)
);
comment on table ledger.witnessed is
  'Each note that left the machine. The table serves the operator; a proof reads the notes where they were sent.';
comment on column ledger.witnessed.kind is 'mail, timestamp, bucket or endpoint.';
comment on column ledger.witnessed.sent_to is 'The host that received the note, of a mail the domain of its address.';
comment on column ledger.witnessed.receipt is
  'What the witness answered. For a timestamp: the response of the authority (RFC 3161), DER in base64.';
create index witnessed_newest on ledger.witnessed (kind, sent_to, id desc);

create trigger witnessed_is_append_only before update or delete on ledger.witnessed
  for each row execute function ledger.refuse_change();
create trigger witnessed_is_never_truncated before truncate on ledger.witnessed
  for each statement execute function ledger.refuse_change();
alter table ledger.witnessed enable always trigger witnessed_is_append_only;
alter table ledger.witnessed enable always trigger witnessed_is_never_truncated;

create function ledger.add_witnessed(p_kind text, p_sent_to text, p_sequence integer, p_receipt text) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  insert into ledger.witnessed (kind, sent_to, sequence, receipt) values (p_kind, p_sent_to, p_sequence, p_receipt);
end;
comment on function ledger.add_witnessed is 'The database sets the instant, so no server can date a note back.';

revoke all on function ledger.add_witnessed from public;
grant execute on function ledger.add_witnessed to kilim_app, kilim_server;
grant select on ledger.witnessed to kilim_app, kilim_server, kilim_report;
