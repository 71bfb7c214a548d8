import { onlyRow, type Sql } from '../../core/database/database.ts';
import type { DatabasePlace } from '../../core/database/explain-database-error.ts';
import type { Diagnosis } from '../../core/runtime/diagnosis.ts';
import { connectionsPerServer, throttleName } from '../open-pools.ts';

export type ConnectionLimits = {
  /** Of the login, the database and the server the smallest; without connections that are reserved. */
  readonly most: number;
  readonly servers: number;
};

/** At the database's own address: a pooler shares few connections. */
export async function readConnectionLimits(sql: Sql): Promise<ConnectionLimits> {
  return await onlyRow(sql<ConnectionLimits[]>`
    select least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - current_setting('reserved_connections')::int,
        nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) as most,
      (select count(*)::int from pg_stat_activity
        where datname = current_database() and application_name = ${throttleName}) as servers
    from pg_roles, pg_database where rolname = session_user and datname = current_database()`);
}

/** An update starts a new server before it stops an old one. */
export function judgeConnections(
  { most, servers }: ConnectionLimits,
  { variable }: Pick<DatabasePlace, 'variable'>,
): readonly Diagnosis[] {
  const needed = (Math.max(servers, 1) + 1) * connectionsPerServer;
  if (most >= needed) return [];
  const running = servers === 1 ? 'one server runs' : `${servers} servers run`;
  return [
    {
      level: 'warning',
      variable,
      problem: `PostgreSQL gives this login at most ${most} connections, each server opens up to ${connectionsPerServer}, and ${servers === 0 ? 'an update runs two servers for a while' : `${running}, and one more during an update`}.`,
      remedy: `Raise max_connections, or the limit of the login or the database, until ${needed} are left. Or use a connection pooler: docs/larger/poolers.md.`,
    },
  ];
}
