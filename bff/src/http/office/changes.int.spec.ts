import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChangesAnswer } from '../../../contract/changes.ts';
import { makeAdministrator, openBrowser } from '../../../testing/administrator.ts';
import { testDatabase } from '../../../testing/postgres.ts';
import { openShop, paid, paymentFor, quoted, twoRugs } from '../../../testing/shop.ts';

const { appSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const browser = openBrowser(shop);
beforeAll(async () => void (await browser.signIn()));

async function version(): Promise<string> {
  const answer = await browser.get('/api/admin/changes');
  expect(answer.status).toBe(200);
  return ((await answer.json()) as ChangesAnswer).version;
}

test('the version differs after an order, and stays while nothing happens', async () => {
  const before = await version();
  expect(await version()).toBe(before);
  const quote = await quoted(shop, twoRugs);
  await paid(shop, paymentFor(quote, { orderDetails: { ...twoRugs, orderId: quote.orderId } }));
  expect(await version()).not.toBe(before);
});
