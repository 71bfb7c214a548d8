import type { Day } from '@kilim/domain/day';
import { makeAdministrator } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { quietly } from '@kilim/lab/testing/quietly';
import { settled } from '@kilim/lab/testing/settled';
import { type BookedEntry, isSale, keepBook } from '@kilim/lab/testing/sixty-orders/independent-book';
import { monthOfSixtyOrders as plan } from '@kilim/lab/testing/sixty-orders/plan';
import { recordMonth } from '@kilim/lab/testing/sixty-orders/record';
import { beforeAll, describe, expect, test } from 'vitest';
import { readBooks } from '../../../core/ledger/read.ts';
import { createLogger } from '../../../core/runtime/logger.ts';
import { certifyClosings } from '../../use-case/certify-closings.ts';
import { closePeriod } from '../../use-case/close-period.ts';
import { reopenPeriod } from '../../use-case/reopen-period.ts';
import { openScope, type Scope } from '../scope.ts';
import { readClearingReport } from './clearing.ts';
import { readGeneralLedger } from './general-ledger.ts';
import { readSalesReport } from './sales.ts';
import { readSalesTaxReport } from './sales-tax.ts';
import type { Cell, Table } from './table.ts';
import { readTrialBalance } from './trial-balance.ts';

// Each report agrees with a book that was kept with arithmetic of its own.

const timeZone = 'America/Los_Angeles';
const { appSql: sql, ownerSql } = await testDatabase();
await makeAdministrator(sql);
const world = { sql, log: createLogger({ level: 'silent' }), now: () => new Date(), timeZone };
const asked = { by: 'ada', requestId: 'closing' };
const book = keepBook(plan);

beforeAll(async () => {
  await recordMonth(sql, plan, 0);
  for (const [index, through] of plan.closings.entries()) {
    await closePeriod(world, through as Day, asked);
    await recordMonth(sql, plan, index + 1);
  }
  await sql`select ledger.list_payout_entries(stream_id) from (
    select distinct stream_id from ledger.event where type = 'PayoutEntriesRecorded') payout`;
  await settled(ownerSql);
});

const ranges = [
  ['2025-11-01', '2025-11-30'],
  ['2025-11-02', '2025-11-02'],
  ['2025-11-20', '2025-12-04'],
  ['2025-10-01', '2025-12-31'],
] as const;

const scopeOf = (from: string, to: string): Promise<Scope> =>
  openScope(sql, timeZone, { from: from as Day, to: to as Day });

/** Without accounts that have none. */
function balancesOf(entries: readonly BookedEntry[]): ReadonlyMap<string, number> {
  const balances = new Map<string, number>();
  for (const [account, amount] of entries.flatMap(({ lines }) => [...lines])) {
    balances.set(account, (balances.get(account) ?? 0) + amount);
  }
  return new Map([...balances].filter(([, amount]) => amount !== 0));
}

function sumOf(entries: readonly BookedEntry[], account: string): number {
  return balancesOf(entries).get(account) ?? 0;
}

type Found = Readonly<Record<string, Cell>>;

function recordsOf({ columns, rows }: Table): readonly Found[] {
  return [...rows].map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])));
}

function totalOf({ columns, totals }: Table, name: string): Cell | undefined {
  return totals?.[columns.findIndex((column) => column.name === name)];
}

function amountsIn(rows: readonly Found[], name: string): ReadonlyMap<string, number> {
  return new Map(
    rows.map((row) => [String(row['account']), Number(row[name])] as const).filter(([, amount]) => amount !== 0),
  );
}

describe.each(ranges)('from %s to %s', (from, to) => {
  const before = book.filter(({ postedOn }) => postedOn < from);
  const during = book.filter(({ postedOn }) => from <= postedOn && postedOn <= to);
  const until = [...before, ...during];

  test('the trial balance has the balances of the book, which add up to zero', async () => {
    const table = await readTrialBalance(sql, await scopeOf(from, to));
    const rows = recordsOf(table);
    expect(amountsIn(rows, 'opening_balance')).toEqual(balancesOf(before));
    expect(amountsIn(rows, 'closing_balance')).toEqual(balancesOf(until));
    const moved = during.flatMap(({ lines }) => [...lines.values()]);
    expect(totalOf(table, 'debit')).toBe(moved.reduce((sum, amount) => sum + Math.max(amount, 0), 0));
    expect(totalOf(table, 'credit')).toBe(totalOf(table, 'debit'));
    expect([totalOf(table, 'opening_balance'), totalOf(table, 'closing_balance')]).toEqual([0, 0]);
  });

  test('the general ledger rolls from the opening to the closing balance of each account', async () => {
    const rows = recordsOf(await readGeneralLedger(sql, await scopeOf(from, to)));
    const byAccount = Map.groupBy(rows, (row) => String(row['account']));
    expect([...byAccount.keys()].toSorted()).toEqual(
      [...new Set([...balancesOf(before).keys(), ...during.flatMap(({ lines }) => [...lines.keys()])])].toSorted(),
    );
    for (const [account, [opening, ...others]] of byAccount) {
      const closing = others.pop();
      expect(opening).toMatchObject({ description: 'Opening balance', balance: sumOf(before, account) });
      expect(closing).toMatchObject({ description: 'Closing balance', balance: sumOf(until, account) });
      let balance = Number(opening?.['balance']);
      for (const row of others) {
        balance += Number(row['debit']) - Number(row['credit']);
        expect(row['balance']).toBe(balance);
      }
      const days = others.map((row) => String(row['posted_on']));
      expect(days).toEqual(days.toSorted());
      expect(others.length).toBe(during.filter(({ lines }) => lines.has(account)).length);
    }
  });

  test('the open items of the clearing account add up to its balance', async () => {
    const table = await readClearingReport(sql, await scopeOf(from, to));
    expect(totalOf(table, 'amount')).toBe(sumOf(until, 'Square Clearing'));
  });

  test('the sales of tiers, add-ons and delivery are those of the book, and those of the tax report', async () => {
    const scope = await scopeOf(from, to);
    const table = await readSalesReport(sql, scope);
    const rows = new Map(recordsOf(table).map((row) => [row['item'], row]));
    const salesOf = (...items: readonly string[]) =>
      items.reduce((sum, item) => sum + Number(rows.get(item)?.['gross_sales']), 0);
    const credited = (account: string) => 0 - sumOf(during.filter(isSale), account);
    expect(salesOf('Premium cleaning')).toBe(credited('Rug Cleaning:Premium'));
    expect(salesOf('Midrange cleaning')).toBe(credited('Rug Cleaning:Midrange'));
    expect(salesOf('Economy cleaning')).toBe(credited('Rug Cleaning:Economy'));
    expect(salesOf('Stain protection', 'Green Pad')).toBe(credited('Add-ons'));
    expect(salesOf('Pickup and delivery', 'Delivery minimum')).toBe(credited('Pickup and Delivery'));
    const refunds = during.flatMap(({ what, parts }) => (what.startsWith('refund') && parts ? [parts] : []));
    for (const tier of ['premium', 'midrange', 'economy'] as const) {
      const refunded = refunds.reduce((sum, { cleaning }) => sum + cleaning[tier], 0);
      const row = [...rows.values()].find(({ item }) => String(item).toLowerCase().startsWith(tier));
      expect(row?.['gross_refunds']).toBe(0 - refunded);
    }
    expect(totalOf(table, 'gross_refunds')).toBe(0 - sumOf(during, 'Refunds and Allowances'));
    const tax = await readSalesTaxReport(sql, scope);
    for (const name of ['gross_sales', 'gross_refunds']) {
      expect(totalOf(table, name)).toBe(recordsOf(tax).reduce((sum, row) => sum + Number(row[name]), 0));
    }
    expect(recordsOf(tax)[0]).toMatchObject({ rate_percent: '9.75', rate_since: '2000-01-01' });
  });
});

test('a month whose tax changes has a row for each rate', async () => {
  const rows = recordsOf(await readSalesTaxReport(sql, await scopeOf('2025-11-01', '2025-11-30')));
  expect(rows.map((row) => [row['rate_percent'], row['rate_since']])).toEqual([
    ['9.75', '2000-01-01'],
    ['9.875', '2025-11-15'],
  ]);
});

describe('the opening balances', () => {
  const openings = async () => {
    const days = ['2025-10-31', '2025-11-17', '2026-03-09'];
    const found = [];
    for (const day of days) {
      const rows = recordsOf(await readTrialBalance(sql, await scopeOf(day, day)));
      found.push([day, [...amountsIn(rows, 'opening_balance')]]);
    }
    return found;
  };

  test('begin with the certificates of the closings in force, and with no reopened one', async () => {
    await closePeriod(world, '2025-12-31' as Day, asked);
    const counted = await openings();
    await certifyClosings(world);
    expect(await openings()).toEqual(counted);
    const closing = (await readBooks(sql)).closings.at(-1)?.version ?? 0;
    await quietly(
      ownerSql,
      `update ledger.event set payload = replace(payload::text, '"debit":', '"debit":1')::json
       where type = 'PeriodCertified' and payload ->> 'closing' = '${closing}'`,
    );
    expect(await openings()).not.toEqual(counted);
    await reopenPeriod(world, { ...asked, closing, reason: 'correction' });
    await settled(ownerSql);
    expect(await openings()).toEqual(counted);
  });
});
