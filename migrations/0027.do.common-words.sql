-- A word that many have, like the first part of a frequent name, is looked for among the newest orders at once. Asking the index first takes as long as
-- there are people who have it.

-- How many orders about have this one word, or a word that begins with it, as far as the statistics of the table know: 0 for what is rare, for
-- several words, and as long as PostgreSQL has not analyzed the table.
create function ledger.orders_with_common_word(p_query tsquery) returns bigint
language plpgsql stable strict security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_word constant text := substring(p_query::text from '^''([^'' ]+)'':\*$');
begin
  if v_word is null then
    return 0;
  end if;
  return coalesce((
    select max(common.share) * (select reltuples from pg_class where oid = 'ledger.customer_contact'::regclass)
    from pg_stats stats, unnest(stats.most_common_elems::text::text[], stats.most_common_elem_freqs) as common (word, share)
    where stats.schemaname = 'ledger' and stats.tablename = 'customer_contact_words' and starts_with(common.word, v_word)
  ), 0)::bigint;
end
$$;

revoke all on function ledger.orders_with_common_word from public;
grant execute on function ledger.orders_with_common_word to kilim_app;
