import { type Cents, cents, noCents, sumCents } from '../money.ts';
import type { RefundSplit } from '../order/events.ts';
import { splitOf } from '../order/refund-allocation.ts';
import type { Booking } from './booking.ts';

export type ReasonFigures = RefundSplit & { readonly reason: string; readonly refunds: number; readonly amount: Cents };

/** Further reasons share one row, because free text has no limit. */
const mostReasons = 2000;
export const otherReasons = '(all other reasons)';
export const madeAtSquare = '(made in the Square dashboard)';

/** Completed refunds by reason, without regard to case and surrounding spaces. */
export function createRefundReasons() {
  const byReason = new Map<string, ReasonFigures>();
  return {
    add: (booking: Booking): void => {
      const refund = refundOf(booking);
      if (refund === undefined) return;
      const reason = refund.reason.trim();
      const known = byReason.has(keyOf(reason)) || byReason.size < mostReasons;
      const key = known ? keyOf(reason) : keyOf(otherReasons);
      const before = byReason.get(key) ?? noneFor(known ? reason : otherReasons);
      byReason.set(key, withRefund(before, refund));
    },
    /** By falling amount. */
    rows: (): readonly ReasonFigures[] =>
      [...byReason.values()].toSorted((a, b) => b.amount - a.amount || (a.reason < b.reason ? -1 : 1)),
  };
}

/** A refund, or the difference that a correction makes. */
type BookedRefund = Pick<ReasonFigures, 'refunds' | 'amount' | 'reason'> & { readonly split: RefundSplit };

/** Undefined for other bookings. */
export function refundOf({ event, basis }: Booking): BookedRefund | undefined {
  switch (event.type) {
    case 'RefundCompleted':
      if (basis?.type !== 'RefundRequested') return undefined;
      return { refunds: 1, amount: event.amount, split: basis.split, reason: basis.reason };
    case 'ExternalRefundRecorded':
      return { refunds: 1, amount: event.amount, split: event.split, reason: madeAtSquare };
    case 'CustomerReimbursed':
      return { refunds: 1, amount: event.amount, split: event.split, reason: event.reason };
    case 'RefundSplitCorrected': {
      const split = splitBetween(event.split, splitOf(event.before));
      return { refunds: 0, amount: noCents, split, reason: event.reason ?? madeAtSquare };
    }
    default:
      return undefined;
  }
}

function splitBetween(after: RefundSplit, before: RefundSplit): RefundSplit {
  const change = (part: keyof RefundSplit) => cents(after[part] - before[part]);
  return {
    services: change('services'),
    addOns: change('addOns'),
    delivery: change('delivery'),
    deliveryMinimum: change('deliveryMinimum'),
    salesTax: change('salesTax'),
  };
}

function keyOf(reason: string): string {
  return reason.toLowerCase();
}

function noneFor(reason: string): ReasonFigures {
  const nothing = {
    services: noCents,
    addOns: noCents,
    delivery: noCents,
    deliveryMinimum: noCents,
    salesTax: noCents,
  };
  return { reason, refunds: 0, amount: noCents, ...nothing };
}

function withRefund(sum: ReasonFigures, { refunds, amount, split }: BookedRefund): ReasonFigures {
  return {
    reason: sum.reason,
    refunds: sum.refunds + refunds,
    amount: sumCents([sum.amount, amount]),
    services: sumCents([sum.services, split.services]),
    addOns: sumCents([sum.addOns, split.addOns]),
    delivery: sumCents([sum.delivery, split.delivery]),
    deliveryMinimum: sumCents([sum.deliveryMinimum, split.deliveryMinimum]),
    salesTax: sumCents([sum.salesTax, split.salesTax]),
  };
}
