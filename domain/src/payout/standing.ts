import type { EntryStanding, PayoutEntry, SquareEntry } from './events.ts';
import { disputeActivities } from './postings.ts';

export type KnownAtSquare = {
  readonly payments: ReadonlySet<string>;
  readonly refunds: ReadonlySet<string>;
  readonly disputes: ReadonlySet<string>;
  readonly orphans: ReadonlySet<string>;
  readonly returns: ReadonlySet<string>;
  /** Taken at the counter or with another program. */
  readonly elsewhere: ReadonlySet<string>;
};

export function withStanding(entry: SquareEntry, known: KnownAtSquare): PayoutEntry {
  return { ...entry, standing: standingOf(entry, known) };
}

function standingOf(entry: SquareEntry, known: KnownAtSquare): EntryStanding {
  const { activity, squarePaymentId, squareRefundId, squareDisputeId } = entry;
  if (activity === 'PAYOUT' || activity === 'RETURNED_PAYOUT') return 'payout';
  if (activity === 'CHARGE') return has(known.payments, squarePaymentId) ? 'order' : ofPayment(entry, known);
  if (activity === 'REFUND') {
    if (has(known.returns, squareRefundId)) return 'returned';
    return has(known.refunds, squareRefundId) ? 'order' : ofPayment(entry, known);
  }
  if (disputeActivities.has(activity)) {
    return has(known.disputes, squareDisputeId) ? 'order' : ofPayment(entry, known);
  }
  // Square reports a fee's correction with the payment too, and it is booked there.
  return activity === 'FEE' && has(known.payments, squarePaymentId) ? 'order' : 'square';
}

/** Not booked itself: its standing follows from its payment. */
function ofPayment({ squarePaymentId }: SquareEntry, { orphans, elsewhere }: KnownAtSquare): EntryStanding {
  if (has(orphans, squarePaymentId)) return 'orphan';
  return has(elsewhere, squarePaymentId) ? 'elsewhere' : 'unknown';
}

function has(ids: ReadonlySet<string>, id: string | undefined): boolean {
  return id !== undefined && ids.has(id);
}
