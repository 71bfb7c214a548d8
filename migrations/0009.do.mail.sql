-- E-mails that are to be sent. Which ones are due follows from the orders, refunds, closings and told events of the
-- ledger, and from the security log. So an append neither writes here nor waits for a mail server.
--
-- The shop is told by mail of money that leaves, of changed prices, limits and accounts, and of new ways in. Each
-- person is told what happened to the own account.

create table ledger.mail (
  kind text collate "C" not null check (kind ~ '^[a-z-]{1,40}$'),
  about text collate "C" not null check (length(about) between 1 and 100),
  order_id uuid,
  message_id uuid not null default uuidv7(),
  state text collate "C" not null default 'open' check (state in ('open', 'sent', 'parked', 'dropped')),
  tries integer not null default 0,
  opened_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz check ((settled_at is null) = (state = 'open')),
  failure text collate "C" check (length(failure) between 1 and 100),
  primary key (kind, about)
);
comment on table ledger.mail is
  'One row for each e-mail, without address and text: both are read when the mail is sent, so an erased contact gets '
  'none, and nothing personal has to be erased here.';
comment on column ledger.mail.about is
  'An order, a refund, a day, a closing, an event as stream/version, or entry/id of the security log.';
comment on column ledger.mail.message_id is
  'Part of the Message-ID. The same for each try, so that a mail program shows a repeated mail once.';
comment on column ledger.mail.state is
  'open: to be sent. sent: the mail server took it. parked: waits for a person. dropped: is not sent.';
comment on column ledger.mail.opened_at is 'When the mail became due, or when a person asked to send it again.';
comment on column ledger.mail.failure is
  'Codes of the last failure, such as 550 5.1.1. Never the words of the server. RESTORED: the mail was perhaps sent '
  'before the database was restored.';

create index mail_open on ledger.mail (due_at) where state = 'open';
create index mail_parked on ledger.mail (settled_at) where state = 'parked';
create index mail_of_order on ledger.mail (order_id) where order_id is not null;

create table ledger.mail_kind (
  kind text collate "C" primary key
);
comment on table ledger.mail_kind is
  'Kinds of mails that were sent before. What happened before a kind was configured gets no mail.';

create function ledger.gather_mails(p_kinds text[], p_within interval) returns integer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set lock_timeout = '100ms' as $$
declare
  v_since timestamptz := clock_timestamp() - p_within;
  -- The lost database perhaps told customers what Square reports again. After a promotion or a recovery to a moment,
  -- payments that were under way are new: they get their mails.
  v_perhaps_told_until timestamptz := (
    select max(recorded_at - case reason when 'copied' then interval '0' else interval '5 minutes' end)
    from ledger.cluster where may_lack_events
  );
  v_gathered integer;
begin
  with first_time as (
    insert into ledger.mail_kind (kind) select unnest(p_kinds) on conflict do nothing returning kind
  ), due as (
    select kind, order_id::text as about, order_id, paid_at as happened_at
    from ledger.order_summary cross join unnest(array['order-confirmation', 'new-order']) kind
    where payment_status = 'paid' and paid_at > v_since and (supplement_of is null or kind = 'order-confirmation')
    union all
    -- Who waits longer is told that a mail comes.
    select 'payment-not-made', order_id::text, order_id, ended.recorded_at
    from ledger.event ended join ledger.order_summary on order_id = right(ended.stream_id, -6)::uuid
      join ledger.event started on started.stream_id = ended.stream_id and started.type = 'PaymentStarted'
        and started.payload ->> 'paymentId' = ended.payload ->> 'paymentId'
    where ended.type in ('PaymentVoided', 'PaymentDeclined') and ended.recorded_at > v_since
      and started.recorded_at < ended.recorded_at - interval '2 minutes' and payment_status <> 'paid'
    union all
    -- A person may undo a step within two minutes before the customer hears of it.
    select told.kind, order_id::text, order_id, updated_at from ledger.order_summary
      join (values ('received', 'rugs-received'), ('ready', 'rugs-ready')) told (stage, kind) using (stage)
    where stage not in ('waiting', 'handed-over') and updated_at > v_since
      and updated_at < clock_timestamp() - interval '2 minutes'
    union all
    select 'difference-request', supplement_id::text, order_id, updated_at from ledger.order_summary
    where supplement_id is not null and updated_at > v_since
    union all
    -- A bank may take weeks to complete a refund. Requests have an index by time.
    select 'refund-notice', refund_id, order_id, settled_at from ledger.refund_history
    where status = 'completed' and settled_at > v_since and requested_at > v_since - interval '60 days'
    union all
    select 'closing-certificate', payload ->> 'closing', null, null from ledger.event
    where stream_id = 'closings' and type = 'PeriodCertified' and recorded_at > v_since
    union all
    -- Few events are in these streams.
    select 'owner-notice', stream_id || '/' || version, null, null from ledger.event
    where stream_id in ('settings', 'accounting', 'resolutions') and recorded_at > v_since
      and type in (
        'OrphanRefundRequested', 'OrphanAssigned', 'OrphanWrittenOff', 'ClearingItemWrittenOff', 'SettingsChanged',
        'AccountsNamed'
      )
    union
    select 'owner-notice', stream_id || '/' || version, null, null
    from ledger.refund_history asked join ledger.event on event.stream_id = 'order-' || asked.order_id
    where asked.requested_at > v_since and recorded_at > v_since
      and event.type in ('RefundRequested', 'CustomerReimbursed')
    union
    -- The types have an index.
    select 'owner-notice', stream_id || '/' || version, null, null from ledger.event
    where type in ('ExternalRefundRecorded', 'ExcessRefundFound') and recorded_at > v_since
    union all
    select told.kind, 'entry/' || entry.id, null, null
    from admin.security_entry entry
      join (
        values
          ('signed-in', 'owner-notice'), ('invitation-made', 'owner-notice'), ('link-made', 'owner-notice'),
          ('password-reset', 'owner-notice'), ('role-changed', 'owner-notice'), ('account-enabled', 'owner-notice'),
          ('second-factor-reset', 'owner-notice'),
          ('signed-in', 'account-notice'), ('link-made', 'account-notice'), ('password-changed', 'account-notice'),
          ('password-reset', 'account-notice'), ('second-factor-added', 'account-notice'),
          ('second-factor-removed', 'account-notice'), ('second-factor-reset', 'account-notice'),
          ('email-changed', 'account-notice')
      ) told (entry_kind, kind) on told.entry_kind = entry.kind
    where entry.at > v_since and entry.username is not null
      and (entry.kind <> 'signed-in' or entry.detail ->> 'newBrowser' = 'true')
  ), judged as (
    select due.kind, due.about, due.order_id,
      case
        when first_time.kind is not null then 'dropped'
        when due.happened_at < v_perhaps_told_until then 'parked'
        else 'open'
      end as state
    from due left join first_time using (kind)
  )
  insert into ledger.mail (kind, about, order_id, state, settled_at, failure)
  select due.kind, due.about, due.order_id, due.state,
    case when due.state <> 'open' then clock_timestamp() end, case when due.state = 'parked' then 'RESTORED' end
  from judged due
  where due.kind = any (p_kinds)
    and not exists (select from ledger.mail known where known.kind = due.kind and known.about = due.about)
  on conflict do nothing;
  get diagnostics v_gathered = row_count;
  return v_gathered;
exception when lock_not_available then
  -- A migration waits for one of these tables while this poll waits for another. The next poll makes up for it.
  return 0;
end
$$;
comment on function ledger.gather_mails is
  'Adds the mails of these kinds that became due within p_within: for orders, refunds, closings, told events and the '
  'security log. Returns how many. A known mail is left alone. A mail about an order or a refund from before a restore '
  'waits for a person.';

create function ledger.add_mail(p_kind text, p_about text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into ledger.mail (kind, about) values (p_kind, p_about) on conflict do nothing;
  return found;
end
$$;
comment on function ledger.add_mail is 'Adds a mail that follows from the calendar. False when it is known already.';

create function ledger.take_mails(p_lease interval, p_most integer)
returns table (kind text, about text, order_id uuid, message_id uuid, tries integer, age_seconds double precision)
language sql volatile security definer set search_path = pg_catalog, pg_temp begin atomic
  update ledger.mail taken
  set tries = taken.tries + 1, due_at = clock_timestamp() + p_lease
  from (
    select due.kind, due.about from ledger.mail due
    -- A mail that is due after the longest pause was postponed before the clock was set back.
    where due.state = 'open'
      and (due.due_at <= clock_timestamp() or due.due_at > clock_timestamp() + interval '2 hours')
    order by due.due_at limit p_most for update skip locked
  ) next
  where taken.kind = next.kind and taken.about = next.about
  returning taken.kind, taken.about, taken.order_id, taken.message_id, taken.tries,
    extract(epoch from clock_timestamp() - taken.opened_at)::double precision;
end;
comment on function ledger.take_mails is
  'Takes the mails that have been due longest. No other server takes them until the lease ends, also when this server '
  'dies.';

create function ledger.settle_mail(p_kind text, p_about text, p_state text, p_failure text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update ledger.mail set state = p_state, settled_at = clock_timestamp(), failure = p_failure
  where kind = p_kind and about = p_about and p_state in ('sent', 'parked', 'dropped')
    -- A server whose lease has ended may still learn that the mail was sent.
    and (state = 'open' or state = 'parked' and p_state in ('sent', 'dropped'));
  return found;
end
$$;
comment on function ledger.settle_mail is 'Ends the work on a mail, for now when it is parked.';

create function ledger.postpone_mail(p_kind text, p_about text, p_tries integer, p_failure text, p_pause interval)
returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update ledger.mail set due_at = clock_timestamp() + p_pause, failure = coalesce(p_failure, failure)
  where kind = p_kind and about = p_about and state = 'open' and tries = p_tries;
  return found;
end
$$;
comment on function ledger.postpone_mail is
  'Lets a mail be tried again after a pause. False when another server has taken it since.';

create function ledger.reopen_mail(p_kind text, p_about text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update ledger.mail
  -- A mail that was sent gets another id, because mail programs hide a second mail with the same one.
  set message_id = case when state = 'sent' then uuidv7() else message_id end,
    state = 'open', tries = 0, opened_at = clock_timestamp(), due_at = clock_timestamp(), settled_at = null
  where kind = p_kind and about = p_about and state in ('sent', 'parked');
  return found;
end
$$;
comment on function ledger.reopen_mail is 'A person asks to send a mail again that was sent or parked.';

create function ledger.forget_mails(p_after interval) returns integer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_forgotten integer;
begin
  -- Younger rows are needed: without its row, gather_mails would find the mail due again. A mail that was sent to try
  -- stays, because the list of the first day asks for one.
  delete from ledger.mail
  where kind <> 'test-mail' and state <> 'open'
    and settled_at < clock_timestamp() - greatest(p_after, interval '60 days');
  get diagnostics v_forgotten = row_count;
  return v_forgotten;
end
$$;
comment on function ledger.forget_mails is 'Deletes the rows of mails that were settled this long ago.';

-- Faults that the operator is told of

create table ledger.alarm (
  name text collate "C" not null check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
  began_at timestamptz not null,
  seen_at timestamptz not null,
  ended_at timestamptz,
  sentence text not null check (length(sentence) between 1 and 1000),
  primary key (name, began_at)
);
create unique index alarm_open on ledger.alarm (name) where ended_at is null;
comment on table ledger.alarm is
  'Faults of the product itself. The mail health-notice of an instant tells which of them began and ended then.';
comment on column ledger.alarm.name is 'A background job, or a kind of what needs attention.';
comment on column ledger.alarm.sentence is 'For a person, without personal data.';

create function ledger.note_alarms(p_alarms json, p_quiet interval) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  delete from ledger.alarm where ended_at < v_now - interval '90 days';
  update ledger.alarm set seen_at = v_now, sentence = seen.sentence
  from json_to_recordset(p_alarms) seen (name text, sentence text)
  where alarm.name = seen.name and ended_at is null;
  insert into ledger.alarm (name, began_at, seen_at, sentence)
  select name, v_now, v_now, sentence from json_to_recordset(p_alarms) seen (name text, sentence text)
  on conflict (name) where ended_at is null do nothing;
  update ledger.alarm set ended_at = v_now where ended_at is null and seen_at < v_now - p_quiet;
  insert into ledger.mail (kind, about)
  select 'health-notice', to_char(v_now at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
  where exists (select from ledger.alarm where began_at = v_now or ended_at = v_now);
  return found;
end
$$;
comment on function ledger.note_alarms is
  'Compares the open faults with those of now. A fault ends when it was not seen for p_quiet, so one that comes and '
  'goes is told once. Returns whether a mail became due.';

-- What background work waits for

create function ledger.look_for_work() returns table (
  has_effects boolean, has_hints boolean, has_mails boolean, settings_version integer, schema text, newest text,
  is_settled boolean, seconds_to_job json
)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set lock_timeout = '100ms' as $$
begin
  return query select
    exists (select from ledger.effect where state = 'open'),
    exists (select from ledger.square_hint where handled_at is null),
    -- As take_mails has it. While a mail waits for another try, only a sent one shows that the mail server works.
    exists (
      select from ledger.mail
      where state = 'open'
        and (due_at <= clock_timestamp() or due_at > clock_timestamp() + interval '2 hours' or failure is not null)
    ),
    coalesce((select version from ledger.event where stream_id = 'settings' order by version desc limit 1), 0),
    concat_ws(' ', (select max(migration.version) from kilim.migration), kilim.oldest_release()),
    concat_ws(
      ' ',
      (
        select concat_ws(' ', epoch, xid, position, event_id) from ledger.event
        order by event.epoch desc, event.xid desc, event.position desc limit 1
      ),
      (select max(id) from admin.security_entry)
    ),
    pg_snapshot_xmin(pg_current_snapshot()) = pg_snapshot_xmax(pg_current_snapshot()),
    (select coalesce(json_object_agg(name, extract(epoch from due_at - clock_timestamp())), '{}') from ledger.job);
end
$$;
comment on function ledger.look_for_work is
  'What the jobs of a server wait for, in one look. schema changes with each migration, newest with each event and '
  'each entry of the security log. is_settled: no transaction is under way that could still commit an earlier one. An '
  'error when a migration keeps a table locked.';

-- Rights

revoke all on all functions in schema ledger from public;
grant execute on function
  ledger.look_for_work, ledger.gather_mails, ledger.add_mail, ledger.take_mails, ledger.settle_mail,
  ledger.postpone_mail, ledger.reopen_mail, ledger.forget_mails, ledger.note_alarms
to kilim_server;
grant select on ledger.mail, ledger.alarm to kilim_server;
