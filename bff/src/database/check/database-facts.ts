import type { Diagnosis } from '../../server/check/diagnosis.ts';
import type { Sql } from '../database.ts';
import type { DatabasePlace } from './explain-database-error.ts';

/** What a session says of its database and its login. */
export type DatabaseFacts = {
  /** The login, whatever role the session has taken. */
  readonly login: string;
  readonly isSuperuser: boolean;
  /** Whether the first migration was applied. */
  readonly hasLedger: boolean;
  readonly mayBeApp: boolean;
  /** Whether the login has the rights of the ledger's owner. */
  readonly ownsLedger: boolean;
  readonly isInRecovery: boolean;
  /** The same for a primary and its physical replicas. */
  readonly cluster: string;
  /** `pg_database.oid` */
  readonly databaseId: number;
};

export async function readFacts(sql: Sql): Promise<DatabaseFacts> {
  const [facts] = await sql<DatabaseFacts[]>`
    select session_user::text as login,
      (select rolsuper from pg_roles where rolname = session_user) as "isSuperuser",
      exists (select from pg_namespace where nspname = 'ledger') as "hasLedger",
      exists (select from pg_roles where rolname = 'kilim_app' and pg_has_role(session_user, oid, 'member')) as "mayBeApp",
      exists (
        select from pg_namespace where nspname = 'ledger' and pg_has_role(session_user, nspowner, 'usage')
      ) as "ownsLedger",
      pg_is_in_recovery() as "isInRecovery",
      (select system_identifier::text from pg_control_system()) as cluster,
      (select oid::int8 from pg_database where datname = current_database()) as "databaseId"`;
  if (facts === undefined) throw new Error('The database answered nothing');
  return facts;
}

/** Whether a server may log in like this. @param production there the login has no rights of the owner. */
export function checkPrivileges(
  { login, isSuperuser, hasLedger, mayBeApp, ownsLedger }: DatabaseFacts,
  { variable, production }: Pick<DatabasePlace, 'variable'> & { readonly production: boolean },
): readonly Diagnosis[] {
  if (!hasLedger) return [];
  if (!mayBeApp) {
    return [
      {
        level: 'error',
        variable,
        problem: `the login ${login} is not a member of the role kilim_app.`,
        remedy: `Run as the owner of the database: grant kilim_app to "${login}"`,
      },
    ];
  }
  if (!production || !(isSuperuser || ownsLedger)) return [];
  return [
    {
      level: 'warning',
      variable,
      problem: `the login ${login} ${isSuperuser ? 'is a superuser' : 'owns the ledger'}, so a server could change recorded events.`,
      remedy:
        'Give servers a login of their own that is a member of kilim_app only. Put this one into MIGRATION_DATABASE_URL.',
    },
  ];
}

/** Whether an address leads to the database of `DATABASE_URL`, or to a physical replica of it. */
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
      remedy: 'Use the same host, or a physical replica of it, and the same database name.',
    },
  ];
}
