import type { Cents } from '../money.ts';

/** The match of an entry with the ledger, when it was recorded. */
export type EntryStanding =
  /** Booked by the order's own events. */
  | 'order'
  /** Only its receipt is booked. */
  | 'orphan'
  /** Booked by its own event. */
  | 'returned'
  /** A sale at the counter or with another program. */
  | 'elsewhere'
  /** The money of another payout, paid out already or returned. */
  | 'payout'
  /** A fee, a reserve, an adjustment. */
  | 'square'
  /** Missing in the ledger. */
  | 'unknown';

/** `net` is `gross - fee`; money out and a returned fee are negative. */
export type SquareEntry = {
  readonly entryId: string;
  /** Square's: `CHARGE`, `REFUND`, `RESERVE_HOLD`. */
  readonly activity: string;
  readonly gross: Cents;
  readonly fee: Cents;
  readonly net: Cents;
  /** ISO 8601 instant at which the balance at Square changed. */
  readonly effectiveAt?: string;
  readonly squarePaymentId?: string;
  readonly squareRefundId?: string;
  readonly squareDisputeId?: string;
};

export type PayoutEntry = SquareEntry & { readonly standing: EntryStanding };

export type ActivityTotal = {
  readonly activity: string;
  readonly entries: number;
  readonly gross: Cents;
  readonly fee: Cents;
  readonly net: Cents;
};

/** Square sent money to the bank, or (negative) debits it. The money has not arrived yet. */
export type PayoutRecorded = {
  readonly type: 'PayoutRecorded';
  readonly squarePayoutId: string;
  readonly amount: Cents;
  /** A simple payout has no entries: it is an entry of a later batch. */
  readonly kind: 'batch' | 'simple';
  /** ISO 8601 instant, as Square reports it; so are the others. */
  readonly sentAt: string;
  /** Due at the bank: `2026-11-21`. */
  readonly arrivalDate?: string;
  /** May stand on the bank's statement. */
  readonly endToEndId?: string;
  readonly totals: readonly ActivityTotal[];
};

/** A large payout has several of these events. */
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
  readonly paidAt: string;
};

/** Square has the money again and adds it to a later payout. */
export type PayoutFailed = {
  readonly type: 'PayoutFailed';
  readonly squarePayoutId: string;
  readonly amount: Cents;
  /** It had arrived at the bank before. */
  readonly wasPaid: boolean;
  readonly failedAt: string;
};

/** Of the stream `payout-<Square's payout id>`. */
export type PayoutEvent = PayoutRecorded | PayoutEntriesRecorded | PayoutPaid | PayoutFailed;
