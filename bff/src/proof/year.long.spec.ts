import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { copyDatabase, startFreshCluster } from '@kilim/lab/testing/copy-database';
import { findPgDump } from '@kilim/lab/testing/pg-dump';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop } from '@kilim/lab/testing/shop';
import { type MonthPlan, monthOfSixtyOrders } from '@kilim/lab/testing/sixty-orders/plan';
import { recordMonth } from '@kilim/lab/testing/sixty-orders/record';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareBooks } from '../accounting/queries/compare-books.ts';
import { migrate } from '../core/database/migrate.ts';
import { compareProjections } from '../core/ledger/rebuild/compare.ts';
import { seal } from './checkpoint.ts';
import { verifierOf } from './signed-note.ts';
import { ledgerSigner } from './signing-key.ts';
import { verifyLedger } from './verify.ts';

// An ordinary year with closings, late facts, reimbursements, corrections and undone decisions is no fault, also after
// a restore.

const signer = ledgerSigner('MC4CAQAwBQYDK2VwBCIEIAMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMD', 'Test');
const { appSql, ownerSql, url } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const browser = openBrowser(shop);

const rounds = 12;
/** A month's facts reach into the weeks around it. The last round is the month itself. */
const daysBetweenRounds = 35;

beforeAll(async () => {
  await browser.signIn();
  for (let round = 0; round < rounds; round += 1) {
    const plan = movedBy(monthOfSixtyOrders, round - rounds + 1, round);
    await recordMonth(appSql, plan, 0);
    for (const [index, through] of plan.closings.entries()) {
      const closed = await browser.post('/api/admin/books/close', { through });
      expect(closed.status, await closed.clone().text()).toBe(200);
      await recordMonth(appSql, plan, index + 1);
    }
  }
  await settled(ownerSql);
  while ((await seal(appSql, signer)) !== undefined);
});

const verified = async (of: string) =>
  await verifyLedger({ url: of, verifiers: [verifierOf(signer)], onProgress: () => undefined });

test('a year has no fault, its books compare, and its lists are those of its events', async () => {
  const { faults, events } = await verified(url);
  expect(events).toBeGreaterThan(rounds * 400);
  expect(faults).toEqual([]);
  const { differing, payouts } = await compareBooks(appSql, new Date());
  expect(differing).toBe(0);
  expect(payouts.unmatchedEntries.filter(({ code }) => code === 'Unreadable')).toEqual([]);
  expect(await compareProjections(ownerSql, () => undefined)).toMatchObject({ differences: [] });
});

test('a year that is restored into another cluster has no fault', async () => {
  const fresh = await startFreshCluster();
  try {
    await ((await findPgDump()) ?? copyDatabase)({ from: url, to: fresh.url });
    await migrate({ url: fresh.url });
    expect((await verified(fresh.url)).faults).toEqual([]);
  } finally {
    await fresh.stop();
  }
});

/** At another time, with ids of its own. */
function movedBy(plan: MonthPlan, months: number, round: number): MonthPlan {
  const shift = months * daysBetweenRounds * 24 * 60 * 60 * 1000;
  const numbered = (number: number) => number + round * 1000;
  const moved = JSON.parse(JSON.stringify(plan), (key, value: unknown) => {
    if (typeof value !== 'string' || key === 'since') return value;
    if (/^(?:sq-orphan|po)-\d+$/.test(value)) return `${value}-of-${round}`;
    const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
    if (!isDay && !/^\d{4}-\d\d-\d\dT/.test(value)) return value;
    const instant = new Date(Date.parse(value) + shift).toISOString();
    return isDay ? instant.slice(0, 'yyyy-mm-dd'.length) : instant;
  }) as MonthPlan;
  return {
    ...moved,
    orders: moved.orders.map((order) => ({ ...order, number: numbered(order.number) })),
    resolutions: moved.resolutions.map((resolution) =>
      'order' in resolution ? { ...resolution, order: numbered(resolution.order) } : resolution,
    ),
  };
}
