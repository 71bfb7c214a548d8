import { type ConnectOptions, connect, type Sql, serverConnections, servingLimits } from '../core/database/database.ts';
import type { DatabasePlace } from '../core/database/explain-database-error.ts';
import type { Closing, Shutdown } from '../core/runtime/shutdown.ts';
import { refuseWrongSession } from './check/check-session.ts';

export type Pools = {
  readonly serving: Sql;
  /** Counting never delays a payment. */
  readonly throttling: Sql;
  /** Exports never delay a payment. */
  readonly exporting: Sql;
};

const throttleConnections = 1;
const exportConnections = 4;
export const connectionsPerServer = serverConnections + throttleConnections + exportConnections;

/** Each server has one such connection. */
export const throttleName = 'kilim throttle';

const endSeconds = 0.5;

/** @throws Error with a sentence when the sessions are not what the server needs. */
export async function openPools(place: DatabasePlace, { closing }: Pick<Shutdown, 'closing'>): Promise<Pools> {
  const serving = { ...place, role: 'kilim_server', ...servingLimits } as const;
  const [served, throttling, exporting] = await Promise.all([
    openPool(
      { ...serving, max: serverConnections, applicationName: 'kilim' },
      closing('connections', 'the database connections'),
    ),
    openPool(
      { ...serving, max: throttleConnections, applicationName: throttleName },
      closing('connections', 'the throttle connection'),
    ),
    openPool(
      { ...place, role: 'kilim_server', max: exportConnections, applicationName: 'kilim exports' },
      closing('connections', 'the connections of exports'),
    ),
  ]);
  return { serving: served, throttling, exporting };
}

async function openPool(options: ConnectOptions & DatabasePlace, closing: Closing): Promise<Sql> {
  const sql = connect(options);
  closing(() => sql.end({ timeout: endSeconds }));
  await refuseWrongSession(sql, options);
  return sql;
}
