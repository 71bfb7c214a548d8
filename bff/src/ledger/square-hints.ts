import type { Sql } from '../database/database.ts';
import type { Watched } from './watch.ts';

/** Where to look at Square, because something may have changed there. It proves nothing: what is recorded is what Square answers. */
export type SquareHint = {
  readonly eventId: string;
  readonly subject: 'payment' | 'refund' | 'dispute' | 'payout';
  readonly squareId: string;
  /** How often it was taken up, this time included. */
  readonly tries: number;
};

export type ReceivedHint = Omit<SquareHint, 'tries'> & { readonly eventType: string };

/** @returns whether it is new: Square tells at least once, and we remember every event for a month. */
export async function keepHint(sql: Sql, { eventId, eventType, subject, squareId }: ReceivedHint): Promise<boolean> {
  const kept = await sql`
    insert into ledger.square_hint (event_id, event_type, subject, square_id)
    values (${eventId}, ${eventType}, ${subject}, ${squareId})
    on conflict (event_id) do nothing`;
  return kept.count === 1;
}

/** A hint that is not followed yet. Following one twice does no harm: it is only left alone while a process follows it. */
export type OpenHint = SquareHint & Watched;

/** How long a hint is left to the process that follows it. */
const followedForSeconds = 10;

type HintRow = {
  event_id: string;
  subject: SquareHint['subject'];
  square_id: string;
  tries: number;
  wait_seconds: number;
};

/** All hints that are not followed yet, oldest first. */
export async function readOpenHints(sql: Sql): Promise<readonly OpenHint[]> {
  const rows = await sql<HintRow[]>`
    select event_id, subject, square_id, tries, wait_seconds from ledger.square_hint
    where handled_at is null order by received_at`;
  return rows.map(({ event_id: eventId, subject, square_id: squareId, tries, wait_seconds: waitSeconds }) => {
    return { eventId, subject, squareId, tries, waitSeconds, key: eventId, mark: `${tries}/${waitSeconds}` };
  });
}

/** Takes a hint as it was seen. @returns undefined when another process was first. */
export async function takeHint(sql: Sql, seen: OpenHint): Promise<OpenHint | undefined> {
  const { eventId, tries, waitSeconds } = seen;
  const taken = await sql`
    update ledger.square_hint set tries = tries + 1, wait_seconds = ${followedForSeconds}
    where event_id = ${eventId} and handled_at is null and tries = ${tries} and wait_seconds = ${waitSeconds}`;
  return taken.count === 1 ? { ...seen, tries: tries + 1 } : undefined;
}

/** It was followed: what Square says of its subject is recorded, or needs no recording. */
export async function settleHint(sql: Sql, eventId: string): Promise<void> {
  await sql`
    update ledger.square_hint set handled_at = clock_timestamp() where event_id = ${eventId} and handled_at is null`;
}

/** Lets others have it after a while: it was not followed to its end. */
export async function releaseHint(sql: Sql, eventId: string, delaySeconds: number): Promise<void> {
  await sql`
    update ledger.square_hint set wait_seconds = ${delaySeconds}
    where event_id = ${eventId} and handled_at is null`;
}

/** @returns how many hints were deleted: those that were followed more than 30 days ago. */
export async function forgetOldHints(sql: Sql): Promise<number> {
  const [row] = await sql<{ forgotten: number }[]>`select ledger.forget_old_hints() as forgotten`;
  return row?.forgotten ?? 0;
}
