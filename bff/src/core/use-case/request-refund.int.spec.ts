import { cents, parseDollars, sumCents } from '@kilim/domain/money';
import { type PaymentId, parsePaymentId, type RefundId } from '@kilim/domain/order/ids';
import { expectInvariants } from '@kilim/lab/testing/invariants';
import { until } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, type Shop } from '@kilim/lab/testing/shop';
import { settleNow } from '@kilim/lab/testing/work-now';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../ledger/hash.ts';
import { findOrderByPayment } from '../queries/find-order.ts';
import { refundStateOf } from './drive-refund.ts';
import { type RequestRefund, requestRefund } from './request-refund.ts';

const { appSql, ownerSql } = await testDatabase();
const shop: Shop = await openShop(appSql);
afterAll(shop.close);
beforeEach(async () => {
  await shop.square.clearFaults();
  await shop.square.change({ refundSettlesAfterMs: 1e9 });
});

const total = cents(75_822);

async function paidOrder(more: Parameters<typeof paymentFor>[1] = {}): Promise<PaymentId> {
  const body = await paid(shop, paymentFor(await quoted(shop), more));
  const paymentId = parsePaymentId(body.paymentId);
  if (paymentId === undefined) throw new Error(`Not paid: ${JSON.stringify(body)}`);
  return paymentId;
}

function refundOf(paymentId: PaymentId, amount: number, more: Partial<RequestRefund> = {}): RequestRefund {
  const refundId = crypto.randomUUID() as RefundId;
  return {
    paymentId,
    refundId,
    requestHash: sha256(`${refundId} ${amount}`),
    refundType: 'partial',
    amount: cents(amount),
    reason: 'Goodwill',
    notes: undefined,
    items: [],
    deliveryMinimum: cents(0),
    requestedBy: 'admin',
    role: 'owner',
    timeZone: 'America/Los_Angeles',
    requestId: undefined,
    ...more,
  };
}

async function settleUntilQuiet(): Promise<void> {
  await until('no effect is open', async () => {
    // Square decides now, and not after a while.
    for (const { refund } of await shop.square.refunds()) {
      if (refund.status === 'PENDING') await shop.square.settleRefund(refund.id, 'COMPLETED');
    }
    await settleNow(shop.world, ownerSql);
    return (await ownerSql`select from ledger.effect where state = 'open'`).length === 0;
  });
}

async function stateOf(paymentId: PaymentId) {
  const found = await findOrderByPayment(appSql, paymentId);
  if (found === undefined) throw new Error('no order');
  return { state: refundStateOf(found.stream), summary: found.summary };
}

async function refundsAtSquare(paymentId: PaymentId) {
  const { summary } = await stateOf(paymentId);
  const refunds = await shop.square.refunds();
  return refunds.filter(({ refund }) => refund.payment_id === summary.squarePaymentId).map(({ refund }) => refund);
}

describe('a refund', () => {
  test('is reserved first, pending while Square works on it, and then completed', async () => {
    const paymentId = await paidOrder();
    const asked = await requestRefund(shop.world, refundOf(paymentId, 10_000));
    expect(asked).toMatchObject({ kind: 'refund', row: { status: 'pending', amount: 10_000 } });
    expect((await stateOf(paymentId)).summary).toMatchObject({ refundPending: 10_000, refunded: 0 });
    await settleUntilQuiet();
    expect((await stateOf(paymentId)).summary).toMatchObject({ refundPending: 0, refunded: 10_000 });
    await expectInvariants(ownerSql, shop.square);
  });

  test('that Square decides at once is completed at once', async () => {
    await shop.square.change({ refundSettlesAfterMs: 0 });
    const asked = await requestRefund(shop.world, refundOf(await paidOrder(), total, { refundType: 'full' }));
    expect(asked).toMatchObject({ kind: 'refund', row: { status: 'completed', amount: total, refundType: 'full' } });
    await expectInvariants(ownerSql, shop.square);
  });

  test('that fails later is refundable again, and the page says so before the next click', async () => {
    const paymentId = await paidOrder();
    shop.simulator.setFault({ kind: 'refund-status', to: 'PENDING' });
    const asked = await requestRefund(shop.world, refundOf(paymentId, 10_000));
    const [atSquare] = await refundsAtSquare(paymentId);
    await shop.square.settleRefund(atSquare?.id ?? '', 'FAILED');
    await settleUntilQuiet();
    const { summary, state } = await stateOf(paymentId);
    expect(summary).toMatchObject({ refundPending: 0, refunded: 0 });
    expect([...state.refunds.values()].map(({ status, failure }) => [status, failure?.code])).toEqual([
      ['failed', 'FAILED'],
    ]);
    expect(await requestRefund(shop.world, refundOf(paymentId, 1))).toMatchObject({
      kind: 'rejected',
      rejection: { code: 'EarlierRefundFailed', refundId: asked.kind === 'refund' ? asked.row.refundId : '' },
      refundable: total,
    });
    await expectInvariants(ownerSql, shop.square);
  });

  test('that Square refuses is failed, and its amount can be refunded again', async () => {
    await shop.square.change({ refundSettlesAfterMs: 0 });
    const paymentId = await paidOrder();
    const refusal = { status: 400, category: 'REFUND_ERROR', code: 'REFUND_DECLINED' } as const;
    shop.simulator.setFault({ kind: 'status', path: '/v2/refunds', ...refusal });
    expect(await requestRefund(shop.world, refundOf(paymentId, 10_000))).toMatchObject({
      kind: 'refund',
      row: { status: 'failed', failureCode: 'REFUND_DECLINED' },
    });
    expect(await requestRefund(shop.world, refundOf(paymentId, 10_000))).toMatchObject({
      kind: 'refund',
      row: { status: 'completed' },
    });
    await expectInvariants(ownerSql, shop.square);
  });

  test('that is requested twice is one refund, and another request under its id is refused', async () => {
    const paymentId = await paidOrder();
    const once = refundOf(paymentId, 10_000);
    const answers = await Promise.all([requestRefund(shop.world, once), requestRefund(shop.world, once)]);
    expect(answers.map(({ kind }) => kind)).toEqual(['refund', 'refund']);
    expect(await refundsAtSquare(paymentId)).toHaveLength(1);
    const other = { ...once, amount: cents(20_000), requestHash: sha256('another') };
    expect(await requestRefund(shop.world, other)).toMatchObject({
      kind: 'rejected',
      rejection: { code: 'KeyReused' },
    });
    const elsewhere = { ...once, paymentId: await paidOrder() };
    expect(await requestRefund(shop.world, elsewhere)).toMatchObject({
      kind: 'rejected',
      rejection: { code: 'KeyReused' },
    });
    await settleUntilQuiet();
    await expectInvariants(ownerSql, shop.square);
  });
});

test('of sixteen concurrent refunds gives back no cent too much, and each loser learns the remaining amount', async () => {
  const paymentId = await paidOrder();
  const asked = await Promise.all(
    Array.from({ length: 16 }, () => requestRefund(shop.world, refundOf(paymentId, 10_000))),
  );
  const won = asked.filter(({ kind }) => kind === 'refund');
  const lost = asked.filter((answer) => answer.kind === 'rejected');
  expect(won).toHaveLength(7);
  expect(lost.map(({ rejection, refundable }) => [rejection.code, refundable])).toEqual(
    Array(9).fill(['ExceedsRefundable', 5822]),
  );
  await settleUntilQuiet();
  const atSquare = await refundsAtSquare(paymentId);
  expect(sumCents(atSquare.map(({ amount_money }) => cents(amount_money.amount)))).toBe(70_000);
  await expectInvariants(ownerSql, shop.square);
});

describe("while Square's answer is unknown", () => {
  test.each(['hang-before', 'hang-after', 'drop-before', 'drop-after', 'truncate'] as const)(
    'the refund is pending, and in the end given back once and recorded once: %s',
    async (kind) => {
      const paymentId = await paidOrder();
      shop.simulator.setFault({ kind, path: '/v2/refunds', times: 2 });
      const asked = await requestRefund(shop.world, refundOf(paymentId, 10_000));
      expect(asked).toMatchObject({ kind: 'refund', row: { status: 'pending' } });
      expect((await stateOf(paymentId)).summary).toMatchObject({ refundPending: 10_000 });
      await settleUntilQuiet();
      expect(await refundsAtSquare(paymentId)).toHaveLength(1);
      expect((await stateOf(paymentId)).summary).toMatchObject({ refundPending: 0, refunded: 10_000 });
      await expectInvariants(ownerSql, shop.square);
    },
  );

  test('a refund that Square made and then refuses as too much is found by its id', async () => {
    const paymentId = await paidOrder();
    shop.simulator.setFault({ kind: 'drop-after', path: '/v2/refunds' });
    const refusal = { status: 400, category: 'REFUND_ERROR', code: 'REFUND_AMOUNT_INVALID' } as const;
    shop.simulator.setFault({ kind: 'status', path: '/v2/refunds', ...refusal });
    const asked = await requestRefund(shop.world, refundOf(paymentId, total, { refundType: 'full' }));
    expect(asked).toMatchObject({ kind: 'refund', row: { status: 'pending' } });
    await settleUntilQuiet();
    expect((await stateOf(paymentId)).summary).toMatchObject({ refundPending: 0, refunded: total });
    await expectInvariants(ownerSql, shop.square);
  });
});

test('a refund of long ago is looked up before it is asked for again, because Square forgets keys', async () => {
  await shop.square.change({ refundSettlesAfterMs: 0 });
  const paymentId = await paidOrder();
  shop.simulator.setFault({ kind: 'drop-after', path: '/v2/refunds', times: 2 });
  expect(await requestRefund(shop.world, refundOf(paymentId, 5000))).toMatchObject({ row: { status: 'pending' } });
  // As after a recovery, under another key for Square.
  const later = new Date(Date.now() + 2 * 60 * 60_000);
  const { card } = shop.world;
  const refund: typeof card.refund = (terms) => card.refund({ ...terms, refundId: crypto.randomUUID() as RefundId });
  await settleNow({ ...shop.world, now: () => later, card: { ...card, refund } }, ownerSql);
  expect(await refundsAtSquare(paymentId)).toHaveLength(1);
  expect((await stateOf(paymentId)).summary).toMatchObject({ refundPending: 0, refunded: 5000 });
});

test('an unknown payment cannot be refunded', async () => {
  const unknown = 'f'.repeat(32) as PaymentId;
  expect(await requestRefund(shop.world, refundOf(unknown, parseDollars('1') ?? 0))).toEqual({
    kind: 'rejected',
    rejection: { code: 'UnknownPayment' },
    refundable: undefined,
  });
});
