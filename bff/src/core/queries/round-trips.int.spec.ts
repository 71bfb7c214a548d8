import { openDatabaseProxy } from '@kilim/lab/faults/chaos/database-proxy';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, sendPayment } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentRequest } from '../../../contract/order-request.ts';
import { connect } from '../database/database.ts';

// The customer waits for each round trip. A proxy before PostgreSQL counts changes of direction on the wire.

const { url } = await testDatabase();
/** `database`, or the verb sent to Square. */
const calls: string[] = [];
const proxy = await openDatabaseProxy(url, () => calls.push('database'));
const sql = connect({ url: proxy.url, role: 'kilim_server', max: 1, applicationName: 'kilim test' });
// A payment that waited for the throttle's database would fail.
const nowhere = connect({ url: 'postgres://127.0.0.1:1/nowhere', max: 1, applicationName: 'kilim test' });
const shop = await openShop(sql, {
  throttling: { sql: nowhere, factor: 1 },
  onSquareCall: (verb) => calls.push(verb),
});
afterAll(async () => {
  await shop.close();
  await Promise.all([sql.end({ timeout: 1 }), nowhere.end({ timeout: 0 })]);
  await proxy.close();
});

/** Between a request to pay and its answer. */
async function callsOf(request: PaymentRequest): Promise<readonly string[]> {
  // Several times a second; here at a known moment.
  await shop.settings.refresh();
  calls.length = 0;
  await sendPayment(shop, request);
  return [...calls];
}

beforeAll(async () => {
  await shop.settings.stop();
  // The first payments prepare the connection's statements.
  const quote = await quoted(shop);
  await sendPayment(shop, paymentFor(quote, { token: 'cnon:card-nonce-declined' }));
  await paid(shop, paymentFor(quote));
});

test('a paid order takes one round trip to the database before the first call to Square, and one after each call', async () => {
  const request = paymentFor(await quoted(shop));
  expect(await callsOf(request)).toEqual(['database', 'authorize', 'database', 'complete', 'database']);
});

test('a decline takes no more, and the next card on the same order three more', async () => {
  const quote = await quoted(shop);
  const declined = paymentFor(quote, { token: 'cnon:card-nonce-declined' });
  expect(await callsOf(declined)).toEqual(['database', 'authorize', 'database']);
  const next = await callsOf(paymentFor(quote));
  // The append that finds an order, the reason, the order, and the append after it.
  const found = Array.from({ length: 4 }, () => 'database');
  expect(next).toEqual([...found, 'authorize', 'database', 'complete', 'database']);
});

test('a price costs no round trip', async () => {
  calls.length = 0;
  await quoted(shop);
  expect(calls).toEqual([]);
});
