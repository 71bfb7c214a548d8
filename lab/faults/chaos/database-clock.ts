import type { Sql } from '../../../bff/src/core/database/database.ts';

/**
 * PostgreSQL resolves built-in functions by name when it parses a statement, so functions with the old names replace
 * them. `current_timestamp` keeps the real time; the product does not use it. Install this before a server connects:
 * prepared statements keep their functions.
 */
export async function installSteppableClock(ownerSql: Sql): Promise<void> {
  const [{ isInstalled } = { isInstalled: false }] = await ownerSql<{ isInstalled: boolean }[]>`
    select to_regprocedure('pg_catalog.real_clock_timestamp()') is not null as "isInstalled"`;
  if (isInstalled) return;
  await ownerSql.unsafe(`
    create schema chaos;
    grant usage on schema chaos to public;
    create table chaos.clock_step (seconds double precision not null);
    grant select on chaos.clock_step to public;
    insert into chaos.clock_step values (0);
    ${functions.map(steppable).join('\n')}
    ${rebindDefaults}`);
}

/** A negative number sets it back, 0 resets it. */
export async function stepDatabaseClock(ownerSql: Sql, secondsAhead: number): Promise<void> {
  await ownerSql`update chaos.clock_step set seconds = ${secondsAhead}::float8`;
}

const functions = [
  { name: 'clock_timestamp', volatility: 'volatile' },
  { name: 'now', volatility: 'stable' },
  { name: 'transaction_timestamp', volatility: 'stable' },
  { name: 'statement_timestamp', volatility: 'stable' },
] as const;

function steppable({ name, volatility }: (typeof functions)[number]): string {
  return `
    alter function pg_catalog.${name}() rename to real_${name};
    create function pg_catalog.${name}() returns timestamptz language sql ${volatility} as
      'select pg_catalog.real_${name}() + pg_catalog.make_interval(secs => (select seconds from chaos.clock_step))';`;
}

/** A column default still refers to the built-in function. */
const rebindDefaults = `
  do $$
  declare
    v_default record;
  begin
    for v_default in
      select adrelid::regclass as owner, attname, pg_get_expr(adbin, adrelid) as expression
      from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
      where pg_get_expr(adbin, adrelid) like '%real_clock_timestamp()%'
    loop
      execute format('alter table %s alter column %I set default %s',
        v_default.owner, v_default.attname, replace(v_default.expression, 'real_clock', 'clock'));
    end loop;
  end
  $$;`;
