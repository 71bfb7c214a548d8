-- The free text of a refund is stored beside the ledger, like the contact, so that erasure reaches it. The event holds
-- a reason of a list, and a salted digest of the text.

create table ledger.refund_text (
  refund_id text primary key,
  order_id uuid not null,
  salt bytea not null check (length(salt) = 16),
  reason text,
  notes text,
  check (num_nonnulls(reason, notes) > 0)
);
create index refund_text_order on ledger.refund_text (order_id);
comment on table ledger.refund_text is
  'What administrators wrote about a refund: it may name people. Erasing the contact of the order deletes it. The '
  'event RefundRequested holds a salted digest of it.';
grant select on ledger.refund_text to kilim_server, kilim_app;

-- An append calls this in its own statement.
create function ledger.keep_refund_text(
  p_order_id uuid, p_refund_id text, p_salt bytea, p_reason text, p_notes text
) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select from ledger.event
    where event.stream_id = 'order-' || p_order_id and event.type = 'RefundRequested'
      and event.refund_id = p_refund_id and event.payload::jsonb ? 'textDigest'
  ) then
    raise exception 'The stream of order % has no refund % with a digest of its text', p_order_id, p_refund_id
      using errcode = 'KLM03';
  end if;
  insert into ledger.refund_text (refund_id, order_id, salt, reason, notes)
  values (p_refund_id, p_order_id, p_salt, p_reason, p_notes);
  return true;
end
$$;
comment on function ledger.keep_refund_text is
  'Stores the text of a refund that the stream of the order requested with a digest. A text is stored once.';
revoke all on function ledger.keep_refund_text from public;
grant execute on function ledger.keep_refund_text to kilim_server, kilim_app;

-- Servers of the previous release call it too, so their erasures reach the texts.
create or replace function ledger.forget_contact(p_order_id uuid) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select from ledger.event where event.stream_id = 'order-' || p_order_id and event.type = 'ContactErased'
  ) then
    raise exception 'The stream of order % does not say that its contact was erased', p_order_id
      using errcode = 'KLM03';
  end if;
  delete from ledger.refund_text where refund_text.order_id = p_order_id;
  delete from ledger.customer_contact where customer_contact.order_id = p_order_id;
  return found;
end
$$;
comment on function ledger.forget_contact is
  'Deletes the contact of an order and the texts of its refunds, with the salts, without which the digests in the '
  'ledger reveal nothing, and with the key to the receipt. It requires an event ContactErased in the orders stream, so '
  'that every erasure leaves a trace. It returns whether there was a contact.';
