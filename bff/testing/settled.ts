import { expect, vi } from 'vitest';
import type { Sql } from '../src/database/database.ts';

/**
 * Waits until whatever was appended can be sealed and counted: no transaction runs any more that is older than it. All databases of a server
 * share its transactions, so another spec's may have to end first.
 */
export async function settled(sql: Sql): Promise<void> {
  const readLate = async () => {
    const late = await sql`select from ledger.event where xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1`;
    expect(late).toHaveLength(0);
  };
  await vi.waitFor(readLate, { timeout: 30_000, interval: 20 });
}
