import { migrate } from '../../../bff/src/database/migrate.ts';
import { openPair } from '../failover/pair.ts';
import type { OwnDatabase } from './own-database.ts';

/** A primary and a synchronous standby. A crash kills the primary, and the standby takes over. */
export async function openPairedDatabase(): Promise<OwnDatabase> {
  const pair = await openPair();
  await migrate({ url: pair.primaryUrl() });
  let changed: Promise<void> = Promise.resolve();
  const failOver = async () => {
    await pair.killPrimary('machine');
    await pair.promote();
    await pair.rebuild();
  };
  return {
    url: pair.url,
    primaryUrl: pair.primaryUrl,
    ownerSql: pair.ownerSql,
    crash: () => (changed = changed.then(failOver)),
    // Between its death and the promotion there is no primary.
    freeze: () => pair.freezePrimary().catch(() => () => undefined),
    log: pair.log,
    close: pair.close,
  };
}
