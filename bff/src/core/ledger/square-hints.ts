import { isTrue, type Sql } from '../database/database.ts';
import type { Watched } from './watch.ts';

/** A hint proves nothing: only Square's answer is recorded. */
export type SquareHint = {
  readonly eventId: string;
  readonly subject: 'payment' | 'refund' | 'dispute' | 'payout';
  readonly squareId: string;
  /** Including this time. */
  readonly tries: number;
};

export type ReceivedHint = Omit<SquareHint, 'tries'> & { readonly eventType: string };

/** @returns false when Square sent the event before. The table keeps events for a month. */
export async function keepHint(sql: Sql, { eventId, eventType, subject, squareId }: ReceivedHint): Promise<boolean> {
  return await isTrue(sql`select ledger.keep_hint(${eventId}, ${eventType}, ${subject}, ${squareId})`);
}

/** The lease only avoids needless work: processing a hint twice does no harm. */
export type OpenHint = SquareHint & Watched;

const leaseSeconds = 10;

export async function readOpenHints(sql: Sql): Promise<readonly OpenHint[]> {
  const rows = await sql<Omit<OpenHint, 'key' | 'mark'>[]>`
    select event_id as "eventId", subject, square_id as "squareId", tries, wait_seconds as "waitSeconds"
    from ledger.square_hint where handled_at is null order by received_at`;
  return rows.map((row) => ({ ...row, key: row.eventId, mark: `${row.tries}/${row.waitSeconds}` }));
}

/** @returns undefined when another process was first. */
export async function takeHint(sql: Sql, seen: OpenHint): Promise<OpenHint | undefined> {
  const { eventId, tries, waitSeconds } = seen;
  const isTaken = await isTrue(sql`
    select ledger.take_hint(${eventId}, ${tries}::int, ${waitSeconds}::int, ${leaseSeconds}::int)`);
  return isTaken ? { ...seen, tries: tries + 1 } : undefined;
}

export async function settleHint(sql: Sql, eventId: string): Promise<void> {
  await sql`select ledger.settle_hint(${eventId})`;
}

export async function releaseHint(sql: Sql, eventId: string, delaySeconds: number): Promise<void> {
  await sql`select ledger.release_hint(${eventId}, ${delaySeconds}::int)`;
}

/** @returns how many. */
export async function forgetOldHints(sql: Sql): Promise<number> {
  const [row] = await sql<{ forgotten: number }[]>`select ledger.forget_old_hints() as forgotten`;
  return row?.forgotten ?? 0;
}
