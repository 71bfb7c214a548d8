import { type Cents, cents, noCents } from '../money.ts';
import { unreachable } from '../unreachable.ts';
import type { Booking } from './booking.ts';
import type { Day } from './day.ts';

/** What one day's entries moved at Square. */
export type DayTakings = {
  /** Orders that were paid. */
  readonly orders: number;
  readonly takings: Cents;
  readonly refundCount: number;
  readonly refunds: Cents;
  /** What Square kept. */
  readonly fees: Cents;
  /** What banks took back, less what they returned. */
  readonly disputes: Cents;
  /** Orphan payments, less what went back of them, less refunds above what their orders had left. */
  readonly unidentified: Cents;
};

export const noTakings: DayTakings = {
  orders: 0,
  takings: noCents,
  refundCount: 0,
  refunds: noCents,
  fees: noCents,
  disputes: noCents,
  unidentified: noCents,
};

/** What is left of it: the change of the clearing account, before Square pays out. */
export function netOf({ takings, refunds, fees, disputes, unidentified }: DayTakings): Cents {
  return cents(takings - refunds - fees - disputes + unidentified);
}

export function withBooking(sum: DayTakings, { event }: Booking): DayTakings {
  switch (event.type) {
    case 'PaymentCaptured':
      return { ...sum, orders: sum.orders + 1, takings: cents(sum.takings + event.amount) };
    case 'RefundCompleted':
    case 'ExternalRefundRecorded':
      return { ...sum, refundCount: sum.refundCount + 1, refunds: cents(sum.refunds + event.amount) };
    case 'ProcessingFeeAssessed':
      return { ...sum, fees: cents(sum.fees + event.amount) };
    case 'DisputeOpened':
      return { ...sum, disputes: cents(sum.disputes + event.amount) };
    case 'DisputeClosed':
      return event.outcome === 'won' ? { ...sum, disputes: cents(sum.disputes - event.amount) } : sum;
    case 'OrphanPaymentFound':
      return { ...sum, unidentified: cents(sum.unidentified + event.amount) };
    case 'OrphanPaymentReturned':
    case 'ExcessRefundFound':
      return { ...sum, unidentified: cents(sum.unidentified - event.amount) };
    // What was taken is not taken again when it goes to the bank.
    case 'PayoutEntriesRecorded':
    case 'PayoutPaid':
    case 'PayoutFailed':
      return sum;
    default:
      return unreachable(event);
  }
}

export function createDailyTakings() {
  const byDay = new Map<Day, DayTakings>();
  return {
    add: (booking: Booking): void => {
      byDay.set(booking.postedOn, withBooking(byDay.get(booking.postedOn) ?? noTakings, booking));
    },
    on: (day: Day): DayTakings => byDay.get(day) ?? noTakings,
  };
}
