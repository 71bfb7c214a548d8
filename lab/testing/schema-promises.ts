import type { Sql, Transaction } from '../../bff/src/core/database/database.ts';

/** Of a table, function, type or schema; a running server may rely on it. */
export type SchemaPromise = {
  /** `table ledger.event` */
  readonly object: string;
  /** `payload json not null` */
  readonly text: string;
  /** Servers break when it goes. */
  readonly isNeeded: boolean;
  /** Servers break, or wait, when it comes to an object that existed. */
  readonly isUnwelcome: boolean;
};

/** From the catalogues, except for PostgreSQL's own schemas. */
export async function readPromises(sql: Sql | Transaction): Promise<readonly SchemaPromise[]> {
  return await sql.unsafe<SchemaPromise[]>(`
    select object, text, "isNeeded", "isUnwelcome" from (
      ${queries.join(' union all ')}
    ) promises (namespace, object, text, "isNeeded", "isUnwelcome")
    where namespace in (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
    order by object collate "C", text collate "C"`);
}

/**
 * Changes that break servers of the release before, or make them wait. Not replaced function bodies, whose meaning
 * nothing here can judge.
 */
export function contractionsBetween(
  before: readonly SchemaPromise[],
  after: readonly SchemaPromise[],
): readonly string[] {
  const kept = new Set(after.map(nameOf));
  const known = new Set(before.map(nameOf));
  const objects = new Set(before.map(({ object }) => object));
  const lost = before.filter((promise) => promise.isNeeded && !kept.has(nameOf(promise)));
  const come = after
    .filter(({ object, isUnwelcome }) => objects.has(object) && isUnwelcome)
    .filter((promise) => !known.has(nameOf(promise)));
  return [
    ...lost.map((promise) => `${nameOf(promise)}: is gone or changed`),
    ...come.map((promise) => `${nameOf(promise)}: is new`),
  ];
}

/**
 * PostgreSQL would not create these again: a function that returns a table's rows fails when the table has got a
 * column. The caller has to roll back, because it creates them.
 */
export async function invalidFunctions(transaction: Transaction): Promise<readonly string[]> {
  await transaction`create temporary table invalid_function (name text, reason text) on commit drop`;
  await transaction`
    do $$
    declare
      kept record;
    begin
      for kept in
        select oid::regprocedure::text as name, pg_get_functiondef(oid) as definition from pg_proc
        where pronamespace in (select oid from pg_namespace where nspname in ('admin', 'image', 'kilim', 'ledger'))
      loop
        begin
          execute kept.definition;
        exception when others then
          insert into invalid_function values (kept.name, sqlerrm);
        end;
      end loop;
    end $$`;
  const found = await transaction<{ name: string; reason: string }[]>`select name, reason from invalid_function`;
  return found.map(({ name, reason }) => `function ${name}: ${reason}`);
}

function nameOf({ object, text }: SchemaPromise): string {
  return `${object}: ${text}`;
}

const table = `format('table %I.%I', n.nspname, c.relname)`;
const fromTables = `pg_class c join pg_namespace n on n.oid = c.relnamespace`;
const aclKind = `case c.relkind when 'S' then 's' else 'r' end::"char"`;
const fromColumns = `
  pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum`;
const ofColumns = 'a.attnum > 0 and not a.attisdropped';
const mayBeLeftOut = `(not a.attnotnull or d.adbin is not null or a.attidentity <> '')`;
const functionName = `format('function %I.%I', n.nspname, p.proname)`;
const fromFunctions = 'pg_proc p join pg_namespace n on n.oid = p.pronamespace';
const fromTypes = 'pg_type t join pg_namespace n on n.oid = t.typnamespace';

/** For each grantee and privilege. An absent list means the defaults, so they are spelled out. */
const granted = (rights: string, owner: string) => `
  cross join lateral aclexplode(${rights}) g where g.grantee <> ${owner}`;
const grant = `lower(g.privilege_type) || ' by ' || case when g.grantee = 0 then 'public' else g.grantee::regrole::text end`;

/** Schema, object, text, whether it is needed, whether it is unwelcome. */
const queries = [
  `select n.oid, format('schema %I', nspname), 'exists', true, false from pg_namespace n`,
  `select n.oid, format('schema %I', nspname), ${grant}, true, false
    from pg_namespace n ${granted("coalesce(nspacl, acldefault('n', nspowner))", 'nspowner')}`,

  // The file changes when the table is rewritten or truncated, which lock it and lose or copy every row.
  `select n.oid, ${table}, 'keeps its rows in file ' || c.relfilenode, true, false
    from ${fromTables} where c.relkind in ('r', 'm')`,
  `select n.oid, ${table}, 'row level security', true, true from ${fromTables} where c.relrowsecurity`,
  `select n.oid, ${table}, ${grant}, true, false
    from ${fromTables} ${granted(`coalesce(c.relacl, acldefault(${aclKind}, c.relowner))`, 'c.relowner')}
    and c.relkind in ('r', 'p', 'v', 'm', 'S')`,

  `select n.oid, ${table}, format('%I %s%s', a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then ' not null' else '' end), true, false
    from ${fromColumns} where c.relkind in ('r', 'p', 'v', 'm') and ${ofColumns}`,
  `select n.oid, ${table}, format('%I may be left out of an insert', a.attname), true, false
    from ${fromColumns} where c.relkind in ('r', 'p') and ${ofColumns} and ${mayBeLeftOut}`,
  `select n.oid, ${table}, format('%I must be part of an insert', a.attname), false, true
    from ${fromColumns} where c.relkind in ('r', 'p') and ${ofColumns} and not ${mayBeLeftOut}`,
  `select n.oid, ${table}, format('%I computed as %s', a.attname, pg_get_expr(d.adbin, d.adrelid)), true, false
    from ${fromColumns} where ${ofColumns} and a.attgenerated <> ''`,
  `select n.oid, ${table}, format('%I: %s', a.attname, ${grant}), true, false
    from ${fromColumns} ${granted('a.attacl', 'c.relowner')} and ${ofColumns}`,

  `select k.connamespace, ${table}, format('constraint %I %s', conname, pg_get_constraintdef(k.oid)), true, true
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where contype <> 'n'`,
  // A unique index rejects rows, and "on conflict" relies on it.
  `select n.oid, ${table}, pg_get_indexdef(i.indexrelid), i.indisunique, true
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
    where not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = c.oid)`,
  `select n.oid, ${table}, pg_get_triggerdef(g.oid) || format(' (%s)', tgenabled), true, true
    from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where not tgisinternal`,

  // A second function of the same name makes a call with untyped parameters ambiguous.
  `select n.oid, ${functionName}, format('(%s) returns %s', pg_get_function_arguments(p.oid), pg_get_function_result(p.oid)),
      true, true
    from ${fromFunctions} where p.prokind in ('f', 'p')`,
  `select n.oid, ${functionName}, 'runs with the rights of its ' || case when p.prosecdef then 'owner' else 'caller' end,
      true, true
    from ${fromFunctions} where p.prokind in ('f', 'p')`,
  `select n.oid, ${functionName}, ${grant}, true, false
    from ${fromFunctions} ${granted("coalesce(p.proacl, acldefault('f', p.proowner))", 'p.proowner')}`,

  // Servers send rows of these types as text, with exactly these columns.
  `select n.oid, format('type %I.%I', n.nspname, c.relname), string_agg(format('%I %s', a.attname,
      format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum), true, true
    from ${fromColumns} where c.relkind = 'c' and ${ofColumns} group by n.oid, n.nspname, c.relname`,
  `select n.oid, format('type %I.%I', n.nspname, t.typname), quote_literal(enumlabel), true, false
    from ${fromTypes} join pg_enum e on e.enumtypid = t.oid`,
  `select n.oid, format('type %I.%I', n.nspname, t.typname), concat_ws(' ', format_type(t.typbasetype, t.typtypmod),
      case when t.typnotnull then 'not null' end,
      (select string_agg(pg_get_constraintdef(oid), ' ' order by conname) from pg_constraint where contypid = t.oid)),
      true, true
    from ${fromTypes} where t.typtype = 'd'`,
];
