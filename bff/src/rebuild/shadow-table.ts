import type { Sql, Transaction } from '../database.ts';

// A table's successor: the same columns, checks, keys, indexes, triggers, rights and options under the same names, in a schema of its
// own, until both change places. All of it is read from the catalogues, so that a migration need not think of it.

/** Where successors are made. Nothing else lives there, so what a killed rebuild left behind can be thrown away. */
const schema = 'rebuild';
/** Where the old tables are for a moment, while both exist. */
const replaced = 'rebuild_replaced';

type Running = Sql | Transaction;

export async function dropShadows(sql: Running): Promise<void> {
  await sql.unsafe(`drop schema if exists ${schema} cascade`);
}

/** The successor's columns and checks, and nothing that would slow down filling it. */
export async function createShadow(sql: Running, table: string): Promise<void> {
  await sql.unsafe(`create schema if not exists ${schema}`);
  await sql.unsafe(`
    create table ${schema}.${table} (like ledger.${table}
      including defaults including generated including constraints including storage including compression including statistics
      including comments)`);
  const [options] = await sql.unsafe<{ settings: string | null }[]>(
    `select array_to_string(reloptions, ', ') as settings from pg_class where oid = 'ledger.${table}'::regclass`,
  );
  if (options?.settings != null) await sql.unsafe(`alter table ${schema}.${table} set (${options.settings})`);
}

/** Everything else, once the rows are there. Several indexes are made at once, by as many connections as there are. */
export async function completeShadow(sql: Sql, table: string): Promise<void> {
  const rows = await sql.unsafe<{ step: number; statement: string }[]>(statementsFor(table));
  const run = ({ statement }: { readonly statement: string }) => sql.unsafe(statement);
  for (const row of rows.filter(({ step }) => step === keys)) await run(row);
  await Promise.all(rows.filter(({ step }) => step === indexes).map(run));
  for (const row of rows.filter(({ step }) => step > indexes)) await run(row);
  await sql.unsafe(`analyze ${schema}.${table}`);
}

const keys = 1;
const indexes = 2;

/** Keys first, since they are also indexes; then indexes, triggers, owner and rights. Names are those of the live table's. */
function statementsFor(table: string): string {
  const live = `'ledger.${table}'::regclass`;
  const moved = (definition: string) => `replace(${definition}, ' ON ledger.${table} ', ' ON ${schema}.${table} ')`;
  const grantee = `case when g.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(g.grantee)) end`;
  return `
    select step, statement from (
      select ${keys} as step, conname::text as name,
        format('alter table ${schema}.${table} add constraint %I %s', conname, pg_get_constraintdef(oid)) as statement
      from pg_constraint where conrelid = ${live} and contype in ('p', 'u', 'x', 'f')
      union all
      select ${indexes}, indexrelid::regclass::text, ${moved('pg_get_indexdef(indexrelid)')}
      from pg_index where indrelid = ${live} and not exists (select from pg_constraint where conindid = indexrelid and conrelid = ${live})
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
    ) statements
    order by step, name`;
}

/**
 * Puts the successors in the places of the live tables, inside a transaction that holds both against everybody. Functions written in SQL
 * hold the very tables that they were made with, so they are made anew; what finds tables by name finds the new ones.
 * @throws when something else depends on an old table: then nothing has changed.
 */
export async function swapShadows(transaction: Transaction, tables: readonly string[]): Promise<void> {
  // Without a path every name in what follows is printed with its schema.
  await transaction.unsafe("set local search_path = ''");
  const functions = await transaction.unsafe<{ definition: string }[]>(`
    select distinct pg_get_functiondef(objid) as definition from pg_depend
    where classid = 'pg_proc'::regclass and refclassid = 'pg_class'::regclass
      and refobjid in (${tables.map((table) => `'ledger.${table}'::regclass`).join(', ')})`);
  // All in one message, because everybody waits meanwhile.
  const statements = [
    `create schema ${replaced}`,
    ...tables.flatMap((table) => [
      `alter table ledger.${table} set schema ${replaced}`,
      `alter table ${schema}.${table} set schema ledger`,
    ]),
    ...functions.map(({ definition }) => definition),
    // Not `cascade`: if anything else holds an old table, everything stays as it was.
    ...tables.map((table) => `drop table ${replaced}.${table}`),
    `drop schema ${replaced}`,
    `drop schema ${schema}`,
  ];
  await transaction.unsafe(statements.join(';\n'));
}
