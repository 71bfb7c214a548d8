import { onlyRow, type Sql } from '../../core/database/database.ts';
import type { DatabasePlace } from '../../core/database/explain-database-error.ts';
import type { Diagnosis } from '../../core/runtime/diagnosis.ts';

export type DatabaseFacts = {
  /** The login, whatever role the session has taken. */
  readonly login: string;
  readonly isSuperuser: boolean;
  readonly hasLedger: boolean;
  readonly mayBeServer: boolean;
  /** Of the login, beyond one database. */
  readonly attributes: readonly string[];
  /** PostgreSQL's roles that could read or write everything. */
  readonly wideRoles: readonly string[];
  readonly ownedSchemas: readonly string[];
  /** The same for a primary and its standbys. */
  readonly cluster: string;
  readonly databaseId: number;
};

export async function readFacts(sql: Sql): Promise<DatabaseFacts> {
  return await onlyRow(sql<DatabaseFacts[]>`
    select session_user::text as login,
      (select rolsuper from pg_roles where rolname = session_user) as "isSuperuser",
      exists (select from pg_namespace where nspname = 'ledger') as "hasLedger",
      exists (select from pg_roles where rolname = 'kilim_server' and pg_has_role(session_user, oid, 'member'))
        as "mayBeServer",
      (select to_json(array_remove(array[case when rolcreaterole then 'createrole' end,
          case when rolbypassrls then 'bypassrls' end, case when rolreplication then 'replication' end], null))
        from pg_roles where rolname = session_user) as attributes,
      to_json(array(select rolname from pg_roles
        where rolname in ('pg_execute_server_program', 'pg_read_all_data', 'pg_read_server_files', 'pg_write_all_data',
          'pg_write_server_files') and pg_has_role(session_user, oid, 'member') order by rolname)) as "wideRoles",
      to_json(array(select nspname from pg_namespace
        where nspname in ('admin', 'image', 'kilim', 'ledger') and pg_has_role(session_user, nspowner, 'member')
        order by nspname)) as "ownedSchemas",
      (select system_identifier::text from pg_control_system()) as cluster,
      (select oid::int8 from pg_database where datname = current_database()) as "databaseId"`);
}

type Judged = Pick<DatabasePlace, 'variable'> & { readonly production: boolean };

/** In production an error stops the start. */
export function checkPrivileges(facts: DatabaseFacts, judged: Judged): readonly Diagnosis[] {
  return [...checkMembership(facts, judged), ...checkWidth(facts, judged)];
}

function checkMembership({ login, hasLedger, mayBeServer }: DatabaseFacts, { variable }: Judged): readonly Diagnosis[] {
  if (!hasLedger || mayBeServer) return [];
  return [
    {
      level: 'error',
      variable,
      problem: `the login ${login} is not a member of the role kilim_server.`,
      remedy: `Run as the owner of the database: npm run migrate -- --login ${login}`,
    },
  ];
}

/**
 * With these rights an attacker in a server could undo every other protection. Outside production they are convenient:
 * one login migrates and serves.
 */
export function checkWidth(facts: DatabaseFacts, { variable, production }: Judged): readonly Diagnosis[] {
  if (!production) return [];
  const { login, isSuperuser } = facts;
  const found = (problem: string, remedy: string): Diagnosis => ({ level: 'error', variable, problem, remedy });
  if (isSuperuser) {
    return [found(`the login ${login} is a superuser, so a server could change recorded events.`, ownLogin)];
  }
  const { ownedSchemas, attributes, wideRoles } = facts;
  return [
    ...(ownedSchemas.length === 0
      ? []
      : [
          found(
            `the login ${login} owns the schemas ${ownedSchemas.join(', ')}, so a server could change recorded events.`,
            ownLogin,
          ),
        ]),
    ...attributes.map((name) =>
      found(`the login ${login} has the attribute ${name}.`, `Run as a superuser: alter role "${login}" no${name}`),
    ),
    ...wideRoles.map((name) =>
      found(`the login ${login} is a member of ${name}.`, `Run as a superuser: revoke ${name} from "${login}"`),
    ),
  ];
}

const ownLogin =
  'Give the servers a login of their own, with npm run migrate -- --login <name>. Put this login into MIGRATION_DATABASE_URL for migrations only.';

/** Whether an address leads to the database of `DATABASE_URL`. */
export function checkSameDatabase(
  found: DatabaseFacts,
  { main, variable }: { readonly main: DatabaseFacts; readonly variable: DatabasePlace['variable'] },
): readonly Diagnosis[] {
  if (found.cluster === main.cluster && found.databaseId === main.databaseId) return [];
  return [
    {
      level: 'error',
      variable,
      problem: 'it names another database than DATABASE_URL.',
      remedy: 'Use the same host and the same database name.',
    },
  ];
}
