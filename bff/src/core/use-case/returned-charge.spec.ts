import type { OrderEvent } from '@kilim/domain/order/events';
import {
  authorizedA,
  capturedA,
  declinedA,
  keyB,
  orderA,
  orderAPlaced,
  orphanA,
  orphanReturnedA,
  paymentA,
  paymentB,
  startedA,
  voidedA,
} from '@kilim/domain/testing/orders';
import { expect, test } from 'vitest';
import { chargeOf } from './returned-charge.ts';

const startedB = { ...startedA, paymentId: paymentB, idempotencyKey: keyB };
const voidedB = { ...voidedA, paymentId: paymentB } as OrderEvent;
const chargeOfHoldA = { ...orphanA, squarePaymentId: authorizedA.squarePaymentId } as OrderEvent;
const later = { charge: { amount: 5000, isReturned: false } };

function charge(paymentId: typeof paymentA, ...events: readonly OrderEvent[]) {
  const occurredAt = '2026-11-22T10:00:00.000Z';
  const stream = events.map((event, index) => ({ event, version: index + 1, occurredAt }));
  return chargeOf({ orderId: orderA, version: events.length, events: stream }, paymentId);
}

test.each([
  ['was voided', voidedA],
  ['was declined', declinedA],
])('an attempt that %s is charged by an orphan payment that was found after it', (_how, end) => {
  expect(charge(paymentA, orderAPlaced, startedA, end)).toEqual({});
  expect(charge(paymentA, orderAPlaced, startedA, end, orphanA)).toEqual(later);
  expect(charge(paymentA, orderAPlaced, startedA, end, orphanA, orphanReturnedA)).toEqual({
    charge: { amount: 5000, isReturned: true },
  });
});

test('a charge that was found before the attempt ended belongs to an earlier attempt', () => {
  const events = [orderAPlaced, startedA, voidedA, orphanA, startedB, voidedB];
  expect(charge(paymentA, ...events)).toEqual(later);
  expect(charge(paymentB, ...events)).toEqual({});
});

test('a charge of one attempt is not shown for another attempt', () => {
  const events = [orderAPlaced, startedA, authorizedA, voidedA, startedB, voidedB, chargeOfHoldA];
  expect(charge(paymentA, ...events)).toEqual(later);
  expect(charge(paymentB, ...events)).toEqual({});
});

test('of several charges, the charge of the own hold is shown', () => {
  const other = { ...orphanA, amount: capturedA.amount } as OrderEvent;
  expect(charge(paymentA, orderAPlaced, startedA, authorizedA, voidedA, chargeOfHoldA, other)).toEqual(later);
});
