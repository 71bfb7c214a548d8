import { expect, test } from 'vitest';
import { verifyLedger } from '../../src/ledger/proof/verify.ts';
import { compareProjections } from '../../src/ledger/rebuild/compare.ts';
import { rebuildProjections } from '../../src/ledger/rebuild/rebuild.ts';
import { testDatabase } from '../../testing/postgres.ts';
import { seedOrders } from './seed-orders.ts';

const { ownerSql, url } = await testDatabase();
const seed = { orders: 1000, days: 365, until: new Date('2026-11-01T00:00:00Z'), seed: 1, ordersPerBatch: 300 };
/** More than one page of a full scan. */
const manyEvents = 4000;

test('seeded orders pass every proof, and their rows equal those of appends and rebuilds', async () => {
  let written = 0;
  await seedOrders(ownerSql, seed, (orders) => (written += orders));
  expect(written).toBe(seed.orders);
  const proven = await verifyLedger({ url, verifiers: [], onProgress: () => undefined });
  expect(proven).toMatchObject({
    streams: seed.orders,
    faults: [],
    instants: { faults: [], warnings: [] },
  });
  expect(proven.events).toBeGreaterThan(manyEvents);

  let compared = 0;
  const before = await compareProjections(ownerSql, (events) => (compared += events));
  expect(before).toEqual({ orders: seed.orders, differences: [] });
  expect(compared).toBe(proven.events);

  expect(await rebuildProjections({ url, onProgress: () => undefined })).toMatchObject({
    orders: seed.orders,
    corrected: 0,
  });
  expect(await compareProjections(ownerSql, () => undefined)).toEqual(before);
});
