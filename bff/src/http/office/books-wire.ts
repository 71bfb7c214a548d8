/** The shapes of the back office's calls about the books at a glance. Amounts are US dollars, instants are ISO 8601. */

export type BooksFigures = {
  readonly taken: number;
  readonly refunded: number;
  /** Refunds that are promised and not through. */
  readonly pending: number;
  readonly fees: number;
};

type TakenAndRefunded = { readonly taken: number; readonly refunded: number };

/** An entry of a payout that does not match the ledger, or money that no payout has brought. */
export type UnmatchedEntry = {
  readonly code: string;
  readonly message: string;
  readonly squareId: string;
  readonly orderId: string | null;
  readonly atSquare: number | null;
  readonly inLedger: number | null;
};

export type BooksDifference = {
  readonly code: string;
  readonly message: string;
  readonly squareId: string;
  readonly orderId: string | null;
};

/** `GET /api/admin/books/glance`. What was never compared yet is null. */
export type BooksGlanceAnswer = {
  readonly now: {
    readonly taken: number;
    readonly refunded: number;
    readonly fees: number;
    readonly atSquare: number;
    readonly onItsWay: number;
    readonly atBank: number;
  };
  readonly seals: {
    readonly last: { readonly sequence: number; readonly sealedAt: string; readonly events: number } | null;
    readonly unsealed: number;
    /** There are more than were counted. */
    readonly moreUnsealed: boolean;
  };
  /** What the last `npm run ledger -- verify` found. */
  readonly verification: {
    readonly madeAt: string;
    readonly events: number;
    readonly signaturesChecked: boolean;
    readonly faults: number;
    /** A sentence for each of the first twenty. */
    readonly firstFaults: readonly string[];
  } | null;
  readonly comparison: {
    readonly madeAt: string;
    readonly orders: number;
    readonly ledger: BooksFigures;
    readonly orderList: BooksFigures;
    readonly differing: number;
    /** The first hundred. */
    readonly differingOrders: readonly {
      readonly orderId: string;
      readonly ledger: BooksFigures;
      readonly orderList: BooksFigures;
    }[];
    readonly paidOut: { readonly atSquare: number; readonly inLedger: number; readonly elsewhere: number };
    readonly unmatched: number;
    /** The first hundred. */
    readonly unmatchedEntries: readonly UnmatchedEntry[];
  } | null;
  readonly reconciliation: {
    readonly madeAt: string;
    readonly from: string;
    readonly payments: number;
    readonly refunds: number;
    readonly disputes: number;
    readonly inFlight: number;
    readonly atSquare: TakenAndRefunded;
    readonly inLedger: TakenAndRefunded;
    /** Null when Square did not tell of them. */
    readonly payouts: number | null;
    readonly differing: number;
    readonly differences: readonly BooksDifference[];
  } | null;
};

/** `POST /api/admin/books/comparison` is answered 202: everything is compared anew in the background, and then `madeAt` is later. */
