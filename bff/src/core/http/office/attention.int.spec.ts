import { ada, makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { isHostile } from '@kilim/lab/testing/only-ours';
import { patience } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, sendPayment, twoRugs } from '@kilim/lab/testing/shop';
import { settleNow } from '@kilim/lab/testing/work-now';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AttentionAnswer } from '../../../../contract/attention.ts';
import type { OrderDetailAnswer } from '../../../../contract/orders.ts';
import type { StatisticsAnswer } from '../../../../contract/statistics.ts';
import type { TodayAnswer } from '../../../../contract/today.ts';
import { rememberVerification } from '../../../proof/remember-verification.ts';
import { lastSeconds } from '../../background/background-work.ts';
import { reconcile } from '../../background/reconcile.ts';

const horizon = { epoch: 1, xid: '3' };
const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const clara = { username: 'clara', password: 'quartz meadow lantern 41' };
await makePerson(appSql, clara, 'clerk');
const [owner, clerk] = [openBrowser(shop, ada), openBrowser(shop, clara)];
beforeAll(async () => void (await Promise.all([owner.signIn(), clerk.signIn()])));
// The list has every point of the shop.
beforeEach(async () => {
  await shop.square.clearFaults();
  await rememberVerification(ownerSql, { horizon, events: 1, checkpoints: 1, signaturesChecked: true, faults: [] });
});

async function items(person = owner): Promise<AttentionAnswer['items']> {
  const answer = await person.get('/api/admin/attention');
  expect(answer.status).toBe(200);
  return ((await answer.json()) as AttentionAnswer).items;
}

/** With Square's id of its payment. */
async function placed(token = 'cnon:card-nonce-ok') {
  const quote = await quoted(shop, twoRugs);
  await paid(shop, paymentFor(quote, { token, orderDetails: { ...twoRugs, orderId: quote.orderId } }));
  const { order } = (await (await owner.get(`/api/admin/orders/${quote.orderId}`)).json()) as OrderDetailAnswer;
  return { orderId: quote.orderId, paymentId: order.paymentId, squarePaymentId: order.payment?.squarePaymentId ?? '' };
}

function refund(paymentId: string | null, amount = 80) {
  const idempotencyKey = crypto.randomUUID();
  return owner.post('/api/admin/refund', {
    ...{ paymentId, amount, reason: 'Goodwill', refundType: 'partial', idempotencyKey },
  });
}

test('a quiet shop needs nobody', async () => {
  await placed();
  expect(await items()).toEqual([]);
});

test('a payment that may be fraud waits until somebody has looked at it', async () => {
  const { orderId, paymentId } = await placed(`cnon:sim-risky-${crypto.randomUUID().replaceAll('-', '')}`);
  const expected = [expect.objectContaining({ kind: 'payment-risky', id: paymentId, orderId, amount: 758.22 })];
  expect(await items()).toEqual(expected);
  expect(await items(clerk)).toEqual(expected);
  const { timeline } = (await (await owner.get(`/api/admin/orders/${orderId}`)).json()) as OrderDetailAnswer;
  expect(JSON.stringify(timeline)).toContain('Risk of fraud, says Square: high');
  await clerk.post(`/api/admin/orders/${orderId}/notes`, { text: 'Called: all is well.' });
  expect(await items()).toEqual([]);

  const other = await placed(`cnon:sim-risky-${crypto.randomUUID().replaceAll('-', '')}`);
  expect(await items()).toHaveLength(1);
  await refund(other.paymentId, 758.22);
  await settleNow(shop.world, ownerSql);
  expect(await items()).toEqual([]);
});

test('a failed refund waits until somebody explains it', async () => {
  const { orderId, paymentId } = await placed(`cnon:sim-refund-fails-${crypto.randomUUID().replaceAll('-', '')}`);
  await refund(paymentId);
  const settled = async () => {
    await settleNow(shop.world, ownerSql);
    return await items(clerk);
  };
  await expect
    .poll(settled, patience)
    .toEqual([expect.objectContaining({ kind: 'refund-failed', orderId, amount: 80, dueAt: null })]);
  const [item] = await items();
  const explain = async () =>
    await owner.post('/api/admin/books/differences/explain', {
      ...{ code: 'RefundFailed', squareId: item?.id, reason: 'AgreedWithCustomer' },
    });
  expect((await explain()).status).toBe(204);
  expect(await items()).toEqual([]);
  expect((await owner.post('/api/admin/books/resolutions/1/undo', {})).status).toBe(204);
  expect(await items()).toEqual([item]);
  await explain();
  expect(await items()).toEqual([]);
});

test('a dispute shows the deadline for evidence and takes its money, until it is won', async () => {
  const { orderId, squarePaymentId } = await placed();
  const follow = () => reconcile(shop.world, lastSeconds(new Date(), 24 * 60 * 60));
  const left = async () => ((await (await owner.get('/api/admin/statistics')).json()) as StatisticsAnswer).total.net;
  // The fees.
  await follow();
  const before = await left();
  const disputeId = await shop.square.openDispute(squarePaymentId);
  await follow();
  expect(await left()).toBeCloseTo(before - 758.22);
  const [item, ...others] = await items();
  expect(item).toMatchObject({ kind: 'dispute-open', id: disputeId, orderId, amount: 758.22 });
  if (!isHostile) expect(item?.dueAt).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(others).toEqual([]);
  await shop.square.decideDispute(disputeId, 'WON');
  await follow();
  expect(await left()).toBeCloseTo(before);
  expect(await items()).toEqual([]);
});

test('an order whose money the bank has given back is no work of the day', async () => {
  const { orderId, squarePaymentId } = await placed();
  const listed = async () => {
    const { toCall, due } = (await (await owner.get('/api/admin/today')).json()) as TodayAnswer;
    return [toCall, due].map(({ rows }) => rows.some(({ _id }) => _id === orderId));
  };
  expect(await listed()).toEqual([true, true]);
  await shop.square.decideDispute(await shop.square.openDispute(squarePaymentId), 'LOST');
  await reconcile(shop.world, lastSeconds(new Date(), 24 * 60 * 60));
  expect(await listed()).toEqual([false, false]);
});

test('a parked refund is asked for again, and made once', async () => {
  const { orderId, paymentId, squarePaymentId } = await placed();
  shop.simulator.setFault({ kind: 'drop-after', path: '/v2/refunds', times: 2 });
  await refund(paymentId);
  await ownerSql`update ledger.effect set state = 'parked' where order_id = ${orderId}::uuid and state = 'open'`;
  const [item] = await items(clerk);
  expect(item).toMatchObject({ kind: 'work-parked', orderId });
  const tried = await clerk.post('/api/admin/attention/retry', { id: item?.id });
  expect(await tried.json()).toEqual({ status: 'settled' });
  expect(await items()).toEqual([]);
  const atSquare = (await shop.square.refunds()).filter(({ refund: made }) => made.payment_id === squarePaymentId);
  expect(atSquare).toHaveLength(1);
  expect((await clerk.post('/api/admin/attention/retry', { id: item?.id })).status).toBe(404);
});

test('a parked payment is looked up, and given up when Square has none', async () => {
  const quote = await quoted(shop, twoRugs);
  shop.simulator.setFault({ kind: 'drop-before', path: '/v2/payments', times: 3 });
  await sendPayment(shop, paymentFor(quote, { orderDetails: { ...twoRugs, orderId: quote.orderId } }));
  await shop.square.clearFaults();
  await ownerSql`update ledger.effect set state = 'parked' where order_id = ${quote.orderId}::uuid`;
  const [item] = await items();
  expect(item).toMatchObject({ kind: 'work-parked', orderId: quote.orderId });
  expect(await (await owner.post('/api/admin/attention/retry', { id: item?.id })).json()).toEqual({
    status: 'settled',
  });
  expect(await items()).toEqual([]);
});

/** As if what is open had been so for longer than the shop is not told. */
const minutesLater = () => ownerSql`update ledger.effect set opened_at = opened_at - interval '3 minutes'`;

test('a payment in a state that nobody knows is told with Square’s word, and the customer hears that the shop knows', async () => {
  const quote = await quoted(shop, twoRugs);
  const payment = paymentFor(quote, { orderDetails: { ...twoRugs, orderId: quote.orderId } });
  await shop.square.setFault({ kind: 'say-status', path: '/v2/payments', times: 100, word: 'IN_REVIEW' });
  await shop.square.setFault({
    kind: 'say-status',
    method: 'GET',
    path: '/v2/payments',
    times: 100,
    word: 'IN_REVIEW',
  });
  expect((await sendPayment(shop, payment)).status).toBe(202);
  const attempt = async () => await (await shop.get(`/api/payment-attempts/${payment.idempotencyKey}`)).json();
  await settleNow(shop.world, ownerSql);
  expect(await items()).toEqual([]);
  expect(await attempt()).toMatchObject({ status: 'pending', message: '' });
  await minutesLater();
  expect(await items(clerk)).toEqual([
    expect.objectContaining({ kind: 'payment-unknown', orderId: quote.orderId, detail: 'Square says: IN_REVIEW.' }),
  ]);
  expect(await attempt()).toMatchObject({ status: 'pending', message: expect.stringContaining('We know about it') });
  await shop.square.clearFaults();
  await settleNow(shop.world, ownerSql);
  expect(await items()).toEqual([]);
  expect(await attempt()).toMatchObject({ status: 'captured' });
});

test.each(['/v2/refunds', '/v2/refunds/*'])('so is a refund in such a state (%s)', async (path) => {
  const { orderId, paymentId } = await placed();
  await shop.square.setFault({ kind: 'refund-status', to: 'PENDING' });
  const method = path.endsWith('*') ? 'GET' : 'POST';
  await shop.square.setFault({ kind: 'say-status', method, path, times: 100, word: 'CANCELED' });
  await refund(paymentId);
  const ofOrder = async () => (await items(clerk)).filter((item) => item.orderId === orderId);
  await settleNow(shop.world, ownerSql);
  expect(await ofOrder()).toEqual([]);
  await minutesLater();
  expect(await ofOrder()).toEqual([
    expect.objectContaining({ kind: 'refund-unknown', amount: 80, detail: 'Square says: CANCELED.' }),
  ]);
  await shop.square.clearFaults();
  await settleNow(shop.world, ownerSql);
  expect(await items()).toEqual([]);
});

test('a part that cannot be read does not hide the others, and is told', async () => {
  const { paymentId } = await placed(`cnon:sim-refund-fails-${crypto.randomUUID().replaceAll('-', '')}`);
  await refund(paymentId);
  const kinds = async () => {
    await settleNow(shop.world, ownerSql);
    return (await items()).map(({ kind }) => kind);
  };
  await expect.poll(kinds, patience).toEqual(['refund-failed']);
  await ownerSql`alter table ledger.finding rename to gone`;
  const found = await kinds();
  await ownerSql`alter table ledger.gone rename to finding`;
  expect(found).toEqual(['refund-failed', 'list-incomplete']);
  const [item] = await items();
  await owner.post('/api/admin/books/differences/explain', {
    ...{ code: 'RefundFailed', squareId: item?.id, reason: 'AgreedWithCustomer' },
  });
  expect(await items()).toEqual([]);
});

test('books that differ are shown to people who may see the books', async () => {
  await rememberVerification(ownerSql, {
    horizon,
    events: 9,
    checkpoints: 1,
    signaturesChecked: true,
    faults: ['One', 'Two'],
  });
  expect(await items()).toEqual([
    expect.objectContaining({ kind: 'verification-faults', orderId: null, detail: '2 faults.' }),
  ]);
  expect(await items(clerk)).toEqual([]);
});
