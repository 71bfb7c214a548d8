import { refuseWrongSession } from '../database/check/check-session.ts';
import type { DatabasePlace } from '../database/check/explain-database-error.ts';
import { type ConnectOptions, connect, type Sql, serverConnections, servingLimits } from '../database/database.ts';
import { isDatabaseAway } from '../database/failures.ts';
import { findPoolerIfReachable } from '../database/find-pooler.ts';
import type { Shutdown } from './shutdown.ts';
import type { Closing } from './start-peers.ts';

/** The connections of a server. */
export type Pools = {
  /** For requests and background work. */
  readonly serving: Sql;
  /** The throttles have their own connection, so that counting never delays a payment. */
  readonly throttling: Sql;
  /** Exports have their own connections, so that they never delay a payment. */
  readonly exporting: Sql;
  /** To a replica, if one is configured. */
  readonly replica: { readonly lists: Sql; readonly exports: Sql } | undefined;
};

type Addresses = {
  /** As `findPooler` returns it. */
  readonly place: DatabasePlace;
  /** A replica, which may be down. */
  readonly readUrl: string | undefined;
};

/** How long running statements may take once requests and background work have ended. */
const endSeconds = 0.5;

/** @throws Error with a sentence when the sessions are not what the server needs. */
export async function openPools({ place, readUrl }: Addresses, { closing }: Pick<Shutdown, 'closing'>): Promise<Pools> {
  const serving = { ...place, role: 'kilim_server', ...servingLimits } as const;
  const [served, throttling, exporting, replica] = await Promise.all([
    openPool(
      { ...serving, max: serverConnections, applicationName: 'kilim' },
      closing('connections', 'the database connections'),
    ),
    openPool(
      { ...serving, max: 1, applicationName: 'kilim throttle' },
      closing('connections', 'the throttle connection'),
    ),
    openPool({ ...place, ...forExports }, closing('connections', 'the connections of exports')),
    readUrl === undefined ? undefined : openReplica(readUrl, closing('connections', 'the connections to the replica')),
  ]);
  return { serving: served, throttling, exporting, replica };
}

const forExports = { role: 'kilim_server', max: 4, applicationName: 'kilim exports' } as const;
const forLists = { role: 'kilim_server', max: 4, applicationName: 'kilim lists', ...servingLimits } as const;

async function openPool(options: ConnectOptions & DatabasePlace, closing: Closing): Promise<Sql> {
  const sql = connect(options);
  closing(() => sql.end({ timeout: endSeconds }));
  await refuseWrongSession(sql, options);
  return sql;
}

/** A replica that is down must not stop the start. */
async function openReplica(url: string, closing: Closing): Promise<Pools['replica']> {
  const place = await findPoolerIfReachable({ variable: 'DATABASE_READ_URL', url });
  const open = async (options: Omit<ConnectOptions, 'url'>) => {
    const sql = connect({ ...place, ...options });
    closing(() => sql.end({ timeout: endSeconds }));
    await refuseWrongSession(sql, { ...place, ...options, isForReading: true }).catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error;
    });
    return sql;
  };
  const [lists, exports] = await Promise.all([open(forLists), open(forExports)]);
  return { lists, exports };
}
