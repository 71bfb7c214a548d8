-- A payment or refund of ours in a state that the program does not know waits for a person, who needs Square's word.

alter table ledger.effect add column answer text collate "C";
comment on column ledger.effect.answer is
  'The status that Square names, when it settles nothing: one that the program does not know, or that an operation has '
  'not ended yet.';

create function ledger.put_effect_back(p_key text, p_fence integer, p_wait_seconds integer, p_answer text)
returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_answer !~ '^[A-Z_]{1,40}$' then
    raise exception 'Square says nothing like %', p_answer using errcode = 'KLM03';
  end if;
  update ledger.effect set answer = p_answer where key = p_key and state = 'open' and fence = p_fence
    and answer is distinct from p_answer;
  return ledger.release_effect(p_key, p_fence, p_wait_seconds);
end
$$;
comment on function ledger.put_effect_back is
  'Releases the effect as ledger.release_effect, and keeps what Square says of it.';
revoke all on function ledger.put_effect_back from public;
grant execute on function ledger.put_effect_back to kilim_server, kilim_app;
