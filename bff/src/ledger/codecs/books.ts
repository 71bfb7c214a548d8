import { type Books, type BooksEvent, evolve, newBooks } from '@kilim/domain/accounting/books';
import { accounts, type ChartOfAccounts, usualChart } from '@kilim/domain/accounting/chart';
import { type Day, parseDay } from '@kilim/domain/accounting/day';
import { z } from 'zod';
import type { Sql } from '../../database/database.ts';
import { canonicalJson, type EncodedEvent } from './order.ts';

export const booksStream = 'accounting';

const schemaVersion = 1;

const day = z.string().transform((text, context): Day => {
  const parsed = parseDay(text);
  if (parsed !== undefined) return parsed;
  context.addIssue({ code: 'custom', message: 'Not a day' });
  return z.NEVER;
});

const accountName = z.object({ name: z.string(), code: z.string() });

/** An account that did not exist when names were recorded is called as usual. */
const chart = z
  .object({ accounts: z.partialRecord(z.enum(accounts), accountName), taxRate: z.string() })
  .transform(({ accounts: named, taxRate }): ChartOfAccounts => ({ accounts: namedOrUsual(named), taxRate }));

const payloads = {
  PeriodClosed: z.object({
    through: day,
    timeZone: z.string(),
    endsAt: z.string(),
    horizon: z.object({ epoch: z.int(), xid: z.string() }),
    chart,
    by: z.string(),
  }),
  AccountsNamed: z.object({ chart, by: z.string() }),
} satisfies { [Type in BooksEvent['type']]: z.ZodType<Omit<Extract<BooksEvent, { type: Type }>, 'type'>> };

export function encodeBooksEvent({ type, ...payload }: BooksEvent): EncodedEvent {
  return { type, schemaVersion, payload: canonicalJson(payload), amountCents: null, refundId: null };
}

function namedOrUsual(named: Partial<ChartOfAccounts['accounts']>): ChartOfAccounts['accounts'] {
  return Object.fromEntries(
    accounts.map((account) => [account, named[account] ?? usualChart.accounts[account]]),
  ) as ChartOfAccounts['accounts'];
}

type BooksRow = {
  readonly type: string;
  readonly schema_version: number;
  readonly occurred_at: Date;
  readonly payload: string;
};

/** An event of the books with when it was recorded. */
export type RecordedBooksEvent = BooksEvent & { readonly at: string };

/** The books as the ledger has them, oldest first. */
export async function readBooksEvents(sql: Sql): Promise<readonly RecordedBooksEvent[]> {
  const rows = await sql<BooksRow[]>`
    select type, schema_version, occurred_at, payload::text as payload from ledger.event
    where stream_id = ${booksStream} order by version`;
  return rows.map((row) => ({ ...decodeBooksEvent(row), at: row.occurred_at.toISOString() }));
}

export async function readBooks(sql: Sql): Promise<Books> {
  return (await readBooksEvents(sql)).reduce<Books>(evolve, newBooks);
}

/** @throws when it is not one that this program knows: books that cannot be read are not guessed. */
export function decodeBooksEvent(row: Omit<BooksRow, 'occurred_at'>): BooksEvent {
  if ((row.type !== 'PeriodClosed' && row.type !== 'AccountsNamed') || row.schema_version !== schemaVersion) {
    throw new Error(`The ledger holds ${row.type} in version ${row.schema_version}, which this program does not know`);
  }
  // The table of payloads is typed by the union of events, so type and payload belong together.
  return { type: row.type, ...payloads[row.type].parse(JSON.parse(row.payload)) } as BooksEvent;
}
