import { type Cents, noCents, sumCents } from '../money.ts';
import type { RefundSplit } from '../order/events.ts';
import type { Booking } from './booking.ts';

export type ReasonFigures = RefundSplit & { readonly reason: string; readonly refunds: number; readonly amount: Cents };

/** Reasons are free text, so a range may have as many as refunds. Further ones share one row. */
const mostReasons = 2000;
export const otherReasons = '(all other reasons)';
export const madeAtSquare = '(made in the Square dashboard)';

/** Completed refunds by their reason. Reasons ignore case and surrounding spaces. */
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
      byReason.set(key, withRefund(before, refund.amount, refund.split));
    },
    /** The most expensive reason comes first. */
    rows: (): readonly ReasonFigures[] =>
      [...byReason.values()].toSorted((a, b) => b.amount - a.amount || (a.reason < b.reason ? -1 : 1)),
  };
}

/** A refund of a sale; undefined for every other booking. */
export function refundOf({ event, basis }: Booking) {
  switch (event.type) {
    case 'RefundCompleted':
      if (basis?.type !== 'RefundRequested') return undefined;
      return { amount: event.amount, split: basis.split, reason: basis.reason };
    case 'ExternalRefundRecorded':
      return { amount: event.amount, split: event.split, reason: madeAtSquare };
    case 'CustomerReimbursed':
      return { amount: event.amount, split: event.split, reason: event.reason };
    default:
      return undefined;
  }
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

function withRefund(sum: ReasonFigures, amount: Cents, split: RefundSplit): ReasonFigures {
  return {
    reason: sum.reason,
    refunds: sum.refunds + 1,
    amount: sumCents([sum.amount, amount]),
    services: sumCents([sum.services, split.services]),
    addOns: sumCents([sum.addOns, split.addOns]),
    delivery: sumCents([sum.delivery, split.delivery]),
    deliveryMinimum: sumCents([sum.deliveryMinimum, split.deliveryMinimum]),
    salesTax: sumCents([sum.salesTax, split.salesTax]),
  };
}
