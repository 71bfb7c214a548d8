import { cents } from '@kilim/domain/money';
import type { OrderEvent, RefundRequested } from '@kilim/domain/order/events';
import type { RefundId } from '@kilim/domain/order/ids';
import {
  authorizedA,
  capturedA,
  declinedA,
  orderAPlaced,
  paymentA,
  paymentB,
  startedA,
} from '@kilim/domain/testing/orders';
import { expect, test } from 'vitest';
import { paymentAnswer, refundsAnswer } from './receipt-facts.ts';

const refundA = 'refund-a-00000000' as RefundId;
const refundB = 'refund-b-00000000' as RefundId;
const nothing = {
  services: cents(0),
  addOns: cents(0),
  delivery: cents(0),
  deliveryMinimum: cents(0),
  salesTax: cents(0),
};

const captured = [orderAPlaced, startedA, authorizedA, capturedA] as const;

const requestedA: RefundRequested = {
  type: 'RefundRequested',
  refundId: refundA,
  paymentId: paymentA,
  refundType: 'partial',
  amount: cents(5_000),
  reason: 'A stain that stayed',
  notes: 'Called twice, very upset',
  items: [],
  charges: [],
  deliveryMinimum: cents(0),
  allocation: { rugs: [], deliveryMinimum: cents(0) },
  split: nothing,
  requestedBy: 'admin',
};

function stream(...events: readonly OrderEvent[]) {
  return events.map((event, index) => ({ event, version: index + 1, occurredAt: `2026-11-21T12:00:0${index}.000Z` }));
}

test('a payment and its card are shown once it is captured, not before', () => {
  expect(paymentAnswer(stream(orderAPlaced, startedA, authorizedA))).toBeNull();
  expect(paymentAnswer(stream(orderAPlaced, startedA, authorizedA, capturedA))).toEqual({
    amount: 75_822,
    cardBrand: 'VISA',
    cardLastFour: '1111',
    receiptUrl: 'https://square.example/receipt/a',
    receiptNumber: 'aaaa',
    capturedAt: '2026-11-21T12:00:02.000Z',
  });
});

test('the shown card is the one that paid, not one that was declined earlier', () => {
  const retried = { ...startedA, paymentId: paymentB };
  const held = { ...authorizedA, paymentId: paymentB, cardBrand: 'MASTERCARD', cardLastFour: '5100' };
  const taken = { ...capturedA, paymentId: paymentB };
  const events = stream(orderAPlaced, startedA, authorizedA, declinedA, retried, held, taken);
  expect(paymentAnswer(events)).toMatchObject({ cardBrand: 'MASTERCARD', cardLastFour: '5100' });
});

test('a refund is pending from its request until it completes or fails', () => {
  const asked = { amount: 5_000, refundType: 'partial', createdAt: '2026-11-21T12:00:04.000Z' };
  const submitted: OrderEvent = { type: 'RefundSubmitted', refundId: refundA, squareRefundId: 'square-refund-a' };
  expect(refundsAnswer(stream(...captured))).toEqual([]);
  expect(refundsAnswer(stream(...captured, requestedA, submitted))).toEqual([{ ...asked, status: 'pending' }]);
  expect(
    refundsAnswer(
      stream(...captured, requestedA, submitted, {
        type: 'RefundCompleted',
        refundId: refundA,
        squareRefundId: 'square-refund-a',
        amount: cents(5_000),
        completedAt: '2026-11-21T12:00:06.000Z',
      }),
    ),
  ).toEqual([{ ...asked, status: 'completed' }]);
  const failed: OrderEvent = { type: 'RefundFailed', refundId: refundA, amount: cents(5_000), code: 'FAILED' };
  const requestedB = { ...requestedA, refundId: refundB, refundType: 'full' as const };
  expect(refundsAnswer(stream(...captured, requestedA, failed, requestedB))).toMatchObject([
    { status: 'failed', refundType: 'partial' },
    { status: 'pending', refundType: 'full' },
  ]);
});

test('a refund made in Square’s dashboard is shown like any other', () => {
  const external: OrderEvent = {
    type: 'ExternalRefundRecorded',
    paymentId: paymentA,
    squareRefundId: 'square-refund-x',
    amount: cents(1_000),
    allocation: { rugs: [], deliveryMinimum: cents(0) },
    split: nothing,
    refundedAt: '2026-11-22T09:00:00.000Z',
  };
  expect(refundsAnswer(stream(...captured, external))).toEqual([
    { amount: 1_000, status: 'completed', refundType: 'partial', createdAt: '2026-11-22T09:00:00.000Z' },
  ]);
  const all = { ...external, amount: capturedA.amount };
  expect(refundsAnswer(stream(...captured, all))).toMatchObject([{ refundType: 'full' }]);
});

test('a second charge is shown as pending return until Square has returned all of it', () => {
  const found: OrderEvent = {
    type: 'OrphanPaymentFound',
    squarePaymentId: 'square-second',
    amount: cents(5_000),
    takenAt: '2026-11-21T12:30:00.000Z',
  };
  const back: OrderEvent = {
    type: 'OrphanPaymentReturned',
    squarePaymentId: 'square-second',
    squareRefundId: 'square-second_refund',
    amount: cents(5_000),
    returnedAt: '2026-11-21T12:45:00.000Z',
  };
  const told = { amount: 5_000, refundType: 'second-charge', createdAt: '2026-11-21T12:30:00.000Z' };
  expect(refundsAnswer(stream(orderAPlaced, found))).toEqual([{ ...told, status: 'pending' }]);
  expect(refundsAnswer(stream(orderAPlaced, found, back))).toEqual([{ ...told, status: 'completed' }]);
});

test('the receipt contains neither reason, notes nor the name of the admin', () => {
  const text = JSON.stringify(refundsAnswer(stream(orderAPlaced, requestedA)));
  for (const secret of [requestedA.reason, 'upset', 'admin']) expect(text).not.toContain(secret);
});
