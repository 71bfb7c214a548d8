import { setTimeout } from 'node:timers/promises';
import {
  type BooksEvent,
  type ClosePeriodRejection,
  decideClosing,
  decideNames,
  type NameAccountsRejection,
} from '@kilim/domain/accounting/books';
import type { ChartOfAccounts } from '@kilim/domain/accounting/chart';
import { type Day, dayAfter } from '@kilim/domain/day';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { onlyRow, type Sql } from '../../core/database/database.ts';
import { booksCodec, booksStream } from '../../core/ledger/codecs/books.ts';
import type { AnyEvent } from '../../core/ledger/codecs/codec.ts';
import { hasOldComparison } from '../../core/ledger/findings.ts';
import { type HandleWorld, handle, streamTarget, type Target } from '../../core/ledger/handle.ts';
import { canonicalJson, sha256 } from '../../core/ledger/hash.ts';
import { postponeJob } from '../../core/ledger/jobs.ts';
import { booksOf, readBooks, readBooksHistory } from '../../core/ledger/read.ts';
import { dayIn } from '../../core/runtime/day-in.ts';
import type { Logger } from '../../core/runtime/logger.ts';
import { seal } from '../../proof/checkpoint.ts';
import type { LedgerSigner } from '../../proof/signing-key.ts';
import { closingTarget } from '../queries/closing-target.ts';

export type BooksWorld = {
  readonly sql: Sql;
  readonly log: Logger;
  readonly now: () => Date;
  readonly timeZone: string;
  /** Absent: this server does not sign. */
  readonly signer?: LedgerSigner | undefined;
};

export type Asked = { readonly by: string; readonly requestId: string };

export type ClosingRefused =
  | ClosePeriodRejection
  /** A transaction that writes to the period has not ended: its events would be late. */
  | { readonly code: 'StillWriting' }
  | { readonly code: 'ComparisonTooOld' };

/** Appends take milliseconds. */
const retry = { tries: 15, pauseMs: 200 } as const;

/** Closing a closed period changes nothing. Background work certifies the closing. */
export async function closePeriod(
  world: BooksWorld,
  through: Day,
  asked: Asked,
): Promise<Result<undefined, ClosingRefused>> {
  if (await hasOldComparison(world.sql)) return rejected({ code: 'ComparisonTooOld' });
  for (let tries = 0; tries < retry.tries; tries += 1) {
    const closed = await closeOnce(world, through, asked);
    if (closed.ok) await Promise.all([sign(world), postponeJob(world.sql, 'certify-closings', 0)]);
    if (closed.ok || closed.rejection.code !== 'StillWriting') return closed;
    await setTimeout(retry.pauseMs);
  }
  return rejected({ code: 'StillWriting' });
}

async function closeOnce(world: BooksWorld, through: Day, asked: Asked): Promise<Result<undefined, ClosingRefused>> {
  const { sql, timeZone } = world;
  const read = async () => {
    // The books first: a closing that is recorded after them is a version conflict.
    const history = await readBooksHistory(sql);
    return { history, border: await borderAfter(world, through) };
  };
  const { reopened } = await readBooks(sql);
  return await record(world, closingTarget(sql, books, { streamOf: 'books', read }), {
    ...asked,
    // The same days can be closed again after each reopening.
    commandId: `close-period:${through}${reopened.size === 0 ? '' : `:after-${reopened.size}`}`,
    decide: ({ history, border }, now): Result<BooksEvent | undefined, ClosingRefused> => {
      const { isWriting, ...ends } = border;
      const asOf = { through, timeZone, ...ends, today: dayIn(timeZone, now), by: asked.by };
      const decision = decideClosing(asOf, booksOf(history));
      return isWriting && decision.ok && decision.value !== undefined ? rejected({ code: 'StillWriting' }) : decision;
    },
  });
}

export type NamesAsked = Asked & { readonly chart: ChartOfAccounts; readonly expectedVersion: number };

export async function nameAccounts(
  world: BooksWorld,
  { chart, expectedVersion, by, requestId }: NamesAsked,
): Promise<Result<undefined, NameAccountsRejection>> {
  const { sql } = world;
  const content = sha256(canonicalJson([by, chart])).toString('hex');
  return await record(
    world,
    streamTarget(sql, books, () => readBooks(sql)),
    {
      by,
      requestId,
      commandId: `accounting-${expectedVersion + 1}-${content}`,
      decide: (seen) => decideNames({ chart, expectedVersion, by }, seen),
    },
  );
}

const books = { streamId: booksStream, codec: booksCodec };

type Recording<Seen, Event, Rejection> = Asked & {
  readonly commandId: string;
  readonly decide: (seen: Seen, now: Date) => Result<Event | undefined, Rejection>;
};

/** Of one event, or of none when nothing changes. */
export async function record<Seen, Event extends AnyEvent, After, Rejection>(
  world: HandleWorld,
  target: Target<Seen, Event, After>,
  { by, requestId, commandId, decide }: Recording<Seen, Event, Rejection>,
): Promise<Result<undefined, Rejection>> {
  const handled = await handle(world, target, {
    commandId,
    actor: `admin:${by}`,
    requestId,
    decide: (seen, now): Result<readonly Event[], Rejection> => {
      const decision = decide(seen, now);
      if (!decision.ok) return decision;
      return ok(decision.value === undefined ? [] : [decision.value]);
    },
  });
  return handled.outcome === 'refused' ? rejected(handled.rejection) : ok(undefined);
}

/**
 * The place is materialized: otherwise each event of the ledger would compute it. In the order of the index, which
 * begins there: PostgreSQL would read the whole ledger otherwise.
 */
async function borderAfter({ sql, timeZone }: BooksWorld, through: Day) {
  const row = await onlyRow(sql<{ ends_at: Date; epoch: number; xid: string; is_writing: boolean }[]>`
    with border as materialized (
      select ledger.start_of_day(${dayAfter(through)}::text::date, ${timeZone}) as ends_at,
        ledger.current_epoch() as epoch,
        pg_snapshot_xmin(pg_current_snapshot()) as xid
    )
    select ends_at, epoch, xid::text, exists (
      select from (
        select occurred_at from ledger.event
        where (event.epoch, event.xid) >= ((select epoch from border), (select xid from border))
        order by event.epoch, event.xid, event.position
      ) later
      where occurred_at < border.ends_at
    ) as is_writing
    from border`);
  return {
    endsAt: row.ends_at.toISOString(),
    horizon: { epoch: row.epoch, xid: row.xid },
    isWriting: row.is_writing,
  };
}

/** A failure leaves the period closed: the next signed checkpoint covers it too. */
async function sign({ sql, log, signer }: BooksWorld): Promise<void> {
  if (signer === undefined) return;
  try {
    await seal(sql, signer);
  } catch (error) {
    log.error({ err: error }, 'a closed period could not be signed');
  }
}
