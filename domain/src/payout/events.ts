import type { Cents } from '../money.ts';

/** What the ledger knew of an entry of a payout when it was recorded. */
export type EntryStanding =
  /** An order's own events have booked it: a payment, a refund, a dispute. */
  | 'order'
  /** Of a payment that nobody here asked for: only that it came is booked. */
  | 'orphan'
  /** A refund of an orphan payment, which its own event has booked. */
  | 'returned'
  /** Sold at the counter or with another program, and no business of this ledger. */
  | 'elsewhere'
  /** The money of another payout: paid out already, or sent back by the bank. */
  | 'payout'
  /** Square's own doing: a fee, a reserve, an adjustment. */
  | 'square'
  /** A payment, refund or dispute that ought to be in the ledger, and is not. */
  | 'unknown';

/** One line of a payout, as Square has it. `net` is `gross - fee`; money out is negative, and so is a fee that is given back. */
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

/** What a payout's entries of one activity add up to. */
export type ActivityTotal = {
  readonly activity: string;
  readonly entries: number;
  readonly gross: Cents;
  readonly fee: Cents;
  readonly net: Cents;
};

/** Square has sent money to the bank, or (negative) takes some from there. It is not there yet. */
export type PayoutRecorded = {
  readonly type: 'PayoutRecorded';
  readonly squarePayoutId: string;
  readonly amount: Cents;
  /** A simple one has no entries: it is an entry of a later batch. */
  readonly kind: 'batch' | 'simple';
  /** ISO 8601 instant, as Square reports it. */
  readonly sentAt: string;
  /** The day on which it is due at the bank: `2026-11-21`. */
  readonly arrivalDate?: string;
  readonly totals: readonly ActivityTotal[];
};

/** What the payout is made of; a large one is recorded in several parts. */
export type PayoutEntriesRecorded = {
  readonly type: 'PayoutEntriesRecorded';
  readonly squarePayoutId: string;
  readonly entries: readonly PayoutEntry[];
};

/** The money is at the bank. */
export type PayoutPaid = {
  readonly type: 'PayoutPaid';
  readonly squarePayoutId: string;
  readonly amount: Cents;
  /** ISO 8601 instant, as Square reports it. */
  readonly paidAt: string;
};

/** The bank did not take the money, or sent it back. Square has it again, and it comes with a later payout. */
export type PayoutFailed = {
  readonly type: 'PayoutFailed';
  readonly squarePayoutId: string;
  readonly amount: Cents;
  /** It had arrived before. */
  readonly wasPaid: boolean;
  /** ISO 8601 instant, as Square reports it. */
  readonly failedAt: string;
};

/** Everything that can stand in the stream `payout-<Square's payout id>`. */
export type PayoutEvent = PayoutRecorded | PayoutEntriesRecorded | PayoutPaid | PayoutFailed;
