import { cents } from '@kilim/domain/money';
import { type PaymentId, parsePaymentId, type RefundId } from '@kilim/domain/order/ids';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../ledger/contact.ts';
import { testDatabase } from '../testing/postgres.ts';
import { openShop, paid, paymentFor, quoted, type Shop, simulatorIdentity } from '../testing/shop.ts';
import { lastSeconds } from './background-work.ts';
import { findOrderByPayment } from './find-order.ts';
import { reconcile } from './reconcile.ts';
import { requestRefund } from './request-refund.ts';

const { appSql, ownerSql } = await testDatabase();
const shop: Shop = await openShop(appSql);
afterAll(shop.close);
/** Each test looks at its own span of time. */
let begin = new Date();
beforeEach(() => {
  begin = new Date();
});

async function paidOrder(): Promise<PaymentId> {
  const { body } = await paid(shop, paymentFor(await quoted(shop)));
  const paymentId = parsePaymentId(('paymentId' in body && body.paymentId) || '');
  if (paymentId === undefined) throw new Error(`Not paid: ${JSON.stringify(body)}`);
  return paymentId;
}

const sinceBegin = () => ({ ...lastSeconds(new Date(), 0), from: begin.toISOString() });

async function reconciled() {
  const answer = await reconcile(shop.world, sinceBegin());
  if (answer.kind !== 'reconciled') throw new Error(answer.detail);
  return answer.report;
}

async function orderOf(paymentId: PaymentId) {
  const found = await findOrderByPayment(appSql, paymentId);
  if (found === undefined) throw new Error('no order');
  return { ...found.summary, types: found.stream.events.map(({ event }) => event.type) };
}

/** What somebody does at Square without us: in its dashboard, or with another program. */
async function atSquare(path: string, body: object): Promise<Record<string, { id: string }>> {
  const answer = await fetch(`${shop.simulator.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulatorIdentity.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ idempotency_key: crypto.randomUUID(), ...body }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, { id: string }>;
}

const dollars = (amount: number) => ({ amount, currency: 'USD' });
const holdBy = (reference: string | undefined, more: object = {}) =>
  atSquare('/v2/payments', {
    source_id: 'cnon:card-nonce-ok',
    amount_money: dollars(75_822),
    autocomplete: false,
    ...(reference === undefined ? {} : { reference_id: reference }),
    ...more,
  });

test("a paid order agrees, and Square's fee is recorded once", async () => {
  const paymentId = await paidOrder();
  expect(await reconciled()).toMatchObject({
    payments: 1,
    refunds: 0,
    recorded: { ProcessingFeeAssessed: 1 },
    differences: [],
  });
  // 2.9 % of 758.22 and 30 cents.
  expect(await orderOf(paymentId)).toMatchObject({ fees: 2229 });
  expect(await reconciled()).toMatchObject({ payments: 1, recorded: {}, differences: [] });
});

describe('what was done at Square without us', () => {
  test('a refund from the dashboard is recorded once, and is no longer refundable here', async () => {
    const paymentId = await paidOrder();
    const { squarePaymentId } = await orderOf(paymentId);
    await shop.square.change({ refundSettlesAfterMs: 0 });
    await atSquare('/v2/refunds', { payment_id: squarePaymentId, amount_money: dollars(5000), reason: 'By hand' });
    expect(await reconciled()).toMatchObject({ refunds: 1, recorded: { ExternalRefundRecorded: 1 }, differences: [] });
    expect(await orderOf(paymentId)).toMatchObject({ refunded: 5000 });
    expect(await reconciled()).toMatchObject({ recorded: {}, differences: [] });
    const refundId = crypto.randomUUID() as RefundId;
    const tooMuch = {
      paymentId,
      refundId,
      requestHash: sha256(refundId),
      refundType: 'partial',
      amount: cents(75_822),
      reason: 'All of it',
      notes: undefined,
      items: [],
      deliveryMinimum: cents(0),
      requestedBy: 'admin',
      requestId: undefined,
    } as const;
    expect(await requestRefund(shop.world, tooMuch)).toMatchObject({
      rejection: { code: 'ExceedsRefundable', refundable: 70_822 },
    });
  });

  test('a refund that is still pending there is reported, and recorded when it is through', async () => {
    const paymentId = await paidOrder();
    const { squarePaymentId, orderId } = await orderOf(paymentId);
    await shop.square.change({ refundSettlesAfterMs: 1e9 });
    const { refund } = await atSquare('/v2/refunds', { payment_id: squarePaymentId, amount_money: dollars(5000) });
    expect((await reconciled()).differences).toEqual([
      { code: 'ExternalRefundPending', squareId: refund?.id, orderId },
    ]);
    expect(await orderOf(paymentId)).toMatchObject({ refunded: 0 });
    await shop.square.settleRefund(refund?.id ?? '', 'COMPLETED');
    expect(await reconciled()).toMatchObject({ recorded: { ExternalRefundRecorded: 1 }, differences: [] });
  });

  test('a hold for an order that nobody is paying is let go', async () => {
    const { orderId } = await orderOf(await paidOrder());
    await holdBy(orderId);
    expect(await reconciled()).toMatchObject({ released: 1, differences: [] });
    const ofOrder = (await shop.square.payments()).filter(({ payment }) => payment.reference_id === orderId);
    expect(ofOrder.map(({ payment }) => payment.status).toSorted()).toEqual(['CANCELED', 'COMPLETED']);
  });

  test('a second charge of an order is found, and stands in its timeline once', async () => {
    const paymentId = await paidOrder();
    const { orderId } = await orderOf(paymentId);
    const { payment } = await holdBy(orderId, { autocomplete: true });
    const difference = { code: 'OrphanPayment', squareId: payment?.id, orderId };
    expect((await reconciled()).differences).toEqual([difference]);
    expect((await reconciled()).differences).toEqual([difference]);
    const { types } = await orderOf(paymentId);
    expect(types.filter((type) => type === 'OrphanPaymentFound')).toHaveLength(1);
  });

  test('money for an order that is not in the ledger is found once, in a stream of its own', async () => {
    const { payment } = await holdBy('somebody-elses-reference', { autocomplete: true });
    const difference = { code: 'OrphanPayment', squareId: payment?.id };
    expect((await reconciled()).differences).toMatchObject([difference]);
    expect((await reconciled()).differences).toMatchObject([difference]);
    expect(await ownerSql`select type from ledger.event where stream_id = ${`orphan-${payment?.id}`}`).toEqual([
      { type: 'OrphanPaymentFound' },
    ]);
  });

  test("another system's hold at the same location is left alone", async () => {
    await holdBy('somebody-elses-reference');
    await holdBy(undefined);
    expect(await reconciled()).toMatchObject({ released: 0, differences: [] });
  });

  test('a dispute is recorded when it opens and when it is decided, and blocks refunds meanwhile', async () => {
    const paymentId = await paidOrder();
    const { squarePaymentId } = await orderOf(paymentId);
    const disputeId = await shop.square.openDispute(squarePaymentId ?? '', { reason: 'NOT_AS_DESCRIBED' });
    expect(await reconciled()).toMatchObject({ disputes: 1, recorded: { DisputeOpened: 1 } });
    expect(await orderOf(paymentId)).toMatchObject({ disputeStatus: 'open' });
    await shop.square.decideDispute(disputeId, 'WON');
    expect(await reconciled()).toMatchObject({ recorded: { DisputeClosed: 1 } });
    expect(await orderOf(paymentId)).toMatchObject({ disputeStatus: 'won' });
    expect(await reconciled()).toMatchObject({ recorded: {} });
  });
});

describe('what the ledger believes and Square does not', () => {
  test('a capture that Square does not know is reported', async () => {
    const { orderId, squarePaymentId } = await orderOf(await paidOrder());
    await shop.square.reset();
    expect((await reconciled()).differences).toEqual([
      { code: 'CaptureNotAtSquare', squareId: squarePaymentId, orderId },
    ]);
  });
});

test('nothing is concluded from a list that Square did not give whole', async () => {
  await paidOrder();
  shop.simulator.setFault({ kind: 'status', method: 'GET', path: '/v2/refunds', status: 500 });
  expect(await reconcile(shop.world, sinceBegin())).toMatchObject({ kind: 'unknown' });
});
