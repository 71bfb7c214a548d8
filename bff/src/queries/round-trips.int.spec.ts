import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../testing/postgres.ts';
import { openShop, paid, paymentFor, quoted } from '../../testing/shop.ts';
import { openDatabaseProxy } from '../../tools/chaos/database-proxy.ts';
import { connect } from '../database/database.ts';
import type { PaymentRequest } from '../http/shop/wire.ts';

// What a payment costs in round trips: on a network to the database each takes its time, and the customer waits for all of them. They are
// counted on the wire, between the server and PostgreSQL, by whoever had the last word there.

const { url } = await testDatabase();
/** What happened, in order: `database`, or the verb that Square was asked. */
const words: string[] = [];
const proxy = await openDatabaseProxy(url, () => words.push('database'));
const sql = connect({ url: proxy.url, role: 'kilim_app', max: 1, applicationName: 'kilim test' });
// Attempts are counted in a database that is not there: whoever waited for that would not get to pay.
const nowhere = connect({ url: 'postgres://127.0.0.1:1/nowhere', max: 1, applicationName: 'kilim test' });
const shop = await openShop(sql, {
  throttling: { sql: nowhere, factor: 1 },
  onSquareCall: (verb) => words.push(verb),
});
afterAll(async () => {
  await shop.close();
  await Promise.all([sql.end({ timeout: 1 }), nowhere.end({ timeout: 0 })]);
  await proxy.close();
});

/** What happens between a request to pay and its answer. */
async function wordsOf(request: PaymentRequest): Promise<readonly string[]> {
  // As the server does several times a second, beside all requests; here at a known moment.
  await shop.settings.refresh();
  words.length = 0;
  await paid(shop, request);
  return [...words];
}

beforeAll(async () => {
  shop.settings.stop();
  // A connection learns its statements once.
  const quote = await quoted(shop);
  await paid(shop, paymentFor(quote, { token: 'cnon:card-nonce-declined' }));
  await paid(shop, paymentFor(quote));
});

test('a paid order takes two round trips to the database before Square is asked, and one after each answer', async () => {
  const request = paymentFor(await quoted(shop));
  expect(await wordsOf(request)).toEqual(['database', 'database', 'authorize', 'database', 'complete', 'database']);
});

test('a decline takes one more, and so does the next card on the same order', async () => {
  const quote = await quoted(shop);
  const declined = paymentFor(quote, { token: 'cnon:card-nonce-declined' });
  expect(await wordsOf(declined)).toEqual(['database', 'database', 'authorize', 'database']);
  const next = await wordsOf(paymentFor(quote));
  expect(next).toEqual(['database', 'database', 'authorize', 'database', 'complete', 'database']);
});

test('a price costs no round trip', async () => {
  words.length = 0;
  await quoted(shop);
  expect(words).toEqual([]);
});
