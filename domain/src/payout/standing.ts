import type { EntryStanding, PayoutEntry, SquareEntry } from './events.ts';
import { disputeActivities } from './postings.ts';

/** Square's ids that the ledger knows. */
export type KnownAtSquare = {
  /** Payments of orders. */
  readonly payments: ReadonlySet<string>;
  readonly refunds: ReadonlySet<string>;
  readonly disputes: ReadonlySet<string>;
  /** Orphan payments. */
  readonly orphans: ReadonlySet<string>;
  /** Refunds of orphan payments. */
  readonly returns: ReadonlySet<string>;
  /** Payments taken at the counter or with another program. */
  readonly elsewhere: ReadonlySet<string>;
};

/** Matches an entry of a payout with what the ledger knows. */
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
  // A later correction of a payment's fee. Square reports it with the payment too, and it is booked there.
  return activity === 'FEE' && has(known.payments, squarePaymentId) ? 'order' : 'square';
}

/** The entry itself is not booked: its standing follows from its payment. */
function ofPayment({ squarePaymentId }: SquareEntry, { orphans, elsewhere }: KnownAtSquare): EntryStanding {
  if (has(orphans, squarePaymentId)) return 'orphan';
  return has(elsewhere, squarePaymentId) ? 'elsewhere' : 'unknown';
}

function has(ids: ReadonlySet<string>, id: string | undefined): boolean {
  return id !== undefined && ids.has(id);
}
