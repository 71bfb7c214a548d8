import { type TestDatabase, testDatabase } from '@kilim/lab/testing/postgres';
import { writeSampleOrders } from '@kilim/lab/testing/sample-orders';
import { describe, expect, test } from 'vitest';
import { listOrders, type OrdersRequest } from './list-orders.ts';

// With more matches than are counted, sorted or scanned.

const orders = 25_000;

async function sampleDatabase() {
  const database = await testDatabase();
  const { ownerSql } = database;
  // Only the specs decide when there are statistics.
  await ownerSql`alter table ledger.customer_contact set (autovacuum_enabled = off)`;
  await writeSampleOrders(ownerSql, { orders, days: 1000, until: new Date('2026-11-21T19:00:00Z') });
  return database;
}

const withoutStatistics = await sampleDatabase();
const withStatistics = await sampleDatabase();
await withStatistics.ownerSql`analyze ledger.customer_contact`;

const all: OrdersRequest = {
  page: 1,
  pageSize: 10,
  newestFirst: true,
  search: '@example.com',
  searchesContacts: true,
  refunds: undefined,
  payment: 'all',
  delivery: undefined,
  stage: undefined,
  from: undefined,
  to: undefined,
  timeZone: 'America/Los_Angeles',
};

async function numbersIn({ appSql }: TestDatabase, more: Partial<OrdersRequest>) {
  const { rows, total, isLeast } = await listOrders(appSql, { ...all, ...more });
  return { numbers: rows.map(({ contact }) => Number(/\.n(\d+)@/.exec(contact?.email ?? '')?.[1])), total, isLeast };
}

const ten = (first: number, step: number) => Array.from({ length: 10 }, (_, index) => first + index * step);

const commonWordIn = async ({ appSql }: TestDatabase, search: string) => {
  const [known] = await appSql<{ orders: number }[]>`
    select ledger.orders_with_common_word(ledger.search_query(${search})) as orders`;
  return known?.orders;
};

describe.each([
  ['without statistics of words', withoutStatistics, 0],
  ['with statistics of words', withStatistics, orders],
] as const)('%s', (_when, database, known) => {
  const commonAsKnown = (search: string) => commonWordIn(database, search);
  const numbersOf = (more: Partial<OrdersRequest>) => numbersIn(database, more);

  test('a single common word is recognised; rare words and several words are not', async () => {
    expect(await commonAsKnown('@example.com')).toBe(known);
    expect(await commonAsKnown('exam')).toBe(known);
    expect(await commonAsKnown('Shirvan')).toBe(0);
    expect(await commonAsKnown('example com')).toBe(0);
    expect(await commonAsKnown(' ')).toBeNull();
  });

  test('a word that all orders have lists the newest and says that there are more matches', async () => {
    expect(await numbersOf({})).toEqual({ numbers: ten(0, 1), total: 1000, isLeast: true });
    expect(await numbersOf({ newestFirst: false })).toMatchObject({ numbers: ten(orders - 1, -1), total: 1000 });
    expect(await numbersOf({ page: 100 })).toEqual({ numbers: ten(990, 1), total: 1000, isLeast: true });
    expect(await numbersOf({ page: 101 })).toMatchObject({ numbers: [], isLeast: true });
  });

  test('with a filter, the total is never larger than the number of matches', async () => {
    const pending = Array.from({ length: orders }, (_, number) => number).filter((n) => n % 50 === 3 && n % 20 !== 0);
    const page = await numbersOf({ refunds: 'pending' });
    expect(page.numbers).toEqual(pending.slice(0, 10));
    expect(page.total).toBeGreaterThan(10);
    expect(page.total).toBeLessThanOrEqual(pending.length);
    const last = await numbersOf({ refunds: 'pending', page: pending.length / 10 });
    expect(last).toEqual({ numbers: pending.slice(-10), total: pending.length, isLeast: false });
  });
});

test.each([
  { word: 'Kashan', who: String.raw`\.n2[34][0-9]{3}@`, newest: 23_000, known: 0 },
  { word: 'Tabriz', who: String.raw`\.n2[0-4][0-9]{3}@`, newest: 20_000, known: 5000 },
])('a word that is common only in old orders, like $word, is found and counted up to the limit', async (old) => {
  const { word, who, newest, known } = old;
  const { ownerSql } = withStatistics;
  await ownerSql`update ledger.customer_contact set name = ${word} where email ~ ${who}`;
  if (known > 0) await ownerSql`analyze ledger.customer_contact`;
  expect(await commonWordIn(withStatistics, word)).toBe(known);
  expect(await numbersIn(withStatistics, { search: word })).toEqual({
    numbers: ten(newest, 1),
    total: 1000,
    isLeast: true,
  });
  expect(await numbersIn(withStatistics, { search: word, page: 3 })).toMatchObject({ numbers: ten(newest + 20, 1) });
});
