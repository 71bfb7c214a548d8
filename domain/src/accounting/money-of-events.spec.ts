import { expect, test } from 'vitest';
import { type Cents, cents } from '../money.ts';
import { project, type StreamEvent } from '../projection/order-summary.ts';
import { eventSamples, historyBefore, isOrderSample } from '../testing/every-event.ts';
import { type Booking, movedBy } from './booking.ts';
import { changeAtSquare, netOf, noTakings, withBooking } from './daily-takings.ts';
import { evolve, nothingBooked, postingsOf } from './journal.ts';
import {
  bookedTypes,
  clearingSumOf,
  eventTypes,
  type Figure,
  figures,
  isBooked,
  isOf,
  moneyOfEvents,
  moves,
  pendingRefunds,
  refundsOfOrders,
  type SumOfEvents,
  salesOfOrders,
  sumOf,
  typesOfRefundEntries,
} from './money-of-events.ts';

type Sample = (typeof eventSamples)[number][1];

function addedTo({ adds, subtracts }: SumOfEvents, event: Sample): number {
  const amount = 'amount' in event ? event.amount : 0;
  if (adds.includes(event.type)) return amount;
  return subtracts.includes(event.type) ? 0 - amount : 0;
}

function clearingChange(event: Sample): Cents {
  const before = isOrderSample(event) ? historyBefore(event) : [];
  return movedBy(postingsOf(event, before.reduce(evolve, nothingBooked)));
}

test.each(eventSamples)('the journal moves what the table of money says: %s', (_, event) => {
  const isMoving = isBooked(event) && moves(event);
  expect(clearingChange(event) !== 0).toBe(isMoving);
  if (!isMoving || event.type === 'PayoutEntriesRecorded') return;
  expect(clearingChange(event)).toBe(addedTo(clearingSumOf(...(Object.keys(figures) as Figure[])), event));
});

test.each(eventSamples)('the daily takings count what the journal moves, without payouts: %s', (_, event) => {
  if (!isBooked(event)) return;
  const isOfNoOrder = isOf('payoutEntries', event) || isOf('bank', event) || isOf('writeOffs', event);
  const sum = withBooking(noTakings, { event } as Booking);
  expect(netOf(sum)).toBe(isOfNoOrder ? 0 : clearingChange(event));
  expect(changeAtSquare(sum)).toBe(isOf('bank', event) ? 0 : clearingChange(event));
});

test.each(eventSamples)('the row of an order sums what the table of money says: %s', (_, event) => {
  if (!isOrderSample(event) || event.type === 'OrderPlaced') return;
  const stream = [...historyBefore(event), event].map(
    (of, index): StreamEvent => ({ event: of, version: index + 1, occurredAt: '2026-11-21T12:00:00.000Z' }),
  );
  const before = stream.slice(0, -1).reduce<ReturnType<typeof project> | undefined>(project, undefined);
  const after = stream.reduce<ReturnType<typeof project> | undefined>(project, undefined);
  if (before === undefined || after === undefined) throw new Error('An order begins with OrderPlaced');
  const change = (part: 'captured' | 'refundPending' | 'refunded' | 'fees') => cents(after[part] - before[part]);
  expect(change('captured')).toBe(addedTo(salesOfOrders, event));
  expect(change('refundPending')).toBe(addedTo(pendingRefunds, event));
  expect(change('refunded')).toBe(addedTo(refundsOfOrders, event));
  expect(change('fees')).toBe(addedTo(sumOf('fees'), event));
});

test('an export signs the amount of an event by its direction', () => {
  const typesWith = (direction: 'in' | 'out') => eventTypes.filter((type) => moneyOfEvents[type].amount === direction);
  expect(typesWith('in')).toEqual([
    ...['OrderPlaced', 'PaymentStarted', 'PaymentCaptured', 'CustomerPaid', 'DisputeClosed', 'OrphanPaymentFound'],
    ...['SupplementRequested', 'DifferenceWaived'],
    ...['PayoutRecorded', 'PayoutEntriesRecorded', 'PayoutFailed', 'ClearingItemWrittenOff', 'OrphanBookingUndone'],
  ]);
  expect(typesWith('out')).toEqual([
    ...['ProcessingFeeAssessed', 'RefundRequested', 'RefundCompleted', 'RefundFailed', 'ExternalRefundRecorded'],
    ...['CustomerReimbursed', 'RefundSplitCorrected', 'ExcessRefundFound', 'DisputeOpened', 'OrphanPaymentReturned'],
    ...['PayoutPaid', 'OrphanAssigned', 'OrphanWrittenOff', 'ItemWriteOffUndone'],
  ]);
});

test('what moves between other accounts only is booked, and leaves the clearing account alone', () => {
  const still = eventTypes.filter((type) => moneyOfEvents[type].moves === 'never');
  expect(bookedTypes.filter((type) => still.includes(type))).toEqual([
    ...['CustomerPaid', 'CustomerReimbursed', 'RefundSplitCorrected'],
    ...['OrphanAssigned', 'OrphanWrittenOff', 'OrphanBookingUndone'],
  ]);
  expect(eventTypes.filter((type) => !still.includes(type) && !bookedTypes.some((booked) => booked === type))).toEqual(
    [],
  );
});

test('sales of an order are those of Square and of the shop', () => {
  expect(salesOfOrders).toEqual({ adds: ['PaymentCaptured', 'CustomerPaid'], subtracts: [] });
});

test('refunds of an order are those of Square and reimbursements, and a corrected one has entries too', () => {
  const refunds = ['RefundCompleted', 'ExternalRefundRecorded', 'CustomerReimbursed'];
  expect(refundsOfOrders).toEqual({ adds: refunds, subtracts: [] });
  expect(typesOfRefundEntries).toEqual([...refunds, 'RefundSplitCorrected']);
});

test('money that comes back is subtracted from its sum, and an ended refund is no longer pending', () => {
  expect(sumOf('disputes')).toEqual({ adds: ['DisputeOpened'], subtracts: ['DisputeClosed'] });
  expect(pendingRefunds).toEqual({ adds: ['RefundRequested'], subtracts: ['RefundCompleted', 'RefundFailed'] });
});
