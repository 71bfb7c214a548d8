import { makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, openShop, paid, paymentFor, quoted, twoRugs } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderRowAnswer } from '../../../../contract/orders.ts';
import { eachListedOrder, type WholeList } from '../../queries/each-listed-order.ts';

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

/** The database has other tests' orders too. */
function idsIn(lines: readonly string[], orders: readonly string[]): readonly string[] {
  return lines.map((line) => line.split(',')[1] ?? '').filter((id) => orders.includes(id));
}

test('has the rows of the list, in its order, with its filters', async () => {
  const first = await placed('Grace Hopper');
  const second = await placed('Ada, Countess', 'dropoff');
  const third = await placed('=1+1');
  const own = [first, second, third];
  const lines = await csv();
  expect(lines[0]).toBe(
    'order_number,order_id,placed_at,customer,email,phone,delivery,rugs,total,payment,refunds,refundable,refund_owed,dispute,stage',
  );
  expect(idsIn(lines, own)).toEqual([third, second, first]);
  expect(idsIn(await csv('?sort=createdAt'), own)).toEqual([first, second, third]);
  expect(idsIn(await csv('?delivery=dropoff'), own)).toEqual([second]);
  expect(idsIn(await csv('?search=grace'), own)).toEqual([first]);
  const lineOf = (id: string) => lines.find((line) => line.includes(id));
  expect(lineOf(third)).toMatch(
    /^[0-9A-Z]{4}-[0-9A-Z]{4},[-0-9a-f]{36},\d{4}-\d\d-\d\d \d\d:\d\d,'=1\+1,[^,]+,\d{10},pickup,2,758\.22,paid,none,758\.22,0\.00,none,waiting$/,
  );
  expect(lineOf(second)).toContain('"Ada, Countess"');
});

test('masks contacts for accountants, and is noted in the security log', async () => {
  await placed('Dorothy Vaughan');
  expect((await csv()).join('\n')).toContain('Vaughan');
  const person = openBrowser(shop, alma);
  await person.signIn();
  expect((await csv('', person)).join('\n')).not.toContain('Vaughan');
  const entries = await ownerSql`
    select from admin.security_entry where kind = 'orders-downloaded' and username = 'alma'`;
  expect(entries).toHaveLength(1);
});

const wholeList: WholeList = {
  ...{
    search: undefined,
    searchesContacts: true,
    refunds: undefined,
    payment: 'all',
    delivery: undefined,
    stage: undefined,
  },
  ...{ from: undefined, to: undefined, timeZone: 'America/Los_Angeles', newestFirst: true },
};
const twoAtATime = { first: 2, later: 2 };

async function idsOfBatches(request: WholeList): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const orders of eachListedOrder(appSql, request, twoAtATime)) {
    found.push(...orders.map(({ orderId }) => orderId));
  }
  return found;
}

test('reads more orders than a batch, each of them once', async () => {
  for (let count = 0; count < 5; count += 1) await placed(`Customer ${count}`);
  const rows = (await (await browser.get('/api/admin/orders?pageSize=100&payment=all')).json()) as OrderRowAnswer[];
  expect(rows.length).toBeGreaterThanOrEqual(5);
  expect(await idsOfBatches(wholeList)).toEqual(rows.map(({ _id }) => _id));
});

test('reads more matches of a search than a batch, each of them once', async () => {
  const [first, second, third] = [await placed('Mary Ward'), await placed('Edith Ward'), await placed('Agnes Ward')];
  expect(await idsOfBatches({ ...wholeList, search: 'ward' })).toEqual([third, second, first]);
});
