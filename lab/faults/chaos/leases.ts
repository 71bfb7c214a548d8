import type { Sql } from '../../../bff/src/database/database.ts';

/**
 * Shortens leases, so that the effects and hints of a dead server are free after seconds instead of
 * half a minute. A trigger in the test database does it: the product has no setting for it.
 */
export async function shortenLeases(ownerSql: Sql, seconds: number): Promise<void> {
  await ownerSql.unsafe(`
    create or replace function public.shorten_lease() returns trigger language plpgsql as $$
    begin
      new.wait_seconds := least(new.wait_seconds, ${seconds});
      return new;
    end
    $$;
    create trigger shorten_lease before insert or update on ledger.effect
      for each row execute function public.shorten_lease();
    create trigger shorten_lease before insert or update on ledger.square_hint
      for each row execute function public.shorten_lease();`);
}
