import { entryOf, isLate } from '@kilim/domain/accounting/booking';
import { chartOn } from '@kilim/domain/accounting/books';
import { type Account, accounts } from '@kilim/domain/accounting/chart';
import type { Day } from '@kilim/domain/day';
import { noCents } from '@kilim/domain/money';
import type { Sql } from '../../../core/database/database.ts';
import { eachBooking } from '../bookings.ts';
import { descriptions, subjectOf } from '../journal-lines.ts';
import { readOpeningBalances } from '../opening-balances.ts';
import type { Scope } from '../scope.ts';
import type { Column, Row, Table } from './table.ts';

const columns: readonly Column[] = [
  { name: 'account_code', kind: 'text' },
  { name: 'account', kind: 'text' },
  { name: 'posted_on', kind: 'day' },
  { name: 'business_date', kind: 'day' },
  { name: 'position', kind: 'text' },
  { name: 'description', kind: 'text' },
  { name: 'order_id', kind: 'order' },
  { name: 'square_id', kind: 'text' },
  { name: 'debit', kind: 'amount' },
  { name: 'credit', kind: 'amount' },
  { name: 'balance', kind: 'amount' },
];

type Entry = {
  readonly postedOn: Day;
  /** Null: the day of posting. */
  readonly lateOf: Day | null;
  readonly position: number;
  readonly description: string;
  readonly subject: ReturnType<typeof subjectOf>;
};
type Line = { readonly entry: Entry; readonly amount: number };

/**
 * The balance of a line is the one after it; a debit balance is positive. The rows of opening and closing balances have
 * no amount.
 * @param only by default every account that has a balance or a line.
 */
export async function readGeneralLedger(sql: Sql, scope: Scope, only?: Account): Promise<Table> {
  const opening = await readOpeningBalances(sql, scope);
  const lines = await readLines(sql, scope, only);
  const wanted = accounts.filter(
    (account) => account === only || (only === undefined && ((opening.get(account) ?? 0) !== 0 || lines.has(account))),
  );
  const rowsOf = (account: Account) =>
    accountRows({ account, scope, before: opening.get(account) ?? noCents, lines: lines.get(account) ?? [] });
  const rows = {
    *[Symbol.iterator]() {
      for (const account of wanted) yield* rowsOf(account);
    },
  };
  return { columns, rows, totals: only === undefined ? undefined : totalsOf(lines.get(only) ?? []) };
}

async function readLines(sql: Sql, scope: Scope, only?: Account): Promise<ReadonlyMap<Account, readonly Line[]>> {
  const lines = new Map<Account, Line[]>();
  await eachBooking(sql, { scope }, (booking, { position, streamId }) => {
    const { postedOn, day, event } = booking;
    const lateOf = isLate(booking) ? day : null;
    const entry = {
      postedOn,
      lateOf,
      position,
      description: descriptions[event.type],
      subject: subjectOf(streamId, event),
    };
    for (const { account, amount } of entryOf(booking)) {
      if (only !== undefined && account !== only) continue;
      const known = lines.get(account);
      if (known === undefined) lines.set(account, [{ entry, amount }]);
      else known.push({ entry, amount });
    }
  });
  // The sort keeps lines of one day in the order of the ledger.
  for (const known of lines.values()) known.sort((first, second) => compareDays(first.entry, second.entry));
  return lines;
}

function compareDays({ postedOn: first }: Entry, { postedOn: second }: Entry): number {
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

type AccountLines = {
  readonly account: Account;
  readonly scope: Scope;
  readonly before: number;
  readonly lines: readonly Line[];
};

function* accountRows({ account, scope, before, lines }: AccountLines): Generator<Row, void> {
  const { from, to, books } = scope;
  const { code, name } = chartOn(to, books).accounts[account];
  const balanceRow = (day: Day, text: string, balance: number): Row => [
    ...[code, name, day, null, null, text, null, null],
    ...[null, null, balance],
  ];
  yield balanceRow(from, 'Opening balance', before);
  let balance = before;
  for (const { entry, amount } of lines) {
    balance += amount;
    const { postedOn, lateOf, position, description, subject } = entry;
    yield [
      ...[code, name, postedOn, lateOf, String(position), description, subject.orderId, subject.squareId],
      ...(amount > 0 ? [amount, null] : [null, 0 - amount]),
      balance,
    ];
  }
  yield balanceRow(to, 'Closing balance', balance);
}

function totalsOf(lines: readonly Line[]): Row {
  let [debit, credit] = [0, 0];
  for (const { amount } of lines) {
    if (amount > 0) debit += amount;
    else credit -= amount;
  }
  return columns.map(({ name }) => (name === 'debit' ? debit : name === 'credit' ? credit : null));
}
