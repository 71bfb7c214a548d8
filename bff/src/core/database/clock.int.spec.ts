import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, sendPayment } from '@kilim/lab/testing/shop';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { AttentionAnswer } from '../../../contract/attention.ts';
import { verifyLedger } from '../../proof/verify.ts';

const { appSql, ownerSql, url } = await testDatabase();
const metricsToken = 'a token for metrics';
const shop = await openShop(appSql, { metricsToken });
afterAll(shop.close);
await makeAdministrator(appSql);
const owner = openBrowser(shop);
beforeAll(() => owner.signIn());
afterEach(() => void vi.useRealTimers());

const minutes = (count: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + count * 60_000 });

async function events(): Promise<number> {
  const [row] = await ownerSql<{ events: number }[]>`select count(*)::int as events from ledger.event`;
  return row?.events ?? 0;
}

async function attention() {
  const { items } = (await (await owner.get('/api/admin/attention')).json()) as AttentionAnswer;
  return items.filter(({ kind }) => kind === 'clock-off');
}

async function clockMetric(): Promise<number> {
  const text = await (await shop.get('/metrics', { authorization: `Bearer ${metricsToken}` })).text();
  return Number(/^kilim_clock_off_seconds (\S+)$/m.exec(text)?.[1]);
}

test.each([
  ['ahead of', 20],
  ['behind', -20],
])(
  'a server whose clock is %s the database’s (%i minutes) records nothing until it is right again, and says so',
  async (direction, off) => {
    await paid(shop, paymentFor(await quoted(shop)));
    const [before, requests] = [await events(), (await shop.square.requests()).length];
    const payment = paymentFor(await quoted(shop));

    minutes(off);
    expect((await sendPayment(shop, payment)).status).toBe(503);
    expect(await events()).toBe(before);
    expect(await shop.square.requests()).toHaveLength(requests);
    const ready = await shop.get('/readyz');
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'clock wrong' }]);
    expect(await attention()).toEqual([
      expect.objectContaining({ detail: expect.stringContaining(`1200 seconds ${direction}`) }),
    ]);
    expect(Math.round((await clockMetric()) / 60)).toBe(off);

    vi.useRealTimers();
    await paid(shop, payment);
    expect((await shop.get('/readyz')).status).toBe(200);
    expect(await attention()).toEqual([]);
    expect(await clockMetric()).toBeCloseTo(0, 0);
  },
);

test('three seconds do not matter, and leave no fault', async () => {
  minutes(3 / 60);
  await paid(shop, paymentFor(await quoted(shop)));
  minutes(-6 / 60);
  await paid(shop, paymentFor(await quoted(shop)));
  const { faults } = await verifyLedger({ url, verifiers: [], onProgress: () => undefined });
  expect(faults).toEqual([]);
});
