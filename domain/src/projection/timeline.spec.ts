import { expect, test } from 'vitest';
import type { Day } from '../day.ts';
import { cents } from '../money.ts';
import type { OrderEvent } from '../order/events.ts';
import { everyEvent } from '../testing/every-event.ts';
import {
  authorizedA,
  capturedA,
  completedA,
  contactErasedA,
  declinedA,
  disputeOpenedA,
  disputeWonA,
  excessRefundA,
  externalRefundA,
  failedA,
  feeA,
  orderAPlaced,
  orphanA,
  orphanReturnedA,
  refundOfFirstRug,
  startedA,
  submittedA,
  voidedA,
} from '../testing/orders.ts';
import * as tested from './timeline.ts';

const noon = '2026-11-21T12:00:00.000Z';
/** In Los Angeles a day of UTC begins in the evening before. */
const dayOf = (instant: string) => (instant === disputeOpenedA.dueAt ? '2026-11-30' : instant.slice(0, 10)) as Day;
const entryOf = (event: OrderEvent) => tested.entryOf(event, dayOf);

test('every event of an order has a text in plain words, and the amount that it moved', () => {
  const told = [
    orderAPlaced,
    startedA,
    declinedA,
    voidedA,
    authorizedA,
    capturedA,
    feeA,
    refundOfFirstRug,
    submittedA,
    completedA,
    failedA,
    externalRefundA,
    excessRefundA,
    disputeOpenedA,
    disputeWonA,
    orphanA,
    orphanReturnedA,
    contactErasedA,
  ].map((event) => {
    const { what, amount, tone } = entryOf(event);
    return [what, amount, tone];
  });
  expect(told).toEqual([
    ['Order placed for $758.22', undefined, 'plain'],
    ['Payment of $758.22 started', undefined, 'plain'],
    ['Card declined', undefined, 'warning'],
    ['Payment cancelled', undefined, 'warning'],
    ['Visa ending in 1111 holds the money', undefined, 'plain'],
    ['Payment of $758.22 taken', 75_822, 'money'],
    ['Square kept a fee of $22.29', -2229, 'plain'],
    ['Partial refund of $516.00 requested', undefined, 'warning'],
    ['Square took the refund on', undefined, 'plain'],
    ['Refund of $516.00 completed', -51_600, 'money'],
    ['Refund of $516.00 failed', undefined, 'bad'],
    ['Refund of $10.00 found that was made in the Square dashboard', -1000, 'bad'],
    ['Square gave back $25.00 more than this order had left to refund', -2500, 'bad'],
    ['The customer’s bank disputes $758.22', -75_822, 'bad'],
    ['The dispute was won: $758.22 stays with the business', 75_822, 'good'],
    ['Square took $50.00 that this order does not need', 5000, 'bad'],
    ['$50.00 that this order did not need went back to the customer', -5000, 'good'],
    ['The customer’s contact details were erased', undefined, 'plain'],
  ]);
});

test('a refund shows its reason, its rugs and its notes', () => {
  expect(entryOf({ ...refundOfFirstRug, notes: 'Spoke with Ada on the phone' }).detail).toBe(
    'Damaged in the wash. Rug #1 $516.00. Notes: Spoke with Ada on the phone',
  );
});

test('codes of Square are shown as words', () => {
  expect(entryOf(declinedA).detail).toBe('Generic decline. Nothing was charged');
  expect(entryOf(disputeOpenedA).detail).toBe(
    'Not as described. Answer in the Square dashboard by November 30, 2026. No refunds until it is decided',
  );
  expect(entryOf({ ...authorizedA, cardBrand: 'AMERICAN_EXPRESS' }).what).toBe(
    'American Express ending in 1111 holds the money',
  );
});

test.each([
  ['NO_KNOWLEDGE', 'The customer does not recognize this payment.'],
  ['EMV_LIABILITY_SHIFT', 'The chip of the card was not used.'],
  ['NEW_REASON', 'New reason.'],
])('a dispute for %s tells its reason in plain words', (reason, told) => {
  expect(entryOf({ ...disputeOpenedA, reason }).detail).toContain(told);
});

test('a returned fee is money in', () => {
  const back: OrderEvent = { ...feeA, amount: cents(-500) } as OrderEvent;
  expect(entryOf(back)).toMatchObject({ what: 'Square gave back $5.00 of its fee', amount: 500 });
});

test('a dispute that was lost moves no money a second time', () => {
  const lost: OrderEvent = { ...disputeWonA, outcome: 'lost' } as OrderEvent;
  expect(entryOf(lost)).toMatchObject({ amount: undefined, tone: 'bad' });
});

test.each([
  ['customer', 'Customer'],
  ['settle-worker', 'Automatic'],
  ['reconciliation', 'Automatic'],
  ['admin:ada', 'ada'],
  ['admin:ada:lovelace', 'ada:lovelace'],
])('what %s did was done by %s', (actor, who) => {
  expect(tested.timeline([{ event: startedA, version: 2, occurredAt: noon, actor }], dayOf)).toMatchObject([
    { occurredAt: noon, who },
  ]);
});

test('a payment that was assigned to the order stands at its time', () => {
  const line = (event: OrderEvent, occurredAt: string) => ({ event, version: 1, occurredAt, actor: 'customer' });
  const assigned = { event: everyEvent.OrphanAssigned[0], occurredAt: '2026-11-21T13:00:00.000Z' };
  const events = [line(startedA, noon), line(capturedA, '2026-11-21T14:00:00.000Z')];
  const lines = tested.timeline(events, dayOf, [assigned]);
  expect(lines.map(({ what, who }) => `${what} (${who})`)).toEqual([
    'Payment of $758.22 started (Customer)',
    'A payment of $5.00 without an order was assigned to this order (admin)',
    'Payment of $758.22 taken (Customer)',
  ]);
});
