import { cents } from '@kilim/domain/money';
import type { IdempotencyKey, OrderId, RefundId } from '@kilim/domain/order/ids';
import type { FaultInput } from '@kilim/lab/square/faults';
import { connectSimulator, type SimulatorClient } from '@kilim/lab/square/simulator-client';
import { identity, startTestSimulator } from '@kilim/lab/square/simulator-under-test';
import type { Simulator } from '@kilim/lab/square/start-simulator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RefundCard } from './card-processor.ts';
import { createSquareProcessor, type SquareProcessor } from './square.ts';

const refundId = 'refund-a-00000000000' as RefundId;
const always = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };

let simulator: Simulator;
let square: SquareProcessor;
let oracle: SimulatorClient;

beforeAll(async () => {
  simulator = await startTestSimulator();
  oracle = connectSimulator(simulator.url);
  square = createSquareProcessor({ ...identity, baseUrl: simulator.url, timeoutSeconds: 0.4 });
  await square.warmUp();
}, 20_000);
beforeEach(() => oracle.reset());
afterAll(() => simulator.close());

async function paidAtSquare(order = 'a'): Promise<string> {
  const outcome = await square.authorize({
    idempotencyKey: `attempt-${order.repeat(12)}` as IdempotencyKey,
    cardToken: 'cnon:card-nonce-ok',
    verificationToken: undefined,
    amount: cents(12_500),
    orderId: `01930000-0000-7000-8000-00000000000${order}` as OrderId,
    buyerEmail: 'buyer@example.com',
  });
  if (outcome.kind !== 'authorized') throw new Error(`Not authorized: ${outcome.kind}`);
  await square.complete(outcome.payment.squarePaymentId);
  return outcome.payment.squarePaymentId;
}

async function refundOf(squarePaymentId: string, changed: Partial<RefundCard> = {}) {
  return square.refund({ refundId, squarePaymentId, amount: cents(5000), reason: 'Goodwill', ...changed });
}

describe('refund', () => {
  test('a refund is pending first, with our id as its key and in its reason', async () => {
    const squarePaymentId = await paidAtSquare();
    expect(await refundOf(squarePaymentId)).toMatchObject({
      kind: 'accepted',
      refund: { squarePaymentId, status: 'pending', amount: 5000, currency: 'USD', refundId },
    });
    const [made] = await oracle.refunds();
    expect(made).toMatchObject({ idempotencyKey: refundId, refund: { reason: `Goodwill [${refundId}]` } });
  });

  test('a repeated refund is the same refund', async () => {
    const squarePaymentId = await paidAtSquare();
    const [first, second] = [await refundOf(squarePaymentId), await refundOf(squarePaymentId)];
    expect(second).toEqual(first);
    expect(await oracle.refunds()).toHaveLength(1);
  });

  test("our id survives a reason that exceeds Square's limit", async () => {
    const squarePaymentId = await paidAtSquare();
    const accepted = await refundOf(squarePaymentId, { reason: 'Großes Unglück 🧶 '.repeat(40) });
    expect(accepted).toMatchObject({ kind: 'accepted', refund: { refundId } });
    const [made] = await oracle.refunds();
    expect(made?.refund.reason?.length).toBeLessThanOrEqual(192);
  });

  test("a refund of too much is refused with Square's code", async () => {
    const squarePaymentId = await paidAtSquare();
    expect(await refundOf(squarePaymentId, { amount: cents(12_501) })).toEqual({
      kind: 'refused',
      category: 'REFUND_ERROR',
      code: 'REFUND_AMOUNT_INVALID',
    });
  });

  test.each<[string, FaultInput]>([
    ['hangs', { kind: 'hang-after', path: '/v2/refunds' }],
    ['is cut off', { kind: 'drop-after', path: '/v2/refunds' }],
    ['is an error of Square', { kind: 'status', path: '/v2/refunds', status: 503 }],
    ['is a page of HTML', { kind: 'html', path: '/v2/refunds', status: 200 }],
    ['is empty', { kind: 'empty', path: '/v2/refunds' }],
  ])('the outcome is unknown when the answer %s', async (_how, fault) => {
    const squarePaymentId = await paidAtSquare();
    simulator.setFault(fault);
    expect(await refundOf(squarePaymentId)).toMatchObject({ kind: 'unknown' });
  });
});

describe('getRefund', () => {
  test('getRefund returns the current status', async () => {
    const accepted = await refundOf(await paidAtSquare());
    if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
    const { squareRefundId } = accepted.refund;
    await oracle.settleRefund(squareRefundId, 'REJECTED');
    expect(await square.getRefund(squareRefundId)).toMatchObject({ kind: 'found', refund: { status: 'rejected' } });
  });

  test('an unknown id is not found', async () => {
    expect(await square.getRefund('nobody')).toEqual({ kind: 'not-found' });
  });
});

describe('lists', () => {
  test('the lists hold every payment with its fee, every refund and every dispute', async () => {
    const squarePaymentId = await paidAtSquare();
    await refundOf(squarePaymentId);
    const disputeId = await oracle.openDispute(squarePaymentId, { reason: 'NO_KNOWLEDGE' });
    expect(await square.listPayments(always)).toMatchObject({
      kind: 'listed',
      items: [{ squarePaymentId, status: 'completed', fees: 393, isOnline: true }],
    });
    expect(await square.listRefunds(always)).toMatchObject({ kind: 'listed', items: [{ squarePaymentId, refundId }] });
    expect(await square.listDisputes()).toMatchObject({
      kind: 'listed',
      items: [{ squareDisputeId: disputeId, squarePaymentId, amount: 12_500, outcome: undefined }],
    });
    await oracle.decideDispute(disputeId, 'LOST');
    expect(await square.listDisputes()).toMatchObject({ items: [{ outcome: 'lost' }] });
  });

  test('the lists leave out what changed before the span', async () => {
    await paidAtSquare();
    const later = { from: '2090-01-01T00:00:00Z', to: always.to };
    expect(await square.listPayments(later)).toEqual({ kind: 'listed', items: [], unreadable: [], elsewhere: 0 });
  });

  test('a list is unknown when one of its pages is', async () => {
    await paidAtSquare();
    simulator.setFault({ kind: 'status', method: 'GET', path: '/v2/payments', status: 500 });
    expect(await square.listPayments(always)).toMatchObject({ kind: 'unknown' });
    simulator.setFault({ kind: 'html', method: 'GET', path: '/v2/disputes', status: 200 });
    expect(await square.listDisputes()).toMatchObject({ kind: 'unknown' });
  });

  test('a list is read to its last page, and each page may take as long as a call', async () => {
    const squarePaymentId = await paidAtSquare();
    const answers = Array.from({ length: 20 }, (_, index) =>
      refundOf(squarePaymentId, { refundId: `refund-number-${index + 1000}` as RefundId, amount: cents(1) }),
    );
    await Promise.all(answers);
    for (const order of ['b', 'c', 'd', 'e', 'f']) {
      const other = await paidAtSquare(order);
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          refundOf(other, { refundId: `refund-${order}-number-${index + 1000}` as RefundId, amount: cents(1) }),
        ),
      );
    }
    simulator.setFault({ kind: 'delay', method: 'GET', path: '/v2/refunds', ms: 250, times: 2 });
    const listed = await square.listRefunds(always);
    expect(listed.kind === 'listed' && new Set(listed.items.map(({ squareRefundId }) => squareRefundId)).size).toBe(
      120,
    );
  });
});
