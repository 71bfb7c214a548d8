import type { Sql } from '../database/database.ts';

/** Square's clock may be ahead of the database's. */
const clockDifferenceMs = 5 * 60_000;

/**
 * The instant up to which events may be missing: the ledger was restored from a dump, recovered to
 * an earlier moment, or continued by a standby. Later events are all there.
 * @returns ISO 8601 instant by Square's clock, or undefined if the ledger is complete.
 */
export async function readCompleteSince(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ at: Date | null }[]>`
    select max(recorded_at) as at from ledger.cluster where may_lack_events`;
  return row?.at == null ? undefined : new Date(row.at.getTime() + clockDifferenceMs).toISOString();
}
