import { setTimeout } from 'node:timers/promises';
import { connect, type Sql } from '../database.ts';

export type CrowdOptions = {
  /** Nobody else's: other sessions of this PostgreSQL get no connection either. */
  readonly databaseUrl: string;
  readonly ownerSql: Sql;
};

/**
 * Other sessions take all connections of PostgreSQL, and the servers lose theirs: whatever they ask
 * for is refused with "too many clients already".
 * @returns how to let the connections go.
 */
export async function crowdOut({ databaseUrl, ownerSql }: CrowdOptions): Promise<() => Promise<void>> {
  const [{ most } = { most: 100 }] = await ownerSql<{ most: number }[]>`
    select current_setting('max_connections')::int as most`;
  const crowd = connect({ url: databaseUrl, max: most, applicationName });
  let isOver = false;
  const takeOne = async () => {
    while (!isOver) {
      const isTaken = await crowd.reserve().then(
        () => true,
        () => false,
      );
      if (isTaken) return;
      await setTimeout(50);
    }
  };
  const taking = Array.from({ length: most }, takeOne);
  const pushing = pushOut(ownerSql, () => isOver);
  return async () => {
    isOver = true;
    await pushing;
    await crowd.end({ timeout: 0 });
    await Promise.all(taking);
  };
}

const applicationName = 'kilim crowd';

async function pushOut(ownerSql: Sql, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await terminateServerSessions(ownerSql).catch(() => undefined);
    await setTimeout(100);
  }
}

/**
 * Ends the sessions of the servers. The session that guards the embedded PostgreSQL stays: without
 * it, a PostgreSQL that is just coming back would be given up.
 */
export async function terminateServerSessions(ownerSql: Sql): Promise<void> {
  await ownerSql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'kilim%'
      and application_name not in ('kilim owner', 'kilim chaos', ${applicationName})
      and pid <> pg_backend_pid()`;
}
