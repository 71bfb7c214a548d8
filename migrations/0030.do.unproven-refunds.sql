-- A refund that no server requested waits for a person at once. Before, an effect waited for a day.

create function ledger.park_effect(p_key text, p_fence integer, p_answer text) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_answer is null or p_answer !~ '^[A-Z_]{1,40}$' then
    raise exception 'Nothing parks an effect because of %', p_answer using errcode = 'KLM03';
  end if;
  update ledger.effect set state = 'parked', answer = p_answer
  where key = p_key and kind = 'refund' and state = 'open' and fence = p_fence;
  return found;
end
$$;
comment on function ledger.park_effect is
  'Leaves a refund that must not be sent to a person. False when another process has taken its effect over.';
revoke all on function ledger.park_effect from public;
grant execute on function ledger.park_effect to kilim_app, kilim_server;
