import { type Books, evolve, newBooks } from '@kilim/domain/accounting/books';
import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { chartRequest, closingRequest } from '../../../contract/accounting-requests.ts';
import { type Books as BooksAnswer, books } from '../../../contract/books.ts';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { type RecordedBooksEvent, readBooksEvents } from '../../ledger/read.ts';
import { type BooksWorld, type ClosingRefused, closePeriod, dayIn, nameAccounts } from '../../use-case/close-period.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { body } from '../validate.ts';
import { type AdminGuard, type AdminVariables, checked } from './guard.ts';

/** The books: closed days, and the names of the accounts. */
export function adminBooks({ world, guard }: { readonly world: BooksWorld; readonly guard: AdminGuard }) {
  const answerBooks = async (c: Context) => c.json(z.encode(books, await repeatWhileAway(() => readAnswer(world))));
  return new Hono<AdminVariables>()
    .get('/books', guard.may('readBooks', answerBooks))
    .post(
      '/books/close',
      guard.may(
        'closePeriods',
        checked(body(closingRequest), async (c, session) => {
          const { through } = c.req.valid('json');
          const asked = { by: session.username, requestId: c.get('requestId') };
          const closed = await repeatWhileAway(() => closePeriod(world, through, asked));
          return closed.ok ? answerBooks(c) : answerProblem(c, closingProblem(closed.rejection));
        }),
      ),
    )
    .post(
      '/books/accounts',
      guard.may(
        'nameAccounts',
        checked(body(chartRequest), async (c, session) => {
          const { version: expectedVersion, ...chart } = c.req.valid('json');
          const asked = { chart, expectedVersion, by: session.username, requestId: c.get('requestId') };
          const named = await repeatWhileAway(() => nameAccounts(world, asked));
          return named.ok ? answerBooks(c) : answerProblem(c, changedMeanwhile);
        }),
      ),
    );
}

const changedMeanwhile: Problem = {
  status: 409,
  code: 'ChangedMeanwhile',
  message: 'Somebody else has changed the books meanwhile. Please look at them again.',
};

function closingProblem(rejection: ClosingRefused): Problem {
  const { code } = rejection;
  switch (code) {
    case 'AlreadyClosed':
      return { status: 409, code, message: `Everything up to ${rejection.through} is closed already, and stays so.` };
    case 'NotOver':
      return { status: 422, code, message: `A day can be closed when it is over, and today is ${rejection.today}.` };
    case 'StillWriting':
      return { status: 409, code, message: 'Something is just being recorded. Please try again in a moment.' };
  }
}

async function readAnswer({ sql, now, timeZone, signer }: BooksWorld): Promise<BooksAnswer> {
  const events = await readBooksEvents(sql);
  const { version, chart } = events.reduce<Books>(evolve, newBooks);
  const instant = now();
  return {
    version,
    timeZone,
    today: dayIn(timeZone, instant),
    lastClosable: dayIn('UTC', new Date(Date.parse(`${dayIn(timeZone, instant)}T00:00:00Z`) - 1)),
    signs: signer !== undefined,
    closings: await closingsOf(sql, events),
    accounts: chart.accounts,
    taxRate: chart.taxRate,
  };
}

async function closingsOf(sql: Sql, events: readonly RecordedBooksEvent[]): Promise<BooksAnswer['closings']> {
  const closings = events.flatMap((event) => (event.type === 'PeriodClosed' ? [event] : []));
  const covered = closings.map(async ({ through, horizon, at, by }) => {
    const [row] = await sql<{ sequence: number | null }[]>`
      select min(sequence) as sequence from ledger.checkpoint
      where (epoch, xid) >= (${horizon.epoch}::smallint, ${horizon.xid}::text::xid8)`;
    return { through, closedAt: at, closedBy: by, checkpoint: row?.sequence ?? null };
  });
  return (await Promise.all(covered)).toReversed();
}
