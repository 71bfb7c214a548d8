import { expect, test } from 'vitest';
import { testDatabase } from '../testing/postgres.ts';
import { writeSampleOrders } from '../testing/sample-orders.ts';
import { listOrders, type OrdersRequest } from './list-orders.ts';

// Words that more orders have than are counted, sorted or walked through.

const { appSql, ownerSql } = await testDatabase();
const orders = 25_000;
await writeSampleOrders(ownerSql, { orders, days: 1000, until: new Date('2026-11-21T19:00:00Z') });

const all: OrdersRequest = {
  page: 1,
  pageSize: 10,
  newestFirst: true,
  search: '@example.com',
  refunds: undefined,
  payment: 'all',
  delivery: undefined,
  from: undefined,
  to: undefined,
  timeZone: 'America/Los_Angeles',
};

async function numbersOf(more: Partial<OrdersRequest>) {
  const { rows, total, isLeast } = await listOrders(appSql, { ...all, ...more });
  return { numbers: rows.map(({ contact }) => Number(/\.n(\d+)@/.exec(contact?.email ?? '')?.[1])), total, isLeast };
}

const ten = (first: number, step: number) => Array.from({ length: 10 }, (_, index) => first + index * step);

test('a word that everybody has lists the newest and says that there are more than are shown', async () => {
  expect(await numbersOf({})).toEqual({ numbers: ten(0, 1), total: 1000, isLeast: true });
  expect(await numbersOf({ newestFirst: false })).toMatchObject({ numbers: ten(orders - 1, -1), total: 1000 });
  expect(await numbersOf({ page: 100 })).toEqual({ numbers: ten(990, 1), total: 1000, isLeast: true });
  expect(await numbersOf({ page: 101 })).toMatchObject({ numbers: [], isLeast: true });
});

test('a filter beside it promises no more than there are', async () => {
  const pending = Array.from({ length: orders }, (_, number) => number).filter((n) => n % 50 === 3 && n % 20 !== 0);
  const page = await numbersOf({ refunds: 'pending' });
  expect(page.numbers).toEqual(pending.slice(0, 10));
  expect(page.total).toBeGreaterThan(10);
  expect(page.total).toBeLessThanOrEqual(pending.length);
  const last = await numbersOf({ refunds: 'pending', page: pending.length / 10 });
  expect(last).toEqual({ numbers: pending.slice(-10), total: pending.length, isLeast: false });
});

test('a word that was common only long ago is found, and counted as far as others are', async () => {
  await ownerSql`update ledger.customer_contact set name = 'Kashan' where email ~ '\.n2(3|4)[0-9]{3}@'`;
  expect(await numbersOf({ search: 'kashan' })).toEqual({ numbers: ten(23_000, 1), total: 1000, isLeast: true });
  expect(await numbersOf({ search: 'kashan', page: 3 })).toMatchObject({ numbers: ten(23_020, 1) });
});
