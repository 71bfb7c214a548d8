import { describe, expect, test } from 'vitest';
import { cents } from '../money.ts';
import type { OrderEvent } from '../order/events.ts';
import {
  authorizedA,
  capturedA,
  completedA,
  declinedA,
  disputeOpenedA,
  disputeWonA,
  externalRefundA,
  failedA,
  feeA,
  orderA,
  orderAPlaced,
  paymentA,
  paymentB,
  refundOfFirstRug,
  startedA,
  submittedA,
  totalA,
} from '../testing/orders.ts';
import { type OrderSummary, project, refundableOf, refundStanding } from './order-summary.ts';

const noon = '2026-11-21T12:00:00.000Z';
const instantOf = (index: number) => noon.replace('12:00:00', `12:00:${String(index).padStart(2, '0')}`);

function rowAfter(...events: readonly OrderEvent[]): OrderSummary | undefined {
  return events
    .map((event, index) => ({ event, version: index + 1, occurredAt: instantOf(index) }))
    .reduce<OrderSummary | undefined>(project, undefined);
}

test('a placed order is unpaid', () => {
  expect(rowAfter(orderAPlaced)).toEqual({
    orderId: orderA,
    version: 1,
    paymentId: undefined,
    squarePaymentId: undefined,
    paymentStatus: 'unpaid',
    deliveryOption: 'pickup',
    rugCount: 2,
    total: totalA,
    captured: 0,
    refundPending: 0,
    refunded: 0,
    fees: 0,
    disputeStatus: 'none',
    pickup: undefined,
    stage: 'waiting',
    supplementOf: undefined,
    supplementId: undefined,
    placedAt: noon,
    paidAt: undefined,
    updatedAt: noon,
  });
});

test('a captured order has the amount, the payment and the time', () => {
  expect(rowAfter(orderAPlaced, startedA, authorizedA, capturedA)).toMatchObject({
    version: 4,
    paymentId: paymentA,
    squarePaymentId: 'square-payment-a',
    paymentStatus: 'paid',
    captured: totalA,
    placedAt: noon,
    paidAt: instantOf(3),
    updatedAt: instantOf(3),
  });
});

test('after a decline the next attempt decides the status', () => {
  const retried = { ...startedA, paymentId: paymentB };
  expect(rowAfter(orderAPlaced, startedA, declinedA)).toMatchObject({ paymentStatus: 'declined', paymentId: paymentA });
  expect(rowAfter(orderAPlaced, startedA, declinedA, retried)).toMatchObject({
    paymentStatus: 'processing',
    paymentId: paymentB,
    squarePaymentId: undefined,
    captured: 0,
  });
});

describe('refunded money', () => {
  const paid = [orderAPlaced, startedA, authorizedA, capturedA] as const;

  test('is pending after the request, and refunded when Square has completed it', () => {
    expect(rowAfter(...paid, refundOfFirstRug)).toMatchObject({ refundPending: 51_600, refunded: 0 });
    expect(rowAfter(...paid, refundOfFirstRug, submittedA)).toMatchObject({ refundPending: 51_600, refunded: 0 });
    expect(rowAfter(...paid, refundOfFirstRug, submittedA, completedA)).toMatchObject({
      refundPending: 0,
      refunded: 51_600,
    });
  });

  test('is neither pending nor refunded after the refund failed', () => {
    expect(rowAfter(...paid, refundOfFirstRug, submittedA, failedA)).toMatchObject({ refundPending: 0, refunded: 0 });
  });

  test('is refunded when it was returned from the Square dashboard', () => {
    expect(rowAfter(...paid, externalRefundA)).toMatchObject({ refundPending: 0, refunded: 1000 });
  });
});

test('fees add up, and returned fees reduce them', () => {
  const givenBack = { ...feeA, amount: cents(-29) } as OrderEvent;
  expect(rowAfter(orderAPlaced, startedA, authorizedA, capturedA, feeA, givenBack)).toMatchObject({ fees: 2200 });
});

test('a dispute is open until it is decided, and then shows its outcome', () => {
  const paid = [orderAPlaced, startedA, authorizedA, capturedA] as const;
  expect(rowAfter(...paid, disputeOpenedA)).toMatchObject({ disputeStatus: 'open' });
  expect(rowAfter(...paid, disputeOpenedA, disputeWonA)).toMatchObject({ disputeStatus: 'won' });
});

test('a stream that does not begin with an order is a bug', () => {
  expect(() => rowAfter(startedA)).toThrow('before any OrderPlaced');
});

test.each([
  { captured: 100, pending: 0, refunded: 0, standing: 'none', left: 100 },
  { captured: 100, pending: 30, refunded: 0, standing: 'pending', left: 70 },
  { captured: 100, pending: 30, refunded: 70, standing: 'pending', left: 0 },
  { captured: 100, pending: 0, refunded: 70, standing: 'partial', left: 30 },
  { captured: 100, pending: 0, refunded: 100, standing: 'full', left: 0 },
  { captured: 0, pending: 0, refunded: 0, standing: 'none', left: 0 },
])('of $captured with $pending on the way back and $refunded given back the standing is $standing', (amounts) => {
  const { captured, pending, refunded, standing, left } = amounts;
  const row = { captured: cents(captured), refundPending: cents(pending), refunded: cents(refunded) };
  expect([refundStanding(row), refundableOf(row)]).toEqual([standing, left]);
});
