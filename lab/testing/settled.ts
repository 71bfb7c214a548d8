import type { Sql } from '../../bff/src/database/database.ts';
import { until } from './patience.ts';

/**
 * Waits until all appended events can be sealed, counted and exported: every transaction that is
 * older has ended. The databases of a server share transaction ids, so each of them can delay this.
 */
export async function settled(sql: Sql): Promise<void> {
  await until('every older transaction has ended', async () => {
    const late = await sql`
      select from ledger.event
      where epoch = ledger.current_epoch() and xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1`;
    return late.length === 0;
  });
}
