import { expect, test } from 'vitest';
import type { OrderEvent } from '../order/events.ts';
import {
  authorizedA,
  capturedA,
  declinedA,
  orderA,
  orderAPlaced,
  paymentA,
  paymentB,
  startedA,
  totalA,
} from '../testing/orders.ts';
import { type OrderSummary, project } from './order-summary.ts';

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
    placedAt: noon,
    paidAt: undefined,
    updatedAt: noon,
  });
});

test('a captured order carries the amount, the payment and when', () => {
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

test('after a decline the next attempt is the one that counts', () => {
  const retried = { ...startedA, paymentId: paymentB };
  expect(rowAfter(orderAPlaced, startedA, declinedA)).toMatchObject({ paymentStatus: 'declined', paymentId: paymentA });
  expect(rowAfter(orderAPlaced, startedA, declinedA, retried)).toMatchObject({
    paymentStatus: 'processing',
    paymentId: paymentB,
    squarePaymentId: undefined,
    captured: 0,
  });
});

test('a stream that does not begin with an order is a bug', () => {
  expect(() => rowAfter(startedA)).toThrow('before any OrderPlaced');
});
