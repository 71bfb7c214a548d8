import { closedThrough, type PeriodClosed, proposedClosing } from '@kilim/domain/accounting/books';
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { type Books as BooksAnswer, books } from '../../../contract/books.ts';
import type { Sql } from '../../core/database/database.ts';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { answerProblem, type Problem } from '../../core/http/problem.ts';
import type { Serve } from '../../core/http/serve.ts';
import { type BooksHistory, booksOf, type RecordedEvent, readBooksHistory } from '../../core/ledger/read.ts';
import { dayIn } from '../../core/runtime/day-in.ts';
import { certificateOf, firstCheckpointAfter, reopeningOf } from '../queries/read-certificate.ts';
import { type BooksWorld, type ClosingRefused, closePeriod, nameAccounts } from '../use-case/close-period.ts';

export function serveBooks(serve: Serve, world: BooksWorld): void {
  serve('GET /api/admin/books', (c) => answerBooks(c, world));
  serve('POST /api/admin/books/close', async (c, { by: session, body }) => {
    const { through } = body;
    const asked = { by: session.username, requestId: c.get('requestId') };
    const closed = await repeatWhileAway(() => closePeriod(world, through, asked));
    return closed.ok ? answerBooks(c, world) : answerProblem(c, closingProblem(closed.rejection));
  });
  serve('POST /api/admin/books/accounts', async (c, { by: session, body }) => {
    const { version: expectedVersion, ...chart } = body;
    const asked = { chart, expectedVersion, by: session.username, requestId: c.get('requestId') };
    const named = await repeatWhileAway(() => nameAccounts(world, asked));
    return named.ok ? answerBooks(c, world) : answerProblem(c, changedMeanwhile);
  });
}

export async function answerBooks(c: Context, world: BooksWorld) {
  return c.json(z.encode(books, await repeatWhileAway(() => readAnswer(world))));
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
      return { status: 409, code, message: `Everything up to ${rejection.through} is closed already.` };
    case 'NotOver':
      return { status: 422, code, message: `A day can be closed when it is over, and today is ${rejection.today}.` };
    case 'ComparisonTooOld':
      return {
        status: 409,
        code,
        message:
          'For more than a day the books were not compared with all of Square. Press Compare Now on the page Books, and close the days when it is done.',
      };
    case 'StillWriting':
      return { status: 409, code, message: 'Something is just being recorded. Please try again in a moment.' };
  }
}

async function readAnswer({ sql, now, timeZone, signer }: BooksWorld): Promise<BooksAnswer> {
  const history = await readBooksHistory(sql);
  const known = booksOf(history);
  const { version, chart } = known;
  const today = dayIn(timeZone, now());
  return {
    version,
    timeZone,
    today,
    lastClosable: dayIn('UTC', new Date(Date.parse(`${today}T00:00:00Z`) - 1)),
    closedThrough: closedThrough(known) ?? null,
    proposed: proposedClosing(today, known) ?? null,
    signs: signer !== undefined,
    closings: await closingsOf(sql, history),
    accounts: chart.accounts,
    taxRate: chart.taxRate,
  };
}

async function closingsOf(sql: Sql, history: BooksHistory): Promise<BooksAnswer['closings']> {
  const answers = history.books.events.flatMap(({ event, version, occurredAt }) =>
    event.type === 'PeriodClosed' ? [answerOf(sql, history, { event, version, occurredAt })] : [],
  );
  return (await Promise.all(answers)).toReversed();
}

async function answerOf(
  sql: Sql,
  history: BooksHistory,
  { event, version, occurredAt }: RecordedEvent<PeriodClosed>,
): Promise<BooksAnswer['closings'][number]> {
  return {
    version,
    through: event.through,
    closedAt: occurredAt,
    closedBy: event.by,
    checkpoint: (await firstCheckpointAfter(sql, event))?.sequence ?? null,
    certified: certificateOf(history, version) !== undefined,
    reopened: reopeningOf(history, version),
  };
}
