import { type Books, evolve, newBooks } from '@kilim/domain/accounting/books';
import { accounts, chartLimits } from '@kilim/domain/accounting/chart';
import { type Day, parseDay } from '@kilim/domain/accounting/day';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { type RecordedBooksEvent, readBooksEvents } from '../../ledger/read.ts';
import { type BooksWorld, type ClosingRefused, closePeriod, dayIn, nameAccounts } from '../../use-case/close-period.ts';
import { plainText } from '../list-query.ts';
import { parseBody } from '../parse-body.ts';
import { answerProblem, type Problem } from '../problem.ts';
import type { BooksAnswer } from './accounting-wire.ts';
import type { AdminGuard, AdminVariables } from './guard.ts';

const closing = z.object({
  through: z.string('Please give a day like 2026-10-31').transform((text, context): Day => {
    const day = parseDay(text);
    if (day !== undefined) return day;
    context.addIssue({ code: 'custom', message: 'Please give a day like 2026-10-31' });
    return z.NEVER;
  }),
});

const accountName = z.object({
  name: line(chartLimits.longestName, 'Please enter the name that QuickBooks knows'),
  code: line(chartLimits.longestCode, 'Please enter the code that Xero knows'),
});
const naming = z.object({
  version: z.int(),
  accounts: z.object(
    Object.fromEntries(accounts.map((account) => [account, accountName])) as Record<
      (typeof accounts)[number],
      typeof accountName
    >,
  ),
  taxRate: line(chartLimits.longestTaxRate, 'Please enter the tax rate that Xero knows'),
});

/** The books: which days are closed, and what accounts are called. */
export function adminBooks({ world, guard }: { readonly world: BooksWorld; readonly guard: AdminGuard }) {
  const answer = () => repeatWhileAway(() => readAnswer(world));
  return new Hono<AdminVariables>()
    .get(
      '/books',
      guard.signedIn(async (c) => c.json<BooksAnswer>(await answer())),
    )
    .post(
      '/books/close',
      guard.recently(async (c, session) => {
        const body = await parseBody(c, closing);
        if (!body.ok) return answerProblem(c, body.rejection);
        const asked = { by: session.username, requestId: c.get('requestId') };
        const closed = await repeatWhileAway(() => closePeriod(world, body.value.through, asked));
        return closed.ok ? c.json<BooksAnswer>(await answer()) : answerProblem(c, closingProblem(closed.rejection));
      }),
    )
    .post(
      '/books/accounts',
      guard.recently(async (c, session) => {
        const body = await parseBody(c, naming);
        if (!body.ok) return answerProblem(c, body.rejection);
        const { version: expectedVersion, ...chart } = body.value;
        const asked = { chart, expectedVersion, by: session.username, requestId: c.get('requestId') };
        const named = await repeatWhileAway(() => nameAccounts(world, asked));
        return named.ok ? c.json<BooksAnswer>(await answer()) : answerProblem(c, changedMeanwhile);
      }),
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
  const books = events.reduce<Books>(evolve, newBooks);
  const instant = now();
  return {
    version: books.version,
    timeZone,
    today: dayIn(timeZone, instant),
    lastClosable: dayIn('UTC', new Date(Date.parse(`${dayIn(timeZone, instant)}T00:00:00Z`) - 1)),
    signs: signer !== undefined,
    closings: await closingsOf(sql, events),
    accounts: books.chart.accounts,
    taxRate: books.chart.taxRate,
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

function line(longest: number, missing: string) {
  return z
    .string(missing)
    .transform((text) => plainText(text).replaceAll('\n', ' ').trim())
    .pipe(z.string().min(1, missing).max(longest, `At most ${longest} characters`));
}
