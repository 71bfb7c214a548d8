import { expect, vi } from 'vitest';
import type { Sql } from '../src/database/database.ts';

/**
 * Waits until all appended events can be sealed, counted and exported: every transaction that is
 * older has ended. The databases of a server share transaction ids, so other specs can delay this.
 */
export async function settled(sql: Sql): Promise<void> {
  const readLate = async () => {
    const late = await sql`
      select from ledger.event
      where epoch = ledger.current_epoch() and xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1`;
    expect(late).toHaveLength(0);
  };
  await vi.waitFor(readLate, { timeout: 30_000, interval: 20 });
}
