import { setTimeout } from 'node:timers/promises';
import type { Sql, Transaction } from '../../database/database.ts';
import type { LimitConcurrency } from '../../runtime/limit-concurrency.ts';

// A shadow table has everything of its live table under the same names in another schema, until both are swapped. The
// catalogue describes the live table, so migrations need not know of shadows.

/** A schema of its own, so the remains of a killed rebuild can be dropped. */
const schema = 'rebuild';
const replaced = 'rebuild_replaced';

type Running = Sql | Transaction;

export async function dropShadows(sql: Running): Promise<void> {
  await sql.unsafe(`drop schema if exists ${schema}, ${replaced} cascade`);
}

/** Anything more than the columns would slow down the fill. */
export async function createShadow(sql: Running, table: string): Promise<void> {
  await sql.unsafe(`create schema if not exists ${schema}`);
  await sql.unsafe(`
    create table ${schema}.${table} (like ledger.${table}
      including defaults including generated including storage including compression including statistics including comments)`);
  const [options] = await sql.unsafe<{ settings: string | null }[]>(
    `select array_to_string(reloptions, ', ') as settings from pg_class where oid = 'ledger.${table}'::regclass`,
  );
  if (options?.settings != null) await sql.unsafe(`alter table ${schema}.${table} set (${options.settings})`);
}

/** Each connection builds one index. */
export async function completeShadow(sql: Sql, table: string, inTurn: LimitConcurrency): Promise<void> {
  const run = (statement: string) => inTurn(() => sql.unsafe<{ step: number; statement: string }[]>(statement));
  const rows = await run(statementsFor(table));
  const made = rows.filter(({ step }) => step === indexes).map(({ statement }) => run(statement));
  await Promise.all(made);
  await run(
    rows
      .filter(({ step }) => step > indexes)
      .map(({ statement }) => statement)
      .join(';\n'),
  );
}

export async function analyzeShadow(sql: Sql, table: string): Promise<void> {
  await sql.unsafe(`analyze ${schema}.${table}`);
}

/** Copies the live table's statistics if the rows turn out equal: sampling takes as long as four indexes. */
export async function copyStatistics(sql: Sql, table: string): Promise<void> {
  const given = ['null_frac', 'avg_width', 'n_distinct', 'most_common_freqs', 'correlation'].map(
    (name) => `'${name}', ${name}`,
  );
  const texts = ['most_common_vals', 'histogram_bounds'].map((name) => `'${name}', ${name}::text`);
  const { count } = await sql.unsafe(`
    select pg_restore_attribute_stats('schemaname', '${schema}', 'relname', tablename::text, 'attname', attname::text, 'inherited', inherited,
      'version', current_setting('server_version_num')::int, ${[...given, ...texts].join(', ')})
    from pg_stats where schemaname = 'ledger' and tablename in (
      select relname from pg_class where oid = 'ledger.${table}'::regclass
      union all select relname from pg_class join pg_index on indexrelid = oid where indrelid = 'ledger.${table}'::regclass
    )`);
  if (count === 0) await analyzeShadow(sql, table);
}

const indexes = 1;

/** Indexes first, so that keys need no work. */
function statementsFor(table: string): string {
  const live = `'ledger.${table}'::regclass`;
  const moved = (definition: string) => `replace(${definition}, ' ON ledger.${table} ', ' ON ${schema}.${table} ')`;
  const grantee = `case when g.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(g.grantee)) end`;
  return `
    select step, statement from (
      select ${indexes} as step, indexrelid::regclass::text as name, ${moved('pg_get_indexdef(indexrelid)')} as statement
      from pg_index where indrelid = ${live} and not exists (
        select from pg_constraint where conindid = indexrelid and conrelid = ${live} and not ${madeOfIndex}
      )
      union all
      select 2, conname::text, format('alter table ${schema}.${table} add constraint %I %s', conname,
        case when ${madeOfIndex} then format('%s using index %I', case contype when 'p' then 'primary key' else 'unique' end, conname)
          else pg_get_constraintdef(oid) end)
      from pg_constraint where conrelid = ${live} and contype in ('p', 'u', 'x', 'f', 'c')
      union all
      select 3, tgname::text, ${moved('pg_get_triggerdef(oid)')} || case tgenabled when 'O' then '' else
        format('; alter table ${schema}.${table} %s trigger %I',
          case tgenabled when 'A' then 'enable always' when 'R' then 'enable replica' else 'disable' end, tgname) end
      from pg_trigger where tgrelid = ${live} and not tgisinternal
      union all
      select 4, '', format('alter table ${schema}.${table} owner to %I', pg_get_userbyid(relowner)) from pg_class where oid = ${live}
      union all
      select 5, '', format('grant %s on ${schema}.${table} to %s%s', g.privilege_type, ${grantee},
        case when g.is_grantable then ' with grant option' else '' end)
      from pg_class c, aclexplode(c.relacl) g where c.oid = ${live} and g.grantee <> c.relowner
      union all
      select 6, '', format('grant %s (%I) on ${schema}.${table} to %s', g.privilege_type, a.attname, ${grantee})
      from pg_attribute a, aclexplode(a.attacl) g where a.attrelid = ${live}
      union all
      select 7, '', format('comment on table ${schema}.${table} is %L', description)
      from pg_description where objoid = ${live} and classoid = 'pg_class'::regclass and objsubid = 0
      union all
      select 7, relname::text, format('comment on index ${schema}.%I is %L', relname, description)
      from pg_description, pg_class where objoid = oid and classoid = 'pg_class'::regclass
        and oid in (select indexrelid from pg_index where indrelid = ${live})
      union all
      select 7, conname::text, format('comment on constraint %I on ${schema}.${table} is %L', conname, description)
      from pg_description, pg_constraint
      where objoid = oid and classoid = 'pg_constraint'::regclass and conrelid = ${live}
    ) statements
    order by step, name`;
}

/** The constraints that can use an existing index. */
const madeOfIndex = `(contype in ('p', 'u') and not condeferrable and not conperiod)`;

/**
 * Inside a transaction that locks both. SQL functions and views refer to tables by id, so they are created again;
 * everything else finds tables by name.
 * @throws if something else depends on an old table; then nothing has changed.
 */
export async function swapShadows(transaction: Transaction, tables: readonly string[]): Promise<void> {
  // With an empty path every name below is printed with its schema.
  await transaction.unsafe("set local search_path = ''");
  const onTables = `refclassid = 'pg_class'::regclass and refobjid in (${tables.map((table) => `'ledger.${table}'::regclass`).join(', ')})`;
  const dependents = await transaction.unsafe<{ definition: string }[]>(`
    select distinct pg_get_functiondef(objid) as definition from pg_depend
    where classid = 'pg_proc'::regclass and ${onTables}
    union all
    select distinct format('create or replace view %s as %s', ev_class::regclass, rtrim(pg_get_viewdef(ev_class), ';'))
    from pg_depend join pg_rewrite on pg_rewrite.oid = objid join pg_class view on view.oid = ev_class and relkind = 'v'
    where classid = 'pg_rewrite'::regclass and ${onTables}`);
  // One message, because all sessions wait for it.
  const statements = [
    `create schema ${replaced}`,
    ...tables.flatMap((table) => [
      `alter table ledger.${table} set schema ${replaced}`,
      `alter table ${schema}.${table} set schema ledger`,
    ]),
    ...dependents.map(({ definition }) => definition),
    // Not `cascade`: an unknown dependency must stop the swap. It is only tried here, because the
    // first append of a connection may hold an old table's type and wait for the lock.
    'savepoint replaced',
    `drop table ${tables.map((table) => `${replaced}.${table}`).join(', ')}`,
    'rollback to savepoint replaced',
  ];
  await transaction.unsafe(statements.join(';\n'));
}

const mostPatienceMs = 1000;

/** Waits until the running transactions end, or last longer than moments: then no session uses a replaced table. */
export async function letOthersEnd(sql: Sql): Promise<void> {
  // Not vacuums: they take longer and append nothing.
  const [now] = await sql<{ running: string }[]>`
    select coalesce(string_agg(virtualtransaction, ' '), '') as running from pg_locks
    where locktype = 'virtualxid' and pid not in (select pid from pg_locks where mode = 'ShareUpdateExclusiveLock')`;
  for (let waitedMs = 0; waitedMs < mostPatienceMs; waitedMs += 10) {
    const others = await sql`
      select from pg_locks
      where locktype = 'virtualxid' and virtualtransaction = any (string_to_array(${now?.running ?? ''}, ' '))`;
    if (others.length === 0) return;
    await setTimeout(10);
  }
}
