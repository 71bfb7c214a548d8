import { randomUUID } from 'node:crypto';
import type { OrderId } from '@kilim/domain/order/ids';
import { orderNumberOf } from '@kilim/domain/order/number';
import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, sendPayment, twoRugs } from '@kilim/lab/testing/shop';
import { settleNow } from '@kilim/lab/testing/work-now';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import type { Difference } from '../../../contract/differences.ts';
import type { Intake } from '../../../contract/intake.ts';
import type { IntakeRequest } from '../../../contract/intake-request.ts';
import type { OrderDetailAnswer, OrderRowAnswer } from '../../../contract/orders.ts';
import type { paidOrder } from '../../../contract/receipt.ts';
import type { StatisticsAnswer } from '../../../contract/statistics.ts';
import { compareProjections } from '../../core/ledger/rebuild/compare.ts';

const { appSql, ownerSql } = await testDatabase();
let daysAhead = 0;
const day = 24 * 60 * 60 * 1000;
const shop = await openShop(appSql, { now: () => new Date(Date.now() + daysAhead * day) });
afterAll(shop.close);
await makeAdministrator(appSql);
const owner = openBrowser(shop);
beforeAll(async () => void (await owner.signIn()));

const economy = { width: 66, length: 84 };
const ordered = [{ width: 96, length: 120 }, economy];
const larger = [{ width: 102, length: 126 }, economy];
const due = 55.04;

async function act(orderId: string, body: IntakeRequest): Promise<Response> {
  return await owner.post(`/api/admin/orders/${orderId}/intake`, body);
}

/** @returns the id of the supplement. */
async function asked() {
  const quote = await quoted(shop, { ...twoRugs, deliveryOption: 'dropoff' });
  const payment = paymentFor(quote);
  await paid(shop, { ...payment, orderDetails: { ...payment.orderDetails, deliveryOption: 'dropoff' } });
  const { orderId } = quote;
  await act(orderId, { step: 'receive', sizes: larger });
  const answer = await act(orderId, { step: 'ask', measurement: 1, amount: due });
  const { request } = (await answer.json()) as Intake;
  return { orderId, id: request?.url.split('/').at(-1) ?? '' };
}

const newKey = () => randomUUID().replaceAll('-', '');
const pay = (id: string, more: { token?: string; amount?: number; idempotencyKey?: string } = {}) =>
  shop.post(`/api/differences/${id}/pay`, {
    token: 'cnon:card-nonce-ok',
    amount: due,
    idempotencyKey: newKey(),
    ...more,
  });
const differenceOf = async (id: string) => (await (await shop.get(`/api/differences/${id}`)).json()) as Difference;
const stateOf = async (orderId: string) =>
  (await (await owner.get(`/api/admin/orders/${orderId}/intake`)).json()) as Intake;
const receiptOf = async (paymentId: string | null) =>
  (await (await shop.get(`/api/orders/payment/${paymentId}`)).json()) as z.input<typeof paidOrder>;
const orderOf = async (orderId: string) =>
  ((await (await owner.get(`/api/admin/orders/${orderId}`)).json()) as OrderDetailAnswer).order;
const paymentOf = async (orderId: string) => (await orderOf(orderId)).paymentId;
const refundAll = async (orderId: string) => {
  const { paymentId, remainingRefundable: amount } = await orderOf(orderId);
  const terms = { reason: 'Customer request', refundType: 'full', idempotencyKey: newKey() };
  expect((await owner.post('/api/admin/refund', { ...terms, paymentId, amount })).status).toBe(201);
};
const rowsOf = async (query: string) =>
  (await (await owner.get(`/api/admin/orders?${query}`)).json()) as readonly OrderRowAnswer[];

test('the link shows sizes and amount without the contact, and takes the payment once', async () => {
  const { orderId, id } = await asked();
  expect((await rowsOf('stage=asked')).map(({ _id }) => _id)).toEqual([orderId]);
  const shown = await differenceOf(id);
  expect(shown).toMatchObject({ status: 'open', paymentId: null, ordered, quote: { orderId: id, totalAmount: due } });
  expect(JSON.stringify(shown)).not.toMatch(/ada|example\.com|310/i);
  // Two phones at the same moment.
  const answers = await Promise.all([pay(id), pay(id)]);
  const bodies = await Promise.all(answers.map(async (answer) => (await answer.json()) as { paymentId?: string }));
  const paymentIds = bodies.flatMap(({ paymentId }) => paymentId ?? []);
  expect(new Set(paymentIds).size).toBe(1);
  expect(await differenceOf(id)).toMatchObject({ status: 'paid', paymentId: paymentIds[0], quote: null });
  expect(await stateOf(orderId)).toMatchObject({
    measurement: { due: 0 },
    request: null,
    supplements: [{ _id: id, amount: due, refundable: due }],
  });
  expect(await rowsOf('stage=asked')).toEqual([]);
  // It is no order of the list, and its ids lead to its order.
  expect((await rowsOf('payment=all')).map(({ _id }) => _id)).not.toContain(id);
  expect((await rowsOf(`search=${id}`)).map(({ _id }) => _id)).toEqual([orderId]);
  expect((await compareProjections(appSql, () => undefined)).differences).toEqual([]);
});

test('the receipt of the order tells where the rugs are, and offers the difference until it is paid', async () => {
  const { orderId, id } = await asked();
  const paymentId = await paymentOf(orderId);
  expect((await receiptOf(paymentId)).order).toMatchObject({
    stage: 'received',
    difference: { id, amount: due },
    supplementOf: null,
  });
  await pay(id);
  expect((await receiptOf(paymentId)).order).toMatchObject({
    ...{ stage: 'received', difference: null },
    paidDifferences: [{ paymentId: (await differenceOf(id)).paymentId, amount: due }],
  });
  await act(orderId, { step: 'ready' });
  expect((await receiptOf(paymentId)).order.stage).toBe('ready');
});

test('a withdrawn difference, and one whose link is over, leave the receipt', async () => {
  const { orderId } = await asked();
  const paymentId = await paymentOf(orderId);
  daysAhead = 31;
  expect((await receiptOf(paymentId)).order.difference).toBeNull();
  daysAhead = 0;
  expect((await receiptOf(paymentId)).order.difference).not.toBeNull();
  await act(orderId, { step: 'withdraw' });
  expect((await receiptOf(paymentId)).order.difference).toBeNull();
});

test('the receipt of a difference has the number and the masked contact of its order, and no calendar', async () => {
  const { orderId, id } = await asked();
  await pay(id);
  const { paymentId } = await differenceOf(id);
  const { order } = await receiptOf(paymentId);
  expect(order).toMatchObject({ totalCost: due, supplementOf: orderId });
  expect(order.customerInfo).toEqual((await receiptOf(await paymentOf(orderId))).order.customerInfo);
  expect(JSON.stringify(order.customerInfo)).not.toMatch(/lovelace|ada@|310/i);
  expect((await shop.get(`/api/orders/payment/${paymentId}/calendar`)).status).toBe(404);
  expect(orderNumberOf(id as OrderId)).toBe(`${orderNumberOf(orderId as OrderId)}-S1`);
  expect((await stateOf(orderId)).supplements).toMatchObject([{ _id: id }]);
  expect((await orderOf(id)).supplementOf).toBe(orderId);
  await refundAll(id);
  const found = await owner.get(`/api/admin/refunds?search=${orderNumberOf(id as OrderId)}`);
  expect(await found.json()).toMatchObject([{ orderId: { _id: id }, amount: due }]);
});

test('an ordinary order cannot take the id of a difference', async () => {
  const { id } = await asked();
  const payment = paymentFor(await quoted(shop));
  const { status } = await sendPayment(shop, { ...payment, orderDetails: { ...payment.orderDetails, orderId: id } });
  expect(status).toBe(422);
  expect((await differenceOf(id)).status).toBe('open');
});

test('a declined card leaves the link open', async () => {
  const { id } = await asked();
  expect((await pay(id, { token: 'cnon:card-nonce-declined' })).status).toBe(402);
  expect((await differenceOf(id)).status).toBe('open');
  expect((await pay(id)).status).toBe(200);
});

test('a link that was withdrawn, measured again or waived takes no money', async () => {
  const later: readonly IntakeRequest[] = [
    { step: 'withdraw' },
    { step: 'receive', sizes: ordered },
    { step: 'waive', measurement: 1, amount: due, reason: 'Goodwill' },
    { step: 'undo', undoes: 'received' },
  ];
  for (const body of later) {
    const { orderId, id } = await asked();
    expect((await act(orderId, body)).status).toBe(200);
    const answer = await pay(id);
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'Withdrawn' }]);
    expect(await differenceOf(id)).toMatchObject({ status: 'ended', quote: null, newer: null });
  }
});

test('an older link, paid or not, leads to the newer request of its order, until that is withdrawn', async () => {
  for (const isPaid of [false, true]) {
    const { orderId, id } = await asked();
    if (isPaid) await pay(id);
    await act(orderId, { step: 'receive', sizes: [{ width: 108, length: 132 }, economy] });
    const amount = (await stateOf(orderId)).measurement?.due ?? 0;
    await act(orderId, { step: 'ask', measurement: 2, amount });
    const url = (await stateOf(orderId)).request?.url ?? '';
    const newer = { id: url.split('/').at(-1), amount };
    expect(await differenceOf(id)).toMatchObject({ status: isPaid ? 'paid' : 'ended', newer });
    expect(await differenceOf(newer.id ?? '')).toMatchObject({ status: 'open', newer: null });
    await act(orderId, { step: 'withdraw' });
    expect((await differenceOf(id)).newer).toBeNull();
  }
});

test('an id that was never asked for is unknown, although it ends as one of an order with a request', async () => {
  const { id } = await asked();
  const guessed = `${id.startsWith('0') ? '1' : '0'}${id.slice(1)}`;
  expect((await shop.get(`/api/differences/${guessed}`)).status).toBe(404);
  expect((await pay(guessed)).status).toBe(404);
});

test('an order that is refunded in full ends its link, and another amount is not charged', async () => {
  const { orderId, id } = await asked();
  expect((await pay(id, { amount: due - 1 })).status).toBe(409);
  await refundAll(orderId);
  const answer = await pay(id);
  expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'Withdrawn' }]);
  expect((await differenceOf(id)).status).toBe('ended');
});

test('list and page of an order show one refund status of all that the customer paid', async () => {
  for (const isOrderFirst of [true, false]) {
    const { orderId, id } = await asked();
    await pay(id);
    const statuses = async () => {
      await settleNow(shop.world, ownerSql);
      const [row] = await rowsOf(`search=${orderId}`);
      return [row?.refundStatus, (await orderOf(orderId)).refundStatus];
    };
    expect(await statuses()).toEqual(['No Refunds', 'No Refunds']);
    await refundAll(isOrderFirst ? orderId : id);
    await expect.poll(statuses).toEqual(['Partially Refunded', 'Partially Refunded']);
    await refundAll(isOrderFirst ? id : orderId);
    await expect.poll(statuses).toEqual(['Fully Refunded', 'Fully Refunded']);
    expect((await orderOf(id)).refundStatus).toBe('Fully Refunded');
  }
});

test('while the customer pays, nobody measures again; whoever was first wins', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { orderId, id } = await asked();
    const [paidAnswer, measured] = await Promise.all([pay(id), act(orderId, { step: 'receive', sizes: ordered })]);
    const { measurement, supplements } = await stateOf(orderId);
    if (paidAnswer.status === 200) {
      // Measured afterwards, or refused: the money and the measurement agree in both cases.
      expect(supplements).toHaveLength(1);
      expect(measurement?.due).toBe(measured.status === 200 ? -due : 0);
    } else {
      expect(paidAnswer.status).toBe(409);
      expect(measured.status).toBe(200);
      expect(supplements).toEqual([]);
      expect(measurement?.due).toBe(0);
    }
  }
});

test('what is paid in the shop is recorded once, ends the link, and is given back in the shop', async () => {
  const { orderId, id } = await asked();
  const figures = async () => ((await (await owner.get('/api/admin/statistics')).json()) as StatisticsAnswer).total;
  const before = await figures();
  const inShop: IntakeRequest = { step: 'paid', amount: due, method: 'check', reference: 'No. 2210' };
  expect((await act(orderId, { ...inShop, amount: 1 })).status).toBe(409);
  const answers = await Promise.all([act(orderId, inShop), act(orderId, inShop)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const after = await figures();
  expect([after.takings - before.takings, after.net - before.net]).toEqual(
    [due, due].map((sum) => expect.closeTo(sum)),
  );
  expect(await stateOf(orderId)).toMatchObject({
    measurement: { due: 0 },
    request: null,
    supplements: [{ _id: id, amount: due, refundable: due, isPaidInShop: true }],
  });
  expect(await differenceOf(id)).toMatchObject({ status: 'paid', quote: null });
  const { paymentId } = await differenceOf(id);
  // An open page learns that it is paid, and charges nothing.
  expect(await (await pay(id)).json()).toMatchObject({ success: true, paymentId });
  expect(await receiptOf(paymentId)).toMatchObject({ order: { paidInShop: 'check' }, payment: null });
  const refused = await owner.post('/api/admin/refund', {
    ...{ paymentId, refundType: 'full', amount: due, reason: 'Goodwill' },
    idempotencyKey: newKey(),
  });
  expect(await refused.json()).toMatchObject({ code: 'PaidInShop' });

  // The rugs were measured wrongly.
  await act(orderId, { step: 'receive', sizes: ordered });
  expect((await stateOf(orderId)).measurement).toMatchObject({ due: -due, refund: due });
  const events = await appSql<{ type: string; actor: string }[]>`
    select type, actor from ledger.event where stream_id = ${`order-${id}`} order by version`;
  expect(events).toEqual([
    { type: 'OrderPlaced', actor: 'admin:ada' },
    { type: 'CustomerPaid', actor: 'admin:ada' },
  ]);
});

test('no key that a customer chooses keeps a payment in the shop from being recorded', async () => {
  const { orderId, id } = await asked();
  const keys = [`shop-${id}`, id].map((idempotencyKey) => ({ idempotencyKey, token: 'cnon:card-nonce-declined' }));
  for (const request of keys) await pay(id, request);
  expect((await act(orderId, { step: 'paid', amount: due, method: 'cash' })).status).toBe(200);
  expect((await stateOf(orderId)).supplements).toMatchObject([{ _id: id, isPaidInShop: true }]);
});

test('a link that the customer paid is not paid in the shop as well', async () => {
  const { orderId, id } = await asked();
  expect((await pay(id)).status).toBe(200);
  const second = await act(orderId, { step: 'paid', amount: due, method: 'cash' });
  expect(await second.json()).toMatchObject({ code: 'AlreadyPaid' });
  expect((await stateOf(orderId)).supplements).toHaveLength(1);
});
