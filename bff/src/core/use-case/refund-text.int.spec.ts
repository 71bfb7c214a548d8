import { parsePaymentId } from '@kilim/domain/order/ids';
import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, openShop, paid, paymentFor, quoted, twoRugs } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportFormats } from '../../../contract/exports.ts';
import type { ContactErasure, OrderDetailAnswer } from '../../../contract/orders.ts';
import type { RefundAnswer } from '../../../contract/refunds.ts';
import { verifyLedger } from '../../proof/verify.ts';
import { refundTextDigest } from '../ledger/refund-text.ts';
import { findOrderByPayment } from '../queries/find-order.ts';

// Administrators' words about a refund stand beside the ledger, so that erasure reaches them.

const { appSql, ownerSql, url } = await testDatabase();
await makeAdministrator(appSql);
const shop = await openShop(appSql);
afterAll(shop.close);
const office = openBrowser(shop);
beforeAll(async () => void (await office.signIn()));

const name = 'Zebulonia';
const someone = {
  ...{ name: `${name} One`, email: `${name}@example.com`, phone: '310-555-0142' },
  ...{ address: `${name} Street`, city: `${name}ville`, state: 'CA', zipCode: '90210' },
};

async function order(customerInfo = adaLovelace) {
  const quote = await quoted(shop);
  const payment = paymentFor(quote, { orderDetails: { ...twoRugs, customerInfo, orderId: quote.orderId } });
  const body = await paid(shop, payment);
  const paymentId = parsePaymentId(body.paymentId);
  if (paymentId === undefined) throw new Error('not paid');
  return { paymentId, ...(await streamOf(paymentId)) };
}

async function streamOf(paymentId: NonNullable<ReturnType<typeof parsePaymentId>>) {
  const found = await findOrderByPayment(appSql, paymentId);
  if (found === undefined) throw new Error('no order');
  return found.stream;
}

const refund = (paymentId: string, told: { readonly reason: string; readonly adminNotes?: string }) =>
  office.post('/api/admin/refund', {
    ...{ paymentId, amount: '1.00', refundType: 'partial', idempotencyKey: crypto.randomUUID(), ...told },
    rugItems: [{ rugIndex: 0, amount: '1.00', reason: told.reason }],
  });
const erase = async (orderId: string) =>
  (await (await office.post(`/api/admin/orders/${orderId}/erase-contact`, {})).json()) as ContactErasure;
const detailOf = async (orderId: string) =>
  (await (await office.get(`/api/admin/orders/${orderId}`)).json()) as OrderDetailAnswer;
const refundsAt = async (path: string) => (await (await office.get(path)).json()) as RefundAnswer[];
const eventOf = async (orderId: string) => {
  const [row] = await ownerSql<{ payload: Record<string, unknown> }[]>`
    select payload from ledger.event where stream_id = ${`order-${orderId}`} and type = 'RefundRequested'
    order by version desc limit 1`;
  if (row === undefined) throw new Error('no refund');
  return row.payload;
};

/** Tables of every schema, and the text of each export of today. */
async function placesOfName(): Promise<readonly string[]> {
  const tables = await ownerSql<{ place: string }[]>`
    select format('%I.%I', schemaname, tablename) as place from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`;
  const inTables = await Promise.all(
    tables.map(async ({ place }) => ({
      place,
      text: JSON.stringify(await ownerSql.unsafe(`select t::text as row from ${place} t`)),
    })),
  );
  // A server refuses many exports at the same time.
  const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const range = `from=${dayAfter(-2)}&to=${dayAfter(2)}`;
  const inExports: { readonly place: string; readonly text: string }[] = [];
  for (const place of exportFormats) {
    const answer = await office.get(`/api/admin/ledger/export?format=${place}&${range}`);
    expect(answer.status, place).toBe(200);
    inExports.push({ place, text: await answer.text() });
  }
  return [...inTables, ...inExports].filter(({ text }) => /zebulonia/i.test(text)).map(({ place }) => place);
}

test('a customer’s name in each text of an order is in no table and no export after the erasure', async () => {
  const { orderId, paymentId } = await order(someone);
  const told = { reason: `${name} complained`, adminNotes: `Call ${name} back` };
  expect((await refund(paymentId, told)).status).toBe(201);
  expect((await refund(paymentId, { reason: 'Goodwill', adminNotes: `${name} again` })).status).toBe(201);
  expect((await placesOfName()).toSorted()).toEqual(['ledger.customer_contact', 'ledger.refund_text']);

  await erase(orderId);
  expect(await placesOfName()).toEqual([]);
  expect(await refundsAt(`/api/admin/orders/${orderId}/refunds`)).toMatchObject([
    { reason: 'Goodwill', adminNotes: null },
    { reason: 'Other', adminNotes: null },
  ]);
  expect((await verifyLedger({ url, verifiers: [], onProgress: () => undefined })).faults).toEqual([]);
});

test('administrators read the words in the answer, the order, its timeline and both lists of refunds', async () => {
  const { orderId, paymentId } = await order();
  const told = { reason: 'Spilled tea', adminNotes: 'On the phone' };
  const answer = (await (await refund(paymentId, told)).json()) as RefundAnswer;
  const detail = await detailOf(orderId);
  const lists = [`/api/admin/orders/${orderId}/refunds`, `/api/admin/refunds?search=${answer.refundId}`];
  const listed = await Promise.all([...lists, '/api/admin/refunds?pageSize=1'].map(refundsAt));
  for (const shown of [answer, detail.refunds[0], ...listed.map(([first]) => first)]) expect(shown).toMatchObject(told);
  expect(JSON.stringify(detail.timeline)).toContain('Spilled tea. Rug #1 $1.00. Notes: On the phone');
  expect(detail.order).toMatchObject({ erasableTexts: 1 });
});

test('the event holds a reason of the list, and a digest that the text with its salt proves', async () => {
  const { orderId, paymentId } = await order();
  await refund(paymentId, { reason: ' spilled tea ', adminNotes: 'On the phone' });
  const [kept] = await ownerSql<{ salt: Uint8Array; reason: string; notes: string }[]>`
    select salt, reason, notes from ledger.refund_text where order_id = ${orderId}`;
  if (kept === undefined) throw new Error('no text');
  const { salt, ...text } = kept;
  expect(text).toEqual({ reason: 'spilled tea', notes: 'On the phone' });
  const event = await eventOf(orderId);
  expect(event).toMatchObject({ reason: 'Other', textDigest: refundTextDigest(text, salt) });
  expect(event).not.toHaveProperty('notes');

  await refund(paymentId, { reason: 'customer request' });
  expect(await eventOf(orderId)).toMatchObject({ reason: 'Customer request' });
  expect(await eventOf(orderId)).not.toHaveProperty('textDigest');
});

test('a repeated request keeps its first text, and the same key with another text is refused', async () => {
  const { orderId, paymentId } = await order();
  const request = {
    ...{ paymentId, amount: '1.00', refundType: 'partial', idempotencyKey: crypto.randomUUID() },
    reason: 'Spilled tea',
  };
  const answers = await Promise.all([1, 2, 3].map(() => office.post('/api/admin/refund', request)));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect((await office.post('/api/admin/refund', { ...request, reason: 'Coffee' })).status).toBe(409);
  const texts = await ownerSql`select reason from ledger.refund_text where order_id = ${orderId}`;
  expect(texts).toEqual([{ reason: 'Spilled tea' }]);
});

test('a text that was written after the erasure is erased by a repeated erasure', async () => {
  const { orderId, paymentId } = await order();
  await erase(orderId);
  await refund(paymentId, { reason: 'The neighbour called' });
  expect((await detailOf(orderId)).order).toMatchObject({ customerInfo: null, erasableTexts: 1 });
  await erase(orderId);
  expect((await detailOf(orderId)).order).toMatchObject({ erasableTexts: 0 });
});

test('the application stores a text only with its refund, and deletes none', async () => {
  const { orderId } = await order();
  await expect(appSql`
    select ledger.keep_refund_text(${orderId}::uuid, 'no-such-refund-00001', ${Buffer.alloc(16)}, 'Tea', null)`).rejects.toMatchObject(
    { code: 'KLM03' },
  );
  await expect(appSql`delete from ledger.refund_text`).rejects.toMatchObject({ code: '42501' });
});
