import type { Sql } from '../database.ts';

/** Where to look at Square, because something may have changed there. It proves nothing: what is recorded is what Square answers. */
export type SquareHint = {
  readonly eventId: string;
  readonly subject: 'payment' | 'refund' | 'dispute' | 'payout';
  readonly squareId: string;
  /** How often it was leased, this time included. */
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

type LeaseOptions = { readonly most: number; readonly leaseSeconds: number };

type HintRow = { event_id: string; subject: SquareHint['subject']; square_id: string; tries: number };

/** Takes hints that nobody has followed yet, each by one process only. One whose process died is due when its lease ends. */
export async function leaseHints(sql: Sql, { most, leaseSeconds }: LeaseOptions): Promise<readonly SquareHint[]> {
  const rows = await sql<HintRow[]>`
    update ledger.square_hint
    set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}), tries = tries + 1
    where event_id in (
      select event_id from ledger.square_hint
      where handled_at is null and lease_until <= clock_timestamp()
      order by lease_until
      limit ${most}
      for update skip locked
    )
    returning event_id, subject, square_id, tries`;
  return rows.map((row) => ({
    eventId: row.event_id,
    subject: row.subject,
    squareId: row.square_id,
    tries: row.tries,
  }));
}

/** It was followed: what Square says of its subject is recorded, or needs no recording. */
export async function settleHint(sql: Sql, eventId: string): Promise<void> {
  await sql`
    update ledger.square_hint set handled_at = clock_timestamp() where event_id = ${eventId} and handled_at is null`;
}

/** Lets others have it after a while: it was not followed to its end. */
export async function releaseHint(sql: Sql, eventId: string, delaySeconds: number): Promise<void> {
  await sql`
    update ledger.square_hint set lease_until = clock_timestamp() + make_interval(secs => ${delaySeconds})
    where event_id = ${eventId} and handled_at is null`;
}

/** @returns how many hints were deleted: those that were followed more than 30 days ago. */
export async function forgetOldHints(sql: Sql): Promise<number> {
  const [row] = await sql<{ forgotten: number }[]>`select ledger.forget_old_hints() as forgotten`;
  return row?.forgotten ?? 0;
}
