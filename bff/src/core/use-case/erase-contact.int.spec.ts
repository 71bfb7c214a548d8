import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseOrderId, parsePaymentId } from '@kilim/domain/order/ids';
import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, openShop, paid, paymentFor, quoted, sendPayment, twoRugs } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ContactErasure, OrderDetailAnswer, OrderRowAnswer } from '../../../contract/orders.ts';
import { verifyLedger } from '../../proof/verify.ts';
import { findOrderByPayment } from '../queries/find-order.ts';
import { eraseContact } from './erase-contact.ts';

const { appSql, ownerSql, url } = await testDatabase();
await makeAdministrator(appSql);
const shop = await openShop(appSql);
afterAll(shop.close);
const office = openBrowser(shop);
beforeAll(async () => void (await office.signIn()));

async function order() {
  const payment = paymentFor(await quoted(shop));
  const body = await paid(shop, payment);
  const paymentId = parsePaymentId(body.paymentId);
  const found = paymentId && (await findOrderByPayment(appSql, paymentId));
  if (found === undefined) throw new Error('not paid');
  return { orderId: found.stream.orderId, paymentId, payment };
}

const erase = (orderId: string) => office.post(`/api/admin/orders/${orderId}/erase-contact`, {});
const detailOf = async (orderId: string) =>
  (await (await office.get(`/api/admin/orders/${orderId}`)).json()) as OrderDetailAnswer;
const foundBy = async (text: string) => {
  const answer = await office.get(`/api/admin/orders?search=${encodeURIComponent(text)}`);
  return ((await answer.json()) as OrderRowAnswer[]).map(({ _id }) => _id);
};

test('the customer can no longer be found or seen, and the order continues', async () => {
  const { orderId, paymentId } = await order();
  expect(await foundBy(adaLovelace.email)).toContain(orderId);

  const answer = await erase(orderId);
  expect(answer.status).toBe(200);
  expect((await answer.json()) as ContactErasure).toMatchObject({ erasedBy: 'ada' });

  for (const word of [adaLovelace.email, adaLovelace.phone, 'Lovelace']) {
    expect(await foundBy(word)).not.toContain(orderId);
  }
  const { order: shown, timeline } = await detailOf(orderId);
  expect(shown).toMatchObject({ customerInfo: null, totalCost: 758.22, remainingRefundable: 758.22 });
  expect(timeline.map(({ who }) => who)).toContain('ada');
  const receipt = await (await shop.get(`/api/orders/payment/${paymentId}`)).text();
  expect(receipt).not.toMatch(/lovelace|analytical|3105550142/i);
  expect(JSON.parse(receipt)).toMatchObject({ order: { totalCost: 758.22 } });
  const list = (await (await office.get('/api/admin/orders')).json()) as OrderRowAnswer[];
  expect(list).toContainEqual(expect.objectContaining({ _id: orderId, customerInfo: null }));

  const refund = {
    paymentId,
    amount: '10.00',
    reason: 'Goodwill',
    refundType: 'partial',
    idempotencyKey: 'after-erasure-000001',
  };
  expect((await office.post('/api/admin/refund', refund)).status).toBe(201);
});

test('nothing of the contact is left in the database, and the ledger verifies', async () => {
  const { orderId } = await order();
  await erase(orderId);
  const tables = await ownerSql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('ledger', 'kilim', 'admin')`;
  for (const { name } of tables) {
    const rows = await ownerSql.unsafe<{ row: string }[]>(`select row_to_json(t)::text as row from ${name} t`);
    const told = rows.filter(({ row }) => row.includes(orderId) && /lovelace|analytical|3105550142/i.test(row));
    expect(told).toEqual([]);
  }
  const verified = await verifyLedger({ url, verifiers: [], onProgress: () => undefined });
  expect(verified.faults).toEqual([]);
});

test('a repeated erasure records nothing, and answers with the time of the first one', async () => {
  const { orderId } = await order();
  const answers = await Promise.all([erase(orderId), erase(orderId), erase(orderId)]);
  const told = await Promise.all(answers.map((answer) => answer.json()));
  expect(new Set(told.map((answer) => JSON.stringify(answer))).size).toBe(1);
  const events = await ownerSql`
    select from ledger.event where stream_id = ${`order-${orderId}`} and type = 'ContactErased'`;
  expect(events).toHaveLength(1);
});

test('paying a declined order does not bring the contact back', async () => {
  const quote = await quoted(shop);
  const declined = paymentFor(quote, { token: 'cnon:card-nonce-declined' });
  expect((await sendPayment(shop, declined)).status).toBe(402);
  const orderId = parseOrderId(quote.orderId);
  if (orderId === undefined) throw new Error('no order');
  await erase(orderId);
  expect((await sendPayment(shop, paymentFor(quote))).status).toBe(409);
  const contacts = await ownerSql`select from ledger.customer_contact where order_id = ${orderId}`;
  expect(contacts).toHaveLength(0);
});

test('erasing needs a session and an order', async () => {
  const { orderId } = await order();
  const stranger = openBrowser(shop);
  expect((await stranger.post(`/api/admin/orders/${orderId}/erase-contact`, {})).status).toBe(401);
  expect((await detailOf(orderId)).order.customerInfo).toMatchObject({ email: twoRugs.customerInfo?.email });
  expect((await erase('0199d5a0-7c00-7000-8000-00000000000f')).status).toBe(404);
  expect((await erase('nobody')).status).toBe(404);
});

test('the application cannot erase without an event in the ledger', async () => {
  const { orderId } = await order();
  await expect(appSql`select ledger.forget_contact(${orderId}::uuid)`).rejects.toMatchObject({ code: 'KLM03' });
  await expect(appSql`delete from ledger.customer_contact`).rejects.toMatchObject({ code: '42501' });
});

test('a process that dies in the middle has neither recorded nor erased anything', async () => {
  const { orderId } = await order();
  await ownerSql`
    create function kilim.die() returns trigger language plpgsql as $$ begin raise 'dead'; end $$`;
  await ownerSql`create trigger die before delete on ledger.customer_contact for each row execute function kilim.die()`;
  const world = { sql: appSql, now: () => new Date() };
  await expect(eraseContact(world, { orderId, erasedBy: 'ada', requestId: undefined })).rejects.toThrow('dead');
  await ownerSql`drop function kilim.die cascade`;
  expect((await detailOf(orderId)).order.customerInfo).not.toBeNull();
  const events = await ownerSql`
    select from ledger.event where stream_id = ${`order-${orderId}`} and type = 'ContactErased'`;
  expect(events).toHaveLength(0);
});

test('the operator can erase from the command line', async () => {
  const { orderId } = await order();
  const cli = fileURLToPath(new URL('../../start/cli/admin.ts', import.meta.url));
  const options = { env: { ...process.env, DATABASE_URL: url } };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'erase-contact', orderId], options);
  expect(stdout).toMatch(new RegExp(`^The contact of order ${orderId} was erased by operator at `));
  expect((await detailOf(orderId)).order.customerInfo).toBeNull();
});
