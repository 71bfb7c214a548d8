import { setTimeout } from 'node:timers/promises';
import {
  type BooksEvent,
  type ClosePeriodRejection,
  decideClosing,
  decideNames,
  type NameAccountsRejection,
} from '@kilim/domain/accounting/books';
import type { ChartOfAccounts } from '@kilim/domain/accounting/chart';
import { type Day, dayAfter } from '@kilim/domain/accounting/day';
import { ok, type Result, rejected } from '@kilim/domain/result';
import type { Sql } from '../database/database.ts';
import { appendToStream } from '../ledger/append-to-stream.ts';
import { booksStream, encodeBooksEvent, readBooks } from '../ledger/codecs/books.ts';
import { sha256 } from '../ledger/contact.ts';
import { seal } from '../ledger/proof/checkpoint.ts';
import type { NoteSigner } from '../ledger/proof/signed-note.ts';
import type { Logger } from '../server/logger.ts';

export type BooksWorld = {
  readonly sql: Sql;
  readonly log: Logger;
  readonly now: () => Date;
  /** In which days begin that are closed now. */
  readonly timeZone: string;
  /** Absent: what is closed is not signed here. */
  readonly signer?: NoteSigner | undefined;
};

export type Asked = { readonly by: string; readonly requestId: string };

export type ClosingRefused =
  | ClosePeriodRejection
  /** A transaction that writes to the period has not ended: what it writes would be late for no reason. */
  | { readonly code: 'StillWriting' };

/** Others write for milliseconds; who writes for longer is not waited for. */
const patience = { tries: 15, pauseMs: 200 } as const;

/** Closes every day up to one, and signs what the ledger holds when there is a key. Closing what is closed already changes nothing. */
export async function closePeriod(
  world: BooksWorld,
  through: Day,
  asked: Asked,
): Promise<Result<undefined, ClosingRefused>> {
  for (let tries = 0; tries < patience.tries; tries += 1) {
    const closed = await closeOnce(world, through, asked);
    if (closed.ok) await sign(world);
    if (closed.ok || closed.rejection.code !== 'StillWriting') return closed;
    await setTimeout(patience.pauseMs);
  }
  return rejected({ code: 'StillWriting' });
}

async function closeOnce(
  world: BooksWorld,
  through: Day,
  { by, requestId }: Asked,
): Promise<Result<undefined, ClosingRefused>> {
  const { sql, timeZone, now } = world;
  const books = await readBooks(sql);
  const border = await borderAfter(world, through);
  const decision = decideClosing(
    { through, timeZone, endsAt: border.endsAt, horizon: border.horizon, today: dayIn(timeZone, now()), by },
    books,
  );
  if (!decision.ok) return decision;
  if (decision.value === undefined) return ok(undefined);
  if (border.isWriting) return rejected({ code: 'StillWriting' });
  const appended = await record(world, decision.value, { by, requestId, expectedVersion: books.version });
  // Somebody else changed the books meanwhile: what they did is looked at before anything is decided.
  return appended ? ok(undefined) : rejected({ code: 'StillWriting' });
}

export type NamesAsked = Asked & { readonly chart: ChartOfAccounts; readonly expectedVersion: number };

export async function nameAccounts(
  world: BooksWorld,
  { chart, expectedVersion, by, requestId }: NamesAsked,
): Promise<Result<undefined, NameAccountsRejection>> {
  const books = await readBooks(world.sql);
  const decision = decideNames({ chart, expectedVersion, by }, books);
  if (!decision.ok) return decision;
  if (decision.value === undefined) return ok(undefined);
  const appended = await record(world, decision.value, { by, requestId, expectedVersion: books.version });
  // Somebody else changed the books meanwhile, and then what was looked at is not what is there.
  return appended
    ? ok(undefined)
    : rejected({ code: 'ChangedMeanwhile', expected: expectedVersion, current: books.version + 1 });
}

/** The instant at which the period ends, and how far the ledger is written for good. */
async function borderAfter({ sql, timeZone }: BooksWorld, through: Day) {
  const [row] = await sql<{ ends_at: Date; epoch: number; xid: string; is_writing: boolean }[]>`
    with border as (
      select ledger.start_of_day(${dayAfter(through)}::text::date, ${timeZone}) as ends_at,
        coalesce((select max(epoch) from ledger.event), 1)::smallint as epoch,
        pg_snapshot_xmin(pg_current_snapshot()) as xid
    )
    select ends_at, epoch, xid::text, exists (
      select from ledger.event
      where (event.epoch, event.xid) >= (border.epoch, border.xid) and event.occurred_at < border.ends_at
    ) as is_writing
    from border`;
  if (row === undefined) throw new Error('The database answered nothing');
  return {
    endsAt: row.ends_at.toISOString(),
    horizon: { epoch: row.epoch, xid: row.xid },
    isWriting: row.is_writing,
  };
}

type Recording = Asked & { readonly expectedVersion: number };

async function record(world: BooksWorld, event: BooksEvent, { by, requestId, expectedVersion }: Recording) {
  const encoded = encodeBooksEvent(event);
  const { outcome } = await appendToStream(world.sql, {
    streamId: booksStream,
    expectedVersion,
    commandId: `accounting-${expectedVersion + 1}-${Buffer.from(sha256(encoded.payload)).toString('hex')}`,
    requestHash: sha256(encoded.payload),
    actor: `admin:${by}`,
    requestId,
    occurredAt: world.now(),
    events: [encoded],
  });
  return outcome === 'appended';
}

/** The period is closed whether or not it can be signed now: the next checkpoint that is signed covers it too. */
async function sign({ sql, log, signer }: BooksWorld): Promise<void> {
  if (signer === undefined) return;
  try {
    await seal(sql, signer);
  } catch (error) {
    log.error({ err: error }, 'a closed period could not be signed');
  }
}

/** The day that it is somewhere at an instant. */
export function dayIn(timeZone: string, instant: Date): Day {
  // Swedish dates are written as ISO 8601 writes them.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(instant) as Day;
}
