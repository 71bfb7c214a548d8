import type { Sql } from '../../bff/src/core/database/database.ts';
import { until } from './patience.ts';

/**
 * Every older transaction has ended, so that all events can be sealed and exported. The databases of a server share
 * transaction ids, so each of them can delay this.
 */
export async function settled(sql: Sql): Promise<void> {
  await until('every older transaction has ended', async () => {
    const late = await sql`
      select from ledger.event
      where epoch = ledger.current_epoch() and xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1`;
    return late.length === 0;
  });
}
