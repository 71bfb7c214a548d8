import type { Sql } from '../database/database.ts';
import type { Watched } from './watch.ts';

/** An object at Square that may have changed. A hint proves nothing: only Square's answer is recorded. */
export type SquareHint = {
  readonly eventId: string;
  readonly subject: 'payment' | 'refund' | 'dispute' | 'payout';
  readonly squareId: string;
  /** How often it was taken, including this time. */
  readonly tries: number;
};

export type ReceivedHint = Omit<SquareHint, 'tries'> & { readonly eventType: string };

/** @returns whether it is new. Square sends each event at least once; the table keeps it for a month. */
export async function keepHint(sql: Sql, { eventId, eventType, subject, squareId }: ReceivedHint): Promise<boolean> {
  const [row] = await sql<{ kept: boolean }[]>`
    select ledger.keep_hint(${eventId}, ${eventType}, ${subject}, ${squareId}) as kept`;
  return row?.kept === true;
}

/** A hint that is not processed yet. Its lease only avoids needless work: processing it twice does no harm. */
export type OpenHint = SquareHint & Watched;

/** How long the other processes leave a hint alone after a process has taken it. */
const leaseSeconds = 10;

type HintRow = {
  event_id: string;
  subject: SquareHint['subject'];
  square_id: string;
  tries: number;
  wait_seconds: number;
};

/** All hints that are not processed yet, oldest first. */
export async function readOpenHints(sql: Sql): Promise<readonly OpenHint[]> {
  const rows = await sql<HintRow[]>`
    select event_id, subject, square_id, tries, wait_seconds from ledger.square_hint
    where handled_at is null order by received_at`;
  return rows.map(({ event_id: eventId, subject, square_id: squareId, tries, wait_seconds: waitSeconds }) => {
    return { eventId, subject, squareId, tries, waitSeconds, key: eventId, mark: `${tries}/${waitSeconds}` };
  });
}

/**
 * Takes a hint, if it has not changed since it was read.
 * @returns undefined when another process was first.
 */
export async function takeHint(sql: Sql, seen: OpenHint): Promise<OpenHint | undefined> {
  const { eventId, tries, waitSeconds } = seen;
  const [row] = await sql<{ taken: boolean }[]>`
    select ledger.take_hint(${eventId}, ${tries}::int, ${waitSeconds}::int, ${leaseSeconds}::int) as taken`;
  return row?.taken === true ? { ...seen, tries: tries + 1 } : undefined;
}

/** The state of its object is recorded, or needs no recording. */
export async function settleHint(sql: Sql, eventId: string): Promise<void> {
  await sql`select ledger.settle_hint(${eventId})`;
}

/** Lets other processes take the hint after a delay, because it could not be processed. */
export async function releaseHint(sql: Sql, eventId: string, delaySeconds: number): Promise<void> {
  await sql`select ledger.release_hint(${eventId}, ${delaySeconds}::int)`;
}

/** Deletes the hints that were processed more than 30 days ago. @returns how many. */
export async function forgetOldHints(sql: Sql): Promise<number> {
  const [row] = await sql<{ forgotten: number }[]>`select ledger.forget_old_hints() as forgotten`;
  return row?.forgotten ?? 0;
}
