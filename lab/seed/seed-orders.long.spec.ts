import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { compareBooks } from '../../bff/src/accounting/queries/compare-books.ts';
import { lastSeconds } from '../../bff/src/core/background/background-work.ts';
import { reconcileWeeks } from '../../bff/src/core/background/reconcile-weeks.ts';
import { compareProjections } from '../../bff/src/core/ledger/rebuild/compare.ts';
import { rebuildProjections } from '../../bff/src/core/ledger/rebuild/rebuild.ts';
import { authenticateAppends } from '../../bff/src/proof/authentic-event.ts';
import { macKeyOf } from '../../bff/src/proof/event-mac.ts';
import { verifyLedger } from '../../bff/src/proof/verify.ts';
import { makeAdministrator } from '../testing/administrator.ts';
import { patience } from '../testing/patience.ts';
import { cloneDatabase, testDatabase } from '../testing/postgres.ts';
import { openShop, paid, paymentFor, quoted } from '../testing/shop.ts';
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

test('a first start before the seeding is no fault', async () => {
  const { appSql, ownerSql: owner, url: cloned, drop } = await cloneDatabase();
  const key = macKeyOf({ name: 'kilim/ledger', privateKey: generateKeyPairSync('ed25519').privateKey });
  for (const sql of [appSql, owner]) authenticateAppends(sql, key);
  await makeAdministrator(appSql);
  await seedOrders(owner, { ...seed, orders: 200, until: new Date() }, () => undefined);
  const { events, ...proven } = await verifyLedger({
    ...{ url: cloned, verifiers: [], onProgress: () => undefined },
    macs: { keys: [key] },
  });
  expect(proven).toMatchObject({ faults: [], instants: { faults: [] }, macs: { right: events } });
  await drop();
});

test('the local Square knows what the server compares, also after its payout', async () => {
  const { appSql, ownerSql: owner, drop } = await cloneDatabase();
  const shop = await openShop(appSql);
  const { tellHistory: tellSquare } = shop.square;
  const days = 200;
  await seedOrders(owner, { ...seed, orders: 1500, days, until: new Date(), seed: 3, tellSquare }, () => undefined);

  const span = lastSeconds(new Date(), 21 * 24 * 60 * 60);
  const compare = async () => {
    const compared = await reconcileWeeks(shop.world, span);
    if (compared.kind !== 'reconciled') throw new Error(compared.detail);
    const { payouts, ...report } = compared.report;
    expect([...report.differences, ...(payouts?.differences ?? [])]).toEqual([]);
    return { ...report, payouts: payouts?.payouts };
  };
  const { payments, refunds, disputes } = await compare();
  expect(Math.min(payments, refunds, disputes)).toBeGreaterThan(0);
  // A payout of later money accuses nothing that was seeded.
  await paid(shop, paymentFor(await quoted(shop)));
  await shop.square.payOut();
  await expect.poll(async () => (await compare()).payouts, patience).toBe(1);
  const { differing, payouts, clearing } = await compareBooks(appSql, new Date());
  expect({ differing, unmatched: payouts.unmatched, alarms: clearing.alarms }).toEqual({
    ...{ differing: 0, unmatched: 0 },
    alarms: [],
  });
  await shop.close();
  await drop();
});
