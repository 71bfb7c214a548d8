import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderRowAnswer } from '../../../contract/orders.ts';
import { makeAdministrator, makePerson, openBrowser } from '../../../testing/administrator.ts';
import { testDatabase } from '../../../testing/postgres.ts';
import { adaLovelace, openShop, paid, paymentFor, quoted, twoRugs } from '../../../testing/shop.ts';
import { eachListedOrder } from '../../queries/each-listed-order.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const alma = { username: 'alma', password: 'harvest pebble compass 58' };
await makePerson(appSql, alma, 'accountant');
const browser = openBrowser(shop);
beforeAll(async () => void (await browser.signIn()));

async function placed(name: string, deliveryOption: 'pickup' | 'dropoff' = 'pickup'): Promise<string> {
  const request = { ...twoRugs, deliveryOption, customerInfo: { ...adaLovelace, name } };
  const quote = await quoted(shop, request);
  await paid(shop, paymentFor(quote, { orderDetails: { ...request, orderId: quote.orderId } }));
  return quote.orderId;
}

async function csv(query = '', person = browser): Promise<string[]> {
  const answer = await person.get(`/api/admin/orders.csv${query}`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  return (await answer.text()).trimEnd().split('\r\n');
}

test('has the rows of the list, in its order, with its filters', async () => {
  const [first, second, third] = [
    await placed('Grace Hopper'),
    await placed('Ada, Countess', 'dropoff'),
    await placed('=1+1'),
  ];
  const lines = await csv();
  expect(lines[0]).toBe(
    'order_number,order_id,placed_at,customer,email,phone,delivery,rugs,total,payment,refunds,refundable,refund_owed,dispute',
  );
  const idsOf = (rows: readonly string[]) => rows.slice(1).map((line) => line.split(',')[1]);
  expect(idsOf(lines)).toEqual([third, second, first]);
  expect(idsOf(await csv('?sort=createdAt'))).toEqual([first, second, third]);
  expect(idsOf(await csv('?delivery=dropoff'))).toEqual([second]);
  expect(idsOf(await csv('?search=grace'))).toEqual([first]);
  expect(lines[1]).toMatch(
    /^[0-9A-Z]{4}-[0-9A-Z]{4},[-0-9a-f]{36},\d{4}-\d\d-\d\d \d\d:\d\d,'=1\+1,[^,]+,\d{10},pickup,2,758\.22,paid,none,758\.22,0\.00,none$/,
  );
  expect(lines[2]).toContain('"Ada, Countess"');
});

test('masks contacts for accountants, and is noted in the security log', async () => {
  const person = openBrowser(shop, alma);
  await person.signIn();
  const text = (await csv('', person)).join('\n');
  expect(text).not.toContain('Hopper');
  const [entry] = await ownerSql<{ kind: string; username: string }[]>`
    select kind, username from admin.security_entry order by id desc limit 1`;
  expect(entry).toEqual({ kind: 'orders-downloaded', username: 'alma' });
});

test('reads more orders than a batch, each of them once', async () => {
  for (let count = 0; count < 110; count += 1) await placed(`Customer ${count}`);
  const rows = (await (await browser.get('/api/admin/orders?pageSize=100&page=2')).json()) as OrderRowAnswer[];
  const ids = (await csv()).slice(1).map((line) => line.split(',')[1]);
  expect(new Set(ids).size).toBe(113);
  expect(ids.slice(100)).toEqual(rows.map(({ _id }) => _id));
});

test('reads matches of a common word without sorting all of them', async () => {
  const request = {
    ...{ search: 'customer', searchesContacts: true, refunds: undefined, payment: 'all' as const, delivery: undefined },
    ...{ from: undefined, to: undefined, timeZone: 'America/Los_Angeles', newestFirst: true },
  } as const;
  const found: string[] = [];
  for await (const orders of eachListedOrder(appSql, request)) found.push(...orders.map(({ orderId }) => orderId));
  expect(new Set(found).size).toBe(110);
});
