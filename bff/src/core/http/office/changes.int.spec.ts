import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, twoRugs } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChangesAnswer } from '../../../../contract/changes.ts';

const { appSql, ownerSql } = await testDatabase();
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

test('the version differs after a note is written and deleted, after work is parked, and after a comparison', async () => {
  const quote = await quoted(shop, twoRugs);
  await paid(shop, paymentFor(quote, { orderDetails: { ...twoRugs, orderId: quote.orderId } }));
  const changes = [
    () => ownerSql`select ledger.write_order_note(${quote.orderId}::uuid, 'Called.', 'ada')`,
    () => ownerSql`delete from ledger.order_note`,
    () => ownerSql`update ledger.effect set state = 'parked' where key = (select key from ledger.effect limit 1)`,
    () => ownerSql`select ledger.remember_comparison('books', '{}'::jsonb)`,
  ];
  let before = await version();
  for (const change of changes) {
    await change();
    const after = await version();
    expect(after).not.toBe(before);
    before = after;
  }
});
