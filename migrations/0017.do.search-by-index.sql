-- The orders that have these words, at most so many, found through the index alone. A question that very many orders answer is as quick to read
-- from the table's beginning, PostgreSQL reckons, and forgets that there every row's words have to be taken apart first.
create function ledger.orders_with_words(p_query tsquery, p_most integer) returns setof uuid
language sql stable strict
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
begin atomic
  select contact.order_id from ledger.customer_contact contact
  where ledger.contact_words(contact.name, contact.email, contact.phone) @@ p_query
  limit p_most;
end;

revoke all on function ledger.orders_with_words from public;
grant execute on function ledger.orders_with_words to kilim_app;
