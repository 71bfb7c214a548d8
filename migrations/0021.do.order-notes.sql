-- What people write down about an order: calls, agreements, stains. It may name the customer, so it is stored beside
-- the ledger, like the contact, and erased with it.

create table ledger.order_note (
  id bigint generated always as identity primary key,
  order_id uuid not null,
  text text not null check (length(text) between 1 and 2000),
  written_by text not null,
  written_at timestamptz not null default clock_timestamp()
);
create index order_note_order on ledger.order_note (order_id);
comment on table ledger.order_note is 'Notes about orders. Erasing the contact of an order deletes its notes.';
grant select on ledger.order_note to kilim_server, kilim_app;

create function ledger.write_order_note(p_order_id uuid, p_text text, p_by text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into ledger.order_note (order_id, text, written_by)
  select order_id, p_text, p_by from ledger.order_summary
  where order_id = p_order_id
    and (select count(*) from ledger.order_note written where written.order_id = p_order_id) < 200;
  return found;
end
$$;
comment on function ledger.write_order_note is
  'Stores a note. False when there is no such order, or when it has 200 notes already.';

create function ledger.delete_order_note(p_order_id uuid, p_id bigint) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from ledger.order_note where order_note.order_id = p_order_id and order_note.id = p_id;
  return found;
end
$$;
comment on function ledger.delete_order_note is 'Deletes one note of an order.';

revoke all on function ledger.write_order_note, ledger.delete_order_note from public;
grant execute on function ledger.write_order_note, ledger.delete_order_note to kilim_server, kilim_app;

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
  delete from ledger.order_note where order_note.order_id = p_order_id;
  delete from ledger.customer_contact where customer_contact.order_id = p_order_id;
  return found;
end
$$;
comment on function ledger.forget_contact is
  'Deletes the contact of an order, its notes and the texts of its refunds, with the salts, without which the digests '
  'in the ledger reveal nothing, and with the key to the receipt. It requires an event ContactErased in the orders '
  'stream, so that every erasure leaves a trace. It returns whether there was a contact.';
