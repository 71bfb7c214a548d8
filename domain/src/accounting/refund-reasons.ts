import { type Cents, noCents, sumCents } from '../money.ts';
import type { RefundSplit } from '../order/events.ts';
import type { Booking } from './booking.ts';

export type ReasonFigures = RefundSplit & { readonly reason: string; readonly refunds: number; readonly amount: Cents };

/** Reasons are free text, so there may be as many as refunds; those beyond the first of a range stand together. */
const mostReasons = 2000;
export const otherReasons = '(all other reasons)';
export const madeAtSquare = '(made in the Square dashboard)';

/** Completed refunds by the reason that was given for them. Capitals and spaces around make no other reason. */
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
    /** What cost most comes first. */
    rows: (): readonly ReasonFigures[] =>
      [...byReason.values()].toSorted((a, b) => b.amount - a.amount || (a.reason < b.reason ? -1 : 1)),
  };
}

function refundOf({ event, basis }: Booking) {
  if (event.type === 'ExternalRefundRecorded') return { ...event, reason: madeAtSquare };
  if (event.type !== 'RefundCompleted' || basis?.type !== 'RefundRequested') return undefined;
  return { amount: event.amount, split: basis.split, reason: basis.reason };
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
