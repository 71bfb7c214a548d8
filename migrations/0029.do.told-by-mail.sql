-- The shop is told by mail of money that leaves, of changed prices, limits and accounts, and of new ways in. Each
-- person is told what happened to the own account. Both follow from the ledger and from the security log.

alter table ledger.mail drop constraint mail_kind_check, add constraint mail_kind_check check (kind in (
  'order-confirmation', 'refund-notice', 'new-order', 'attention-summary', 'closing-certificate', 'owner-notice',
  'account-notice'
));
comment on column ledger.mail.about is
  'What the mail is about: an order, a refund, a day, a closing, an event as stream/version, or entry/id of the '
  'security log.';

create or replace function ledger.gather_mails(p_kinds text[], p_within interval) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_since timestamptz := clock_timestamp() - p_within;
  v_gathered integer;
begin
  with first_time as (
    insert into ledger.mail_kind (kind) select unnest(p_kinds) on conflict do nothing returning kind
  ), due as (
    select kind, order_id::text as about, order_id
    from ledger.order_summary cross join unnest(array['order-confirmation', 'new-order']) kind
    where payment_status = 'paid' and paid_at > v_since
    union all
    -- A bank may take weeks to complete a refund. Requests have an index by time.
    select 'refund-notice', refund_id, order_id from ledger.refund_history
    where status = 'completed' and settled_at > v_since and requested_at > v_since - interval '60 days'
    union all
    select 'closing-certificate', payload ->> 'closing', null from ledger.event
    where stream_id = 'closings' and type = 'PeriodCertified' and recorded_at > v_since
    union all
    -- Few events are in these streams.
    select 'owner-notice', stream_id || '/' || version, null from ledger.event
    where stream_id in ('settings', 'refund-limits', 'accounting', 'resolutions') and recorded_at > v_since
      and type in (
        'OrphanRefundRequested', 'OrphanAssigned', 'OrphanWrittenOff', 'ClearingItemWrittenOff', 'RefundLimitsChanged',
        'SettingsChanged', 'AccountsNamed'
      )
    union
    select 'owner-notice', stream_id || '/' || version, null
    from ledger.refund_history asked join ledger.event on event.stream_id = 'order-' || asked.order_id
    where asked.requested_at > v_since and recorded_at > v_since
      and event.type in ('RefundRequested', 'CustomerReimbursed')
    union
    -- The types have an index.
    select 'owner-notice', stream_id || '/' || version, null from ledger.event
    where type in ('ExternalRefundRecorded', 'ExcessRefundFound') and recorded_at > v_since
    union all
    select told.kind, 'entry/' || entry.id, null
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
  )
  insert into ledger.mail (kind, about, order_id, state, settled_at)
  select due.kind, due.about, due.order_id,
    case when first_time.kind is null then 'open' else 'dropped' end,
    case when first_time.kind is null then null else clock_timestamp() end
  from due left join first_time using (kind)
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
  'Adds the mails of these kinds that are due for orders, refunds, closings, told events and entries of the security '
  'log of the given time until now. It returns how many there were. A mail that is known already is left alone.';

create function admin.security_entry_with(p_id bigint) returns table (
  at timestamptz, kind text, username text, display_name text, actor_name text, browser text, detail text
)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select entry.at, entry.kind, entry.username, coalesce(person.display_name, entry.username),
    coalesce(acting.display_name, entry.actor), entry.browser, entry.detail::text
  from admin.security_entry entry
    left join admin.person on person.username = entry.username
    left join admin.person acting on acting.username = entry.actor
  where entry.id = p_id;
end;
comment on function admin.security_entry_with is 'One entry, for the mail about it.';

-- Where a person is told what happened to the account

alter table admin.person
  add column email text check (length(email) between 3 and 254),
  add column earlier_email text check (length(earlier_email) between 3 and 254),
  add column email_changed_at timestamptz;
comment on column admin.person.email is
  'Where mails about the account go. Only the person changes it. It is personal data, so it never enters the ledger.';
comment on column admin.person.earlier_email is
  'The address before the changes of the last seven days. Mails go there, too, so a thief who changes the address does '
  'not silence them.';

create function admin.emails_of(p_username text) returns table (email text, is_current boolean)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select person.email, true from admin.person where person.username = p_username and person.email is not null
  union all
  select person.earlier_email, false from admin.person
  where person.username = p_username and person.earlier_email is not null
    and person.email_changed_at > clock_timestamp() - interval '7 days';
end;
comment on function admin.emails_of is
  'The address of a person, and the earlier one for seven days after a change.';

create function admin.set_email(p_username text, p_email text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform admin.adopt_accounts();
  update admin.person set
    earlier_email = case
      when email_changed_at > clock_timestamp() - interval '7 days' and earlier_email is not null then earlier_email
      else email
    end,
    email = p_email, email_changed_at = clock_timestamp()
  where username = p_username and email is distinct from p_email;
  return found;
end
$$;
comment on function admin.set_email is 'Null removes the address. False when it is the same.';

comment on column admin.recovery_code.code_hash is
  'SHA-256 of 140 random bits that were shown once. So many random bits need no slow hash.';

-- A deleted note leaves who wrote it, who deleted it, and when

alter table ledger.order_note alter column text drop not null,
  add column deleted_by text,
  add column deleted_at timestamptz,
  add constraint order_note_deleted check (
    (text is null) = (deleted_at is not null) and (deleted_by is null) = (deleted_at is null)
  );

create function ledger.delete_order_note(p_order_id uuid, p_id bigint, p_by text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.order_note set text = null, deleted_by = p_by, deleted_at = clock_timestamp()
  where order_note.order_id = p_order_id and order_note.id = p_id and order_note.text is not null;
  return found;
end
$$;
comment on function ledger.delete_order_note(uuid, bigint, text) is
  'Deletes the text of one note of an order. Its author, its time and who deleted it remain.';
drop function ledger.delete_order_note(uuid, bigint);

revoke all on function admin.security_entry_with, admin.emails_of, admin.set_email,
  ledger.delete_order_note(uuid, bigint, text) from public;
grant execute on function admin.security_entry_with, admin.emails_of, admin.set_email,
  ledger.delete_order_note(uuid, bigint, text) to kilim_server, kilim_app;
