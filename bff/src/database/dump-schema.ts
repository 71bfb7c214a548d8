import type { Transaction } from './database.ts';

const width = 120;

/**
 * Describes the schema that results from the migrations, for reading and comparing. It looks like
 * SQL, and is never executed. It comes from the catalogues, so `pg_dump` is not needed. It omits
 * owners and grantors, which differ between machines.
 */
export async function dumpSchema(transaction: Transaction): Promise<string> {
  const parts = ['-- Written by `npm run schema` from the migrations. Do not edit.'];
  for (const [title, objects] of await readSchema(transaction)) {
    if (objects.length > 0) parts.push(`-- ${title}`, ...objects);
  }
  return `${parts.join('\n\n')}\n`;
}

/**
 * Describes each object with its comments, indexes, triggers and rights.
 *
 * @param schemas absent: all schemas except PostgreSQL's.
 */
async function readSchema(
  transaction: Transaction,
  schemas?: readonly string[],
): Promise<readonly (readonly [title: string, objects: readonly string[]])[]> {
  const [before] = await transaction<{ path: string }[]>`select current_setting('search_path') as path`;
  // Without a search path each name is printed with its schema.
  await transaction.unsafe("set local search_path = ''");
  const read: (readonly [string, readonly string[]])[] = [];
  for (const [title, query] of Object.entries(sections(schemas))) {
    const rows = await transaction.unsafe<{ text: string }[]>(query);
    read.push([title, rows.map((row) => folded(row.text.trim()))]);
  }
  await transaction`select set_config('search_path', ${before?.path ?? ''}, true)`;
  return read;
}

/** Folds long lines, but never inside a string or a quoted name. */
function folded(object: string): string {
  let inText = false;
  const lines = object.split('\n').flatMap((line) => {
    if (/^\s*--/.test(line)) return foldedComment(line);
    // A line feed inside a string continues the string in the next line.
    const [whole, indent = '', end = '', rest = ''] = (inText ? /^()([^']*'?)(.*)/s : /^(\s*)()(.*)/s).exec(line) ?? [];
    if ((line.match(/'/g) ?? []).length % 2 === 1) inText = !inText;
    if (whole === undefined || whole.length <= width) return [line.trimEnd()];
    if (line.startsWith('CREATE OR REPLACE FUNCTION')) return parametersInLines(line);
    const words = rest.match(/(?:'(?:[^']|'')*(?:'|$)|"[^"]*"|[^\s'"])+/g) ?? [];
    return filled(words, { first: indent + end, further: `${indent}  ` });
  });
  return lines.join('\n');
}

function foldedComment(line: string): readonly string[] {
  if (line.length <= width) return [line];
  const [start = ''] = /^\s*-- /.exec(line) ?? [];
  return filled(line.slice(start.length).split(/\s+/), { first: start, further: start });
}

function parametersInLines(line: string): readonly string[] {
  const begin = line.indexOf('(');
  if (begin < 0 || !line.endsWith(')')) return [line];
  const parameters = line.slice(begin + 1, -1).replaceAll(', ', ',\n  ');
  return [line.slice(0, begin + 1), ...`  ${parameters}`.split('\n'), ')'];
}

function filled(words: readonly string[], { first, further }: { first: string; further: string }): readonly string[] {
  const lines = [first];
  let empty = true;
  for (const word of words) {
    const current = lines.at(-1) ?? '';
    const longer = empty ? current + word : `${current} ${word}`;
    if (empty || longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(further + word);
    empty = false;
  }
  return lines;
}

/** Lines before what they explain. */
const comment = (description: string, indent = '') =>
  `coalesce('${indent}-- ' || replace(${description}, E'\\n', ' ') || E'\\n', '')`;

/** Functions of an extension are the extension's business. */
const ownFunction = `p.prokind in ('f', 'p') and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`;

const grantee = `case when g.grantee = 0 then 'public' else g.grantee::regrole::text end`;

/** Absent rights mean the default ones, which for a function are everybody's, so they are spelled out. */
const grants = (on: string, rights: string, owner: string) => `
  coalesce((
    select string_agg(line, '' order by line collate "C") from (
      select format(E'\\ngrant %s on %s to %s%s;',
        string_agg(lower(g.privilege_type), ', ' order by g.privilege_type collate "C"), ${on}, ${grantee},
        case when g.is_grantable then ' with grant option' end) as line
      from aclexplode(${rights}) g where g.grantee <> ${owner} group by g.grantee, g.is_grantable
    ) granted
  ), '')`;

const columns = `
  select string_agg(
    ${comment('col_description(a.attrelid, a.attnum)', '  ')} || format('  %I %s%s%s%s%s', a.attname,
      format_type(a.atttypid, a.atttypmod),
      case when a.attstorage <> t.typstorage then ' storage ' ||
        case a.attstorage when 'e' then 'external' when 'x' then 'extended' when 'm' then 'main' else 'plain' end end,
      case when a.attcollation <> t.typcollation then ' collate ' || a.attcollation::regcollation::text end,
      case when a.attnotnull then ' not null' end,
      case when a.attidentity = 'a' then ' generated always as identity'
        when a.attidentity = 'd' then ' generated by default as identity'
        when a.attgenerated = 's' then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid, true))
        when a.attgenerated = 'v' then format(' generated always as (%s) virtual', pg_get_expr(d.adbin, d.adrelid, true))
        when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid, true) end),
    E',\\n' order by a.attnum)
  from pg_attribute a join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`;

const constraints = `
  select string_agg(
    E',\\n' || ${comment("obj_description(oid, 'pg_constraint')", '  ')}
      || format('  constraint %I %s', conname, pg_get_constraintdef(oid, true)),
    '' order by contype <> 'p', contype <> 'u', contype, conname collate "C")
  from pg_constraint where conrelid = c.oid and contype <> 'n'`;

const indexes = `
  select string_agg(
    E'\\n' || ${comment("obj_description(i.indexrelid, 'pg_class')")} || pg_get_indexdef(i.indexrelid, 0, true) || ';',
    '' order by i.indexrelid::regclass::text collate "C")
  from pg_index i where i.indrelid = c.oid
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = c.oid)`;

const triggers = `
  select string_agg(
    E'\\n' || ${comment("obj_description(oid, 'pg_trigger')")} || pg_get_triggerdef(oid, true) || ';'
      || case tgenabled when 'O' then '' else format(E'\\nalter table %s %s trigger %I;', c.oid::regclass,
        case tgenabled when 'A' then 'enable always' when 'R' then 'enable replica' else 'disable' end, tgname) end,
    '' order by tgname collate "C")
  from pg_trigger where tgrelid = c.oid and not tgisinternal`;

const rules = `
  select string_agg(E'\\n' || pg_get_ruledef(oid, true), '' order by rulename collate "C")
  from pg_rewrite where ev_class = c.oid`;

const policies = `
  select string_agg(
    format(E'\\ncreate policy %I on %s for %s%s%s;', polname, c.oid::regclass, polcmd,
      ' using (' || pg_get_expr(polqual, polrelid, true) || ')',
      ' with check (' || pg_get_expr(polwithcheck, polrelid, true) || ')'),
    '' order by polname collate "C")
  from pg_policy where polrelid = c.oid`;

/** The table's columns with privileges of their own. */
const columnGrants = `
  select string_agg(line, '' order by line collate "C") from (
    select format(E'\\ngrant %s (%s) on table %s to %s%s;', lower(g.privilege_type),
      string_agg(quote_ident(a.attname), ', ' order by a.attnum), c.oid::regclass, ${grantee},
      case when g.is_grantable then ' with grant option' end) as line
    from pg_attribute a, aclexplode(a.attacl) g where a.attrelid = c.oid and g.grantee <> c.relowner
    group by g.privilege_type, g.grantee, g.is_grantable
  ) granted`;

const tables = (ours: string) => `
  select case c.relkind when 'S' then format('create sequence %s;', c.oid::regclass) else
      ${comment("obj_description(c.oid, 'pg_class')")} || format(E'create %stable %s (\\n%s%s\\n)%s%s;',
        case c.relpersistence when 'u' then 'unlogged ' end, c.oid::regclass, (${columns}), (${constraints}),
        ' partition by ' || pg_get_partkeydef(c.oid), ' with (' || array_to_string(c.reloptions, ', ') || ')') end
    || coalesce((${indexes}), '') || coalesce((${triggers}), '') || coalesce((${rules}), '')
    || case when c.relrowsecurity then format(E'\\nalter table %s enable row level security;', c.oid::regclass) else '' end
    || case when c.relforcerowsecurity then format(E'\\nalter table %s force row level security;', c.oid::regclass) else '' end
    || coalesce((${policies}), '')
    || ${grants(
      "case c.relkind when 'S' then 'sequence ' else 'table ' end || c.oid::regclass",
      "coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::\"char\", c.relowner))",
      'c.relowner',
    )}
    || coalesce((${columnGrants}), '') as text
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'S') and ${ours}
    and not exists (
      select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('e', 'i')
    )
  order by c.oid::regclass::text collate "C"`;

const types = (ours: string) => `
  select ${comment("obj_description(t.oid, 'pg_type')")} || case t.typtype
    when 'e' then format('create type %s as enum (%s);', t.oid::regtype,
      (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid))
    when 'd' then format('create domain %s as %s%s %s;', t.oid::regtype, format_type(t.typbasetype, t.typtypmod),
      case when t.typnotnull then ' not null' end,
      (select string_agg(pg_get_constraintdef(oid, true), ' ' order by conname)
        from pg_constraint where contypid = t.oid))
    else format(E'create type %s as (\\n%s\\n);', t.oid::regtype,
      (select string_agg(format('  %I %s', attname, format_type(atttypid, atttypmod)), E',\\n' order by attnum)
        from pg_attribute where attrelid = t.typrelid and attnum > 0 and not attisdropped)) end as text
  from pg_type t join pg_namespace n on n.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
  where ${ours} and (t.typtype in ('e', 'd') or c.relkind = 'c') order by t.oid::regtype::text collate "C"`;

const roles = `
  select format('create role %I%s%s%s%s%s%s%s;%s', rolname,
    case when rolcanlogin then ' login' else ' nologin' end, case when rolsuper then ' superuser' end,
    case when rolinherit then '' else ' noinherit' end, case when rolcreatedb then ' createdb' end,
    case when rolcreaterole then ' createrole' end, case when rolreplication then ' replication' end,
    case when rolbypassrls then ' bypassrls' end,
    (select string_agg(format(E'\\ngrant %s to %s;', m.roleid::regrole, m.member::regrole), ''
        order by m.roleid::regrole::text)
      from pg_auth_members m where m.member = r.oid and m.roleid::regrole::text like 'kilim%')) as text
  from pg_roles r where rolname like 'kilim%' order by rolname collate "C"`;

const schemaNames = (ours: string) => `
  select ${comment("obj_description(n.oid, 'pg_namespace')")} || format('create schema %I;', nspname)
    || ${grants("'schema ' || quote_ident(nspname)", "coalesce(nspacl, acldefault('n', nspowner))", 'nspowner')} as text
  from pg_namespace n where ${ours} and nspname <> 'public' order by nspname collate "C"`;

const views = (ours: string) => `
  select ${comment("obj_description(c.oid, 'pg_class')")}
    || format(E'create %sview %s%s as\\n%s', case c.relkind when 'm' then 'materialized ' end, c.oid::regclass,
      coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', ''), pg_get_viewdef(c.oid, true))
    || ${grants("'table ' || c.oid::regclass", "coalesce(c.relacl, acldefault('r', c.relowner))", 'c.relowner')} as text
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('v', 'm') and ${ours} order by c.oid::regclass::text collate "C"`;

/** By its name alone, unless several have that name. */
const functionName = `
  case when (select count(*) from pg_proc other where (other.pronamespace, other.proname) = (p.pronamespace, p.proname)) > 1
    then p.oid::regprocedure::text else p.oid::regproc::text end`;

const functions = (ours: string) => `
  select ${comment("obj_description(p.oid, 'pg_proc')")} || rtrim(pg_get_functiondef(p.oid), E'\\n') || ';'
    || ${grants(`'function ' || ${functionName}`, "coalesce(p.proacl, acldefault('f', p.proowner))", 'p.proowner')} as text
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where ${ours} and ${ownFunction} order by p.oid::regprocedure::text collate "C"`;

function sections(schemas: readonly string[] | undefined): Readonly<Record<string, string>> {
  const ours =
    schemas === undefined
      ? `n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`
      : `n.nspname in (${schemas.map((name) => `'${name}'`).join(', ')})`;
  return {
    Roles: roles,
    Schemas: schemaNames(ours),
    Extensions: `
      select format('create extension %I;', extname) as text
      from pg_extension where extname <> 'plpgsql' order by extname collate "C"`,
    Types: types(ours),
    'Tables and sequences': tables(ours),
    Views: views(ours),
    Functions: functions(ours),
    'Event triggers': `
      select format('create event trigger %I on %s execute function %s; -- %s', evtname, evtevent, evtfoid::regproc,
        evtenabled) as text
      from pg_event_trigger order by evtname collate "C"`,
    'Default rights': `
      select format('alter default privileges%s grant %s on %s to %s;', ' in schema ' || n.nspname,
        lower(g.privilege_type), d.defaclobjtype, ${grantee}) as text
      from pg_default_acl d left join pg_namespace n on n.oid = d.defaclnamespace, aclexplode(d.defaclacl) g
      where g.grantee <> d.defaclrole order by 1`,
  };
}
