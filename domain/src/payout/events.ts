import type { Cents } from '../money.ts';

/** The match of a payout's entry with the ledger, at the time of recording. */
export type EntryStanding =
  /** Booked by an order's own events: a payment, a refund, a dispute. */
  | 'order'
  /** An orphan payment. Only its receipt is booked. */
  | 'orphan'
  /** A refund of an orphan payment, booked by its own event. */
  | 'returned'
  /** A sale at the counter or with another program, which this ledger does not record. */
  | 'elsewhere'
  /** The money of another payout, paid out already or returned by the bank. */
  | 'payout'
  /** Square's own entry: a fee, a reserve, an adjustment. */
  | 'square'
  /** A payment, refund or dispute that is missing in the ledger. */
  | 'unknown';

/** One line of a payout at Square. `net` is `gross - fee`; money out is negative, and so is a returned fee. */
export type SquareEntry = {
  readonly entryId: string;
  /** Square's type of activity: `CHARGE`, `REFUND`, `RESERVE_HOLD`, ... */
  readonly activity: string;
  readonly gross: Cents;
  readonly fee: Cents;
  readonly net: Cents;
  /** ISO 8601 instant at which it changed the balance at Square. */
  readonly effectiveAt?: string;
  readonly squarePaymentId?: string;
  readonly squareRefundId?: string;
  readonly squareDisputeId?: string;
};

export type PayoutEntry = SquareEntry & { readonly standing: EntryStanding };

/** The sum of a payout's entries of one activity. */
export type ActivityTotal = {
  readonly activity: string;
  readonly entries: number;
  readonly gross: Cents;
  readonly fee: Cents;
  readonly net: Cents;
};

/** Square has sent money to the bank, or (negative) debits the bank. The money has not arrived yet. */
export type PayoutRecorded = {
  readonly type: 'PayoutRecorded';
  readonly squarePayoutId: string;
  readonly amount: Cents;
  /** A simple payout has no entries: it is an entry of a later batch. */
  readonly kind: 'batch' | 'simple';
  /** ISO 8601 instant, as Square reports it. */
  readonly sentAt: string;
  /** The day on which it is due at the bank: `2026-11-21`. */
  readonly arrivalDate?: string;
  readonly totals: readonly ActivityTotal[];
};

/** The entries of a payout. Those of a large payout are recorded in several events. */
export type PayoutEntriesRecorded = {
  readonly type: 'PayoutEntriesRecorded';
  readonly squarePayoutId: string;
  readonly entries: readonly PayoutEntry[];
};

/** The money has arrived at the bank. */
export type PayoutPaid = {
  readonly type: 'PayoutPaid';
  readonly squarePayoutId: string;
  readonly amount: Cents;
  /** ISO 8601 instant, as Square reports it. */
  readonly paidAt: string;
};

/** The bank refused or returned the money. Square has it again and adds it to a later payout. */
export type PayoutFailed = {
  readonly type: 'PayoutFailed';
  readonly squarePayoutId: string;
  readonly amount: Cents;
  /** Whether it had arrived at the bank before. */
  readonly wasPaid: boolean;
  /** ISO 8601 instant, as Square reports it. */
  readonly failedAt: string;
};

/** Every event of the stream `payout-<Square's payout id>`. */
export type PayoutEvent = PayoutRecorded | PayoutEntriesRecorded | PayoutPaid | PayoutFailed;
