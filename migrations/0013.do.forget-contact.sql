-- Erases what is kept of a customer beside the ledger: the contact, the salt without which its digest in the ledger says nothing, and the key to
-- the receipt. Only for an order whose stream says that it was done, and by whom, so that nothing disappears without a trace. It answers
-- whether anything was there.
create function ledger.forget_contact(p_order_id uuid) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select from ledger.event where event.stream_id = 'order-' || p_order_id and event.type = 'ContactErased'
  ) then
    raise exception 'The stream of order % does not say that its contact was erased', p_order_id using errcode = 'KLM03';
  end if;
  delete from ledger.customer_contact where customer_contact.order_id = p_order_id;
  return found;
end
$$;

revoke all on function ledger.forget_contact from public;
grant execute on function ledger.forget_contact to kilim_app;
