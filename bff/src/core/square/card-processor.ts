import type { Cents } from '@kilim/domain/money';
import type { DisputeOutcome, PaymentRisk } from '@kilim/domain/order/events';
import type { IdempotencyKey, OrderId, RefundId } from '@kilim/domain/order/ids';
import type { SquareEntry } from '@kilim/domain/payout/events';
import type { SquarePayout } from '@kilim/domain/payout/payout';

/**
 * One adapter calls Square (or the local Square); no other code knows a type of the SDK.
 *
 * Every outcome is one of three kinds: it happened, it definitely did not happen, or it is unknown. A method never
 * throws because of the network or Square, only for a bug in a request, which is then not sent.
 */
export type CardProcessor = {
  /** Square puts it into each payment. */
  readonly applicationId: string;
  /** Repeating the identical request with the same key places no second hold. */
  readonly authorize: (request: AuthorizeCard) => Promise<AuthorizeOutcome>;
  /** Captures a hold. Completing a completed payment answers `completed` again. */
  readonly complete: (squarePaymentId: string) => Promise<CompleteOutcome>;
  readonly cancel: (squarePaymentId: string) => Promise<CancelOutcome>;
  /** Voids the hold of an unanswered `authorize`. Succeeds for unknown keys too, so look afterwards. */
  readonly cancelByIdempotencyKey: (key: IdempotencyKey) => Promise<CancelOutcome>;
  readonly get: (squarePaymentId: string) => Promise<LookupOutcome>;
  /** Newest first. Square may list a new payment seconds late. */
  readonly listForOrder: (query: OrderPaymentsQuery) => Promise<ListOutcome>;
  /** Repeating the identical request with the same refund id makes no second refund. */
  readonly refund: (request: RefundCard) => Promise<RefundOutcome>;
  readonly getRefund: (squareRefundId: string) => Promise<RefundLookupOutcome>;
  /** Square may list a change seconds late. */
  readonly listPayments: (span: Span) => Promise<Listed<CardPayment>>;
  readonly listRefunds: (span: Span) => Promise<Listed<CardRefund>>;
  /** All disputes: there are few, and Square cannot filter them by time. */
  readonly listDisputes: () => Promise<Listed<CardDispute>>;
  /** `not-found` also for a dispute of another location, or one that names no payment. */
  readonly getDispute: (squareDisputeId: string) => Promise<DisputeLookupOutcome>;
  /** Created in the span, oldest first. */
  readonly listPayouts: (span: Span) => Promise<Listed<SquarePayout>>;
  /** `not-found` also for a payout of another location. */
  readonly getPayout: (squarePayoutId: string) => Promise<PayoutLookupOutcome>;
  /** Oldest first. */
  readonly listPayoutEntries: (squarePayoutId: string) => Promise<Listed<SquareEntry>>;
  readonly getLocation: () => Promise<LocationOutcome>;
};

export type AuthorizeCard = {
  readonly idempotencyKey: IdempotencyKey;
  /** Single-use, from the browser's card field. Never stored, never logged. */
  readonly cardToken: string;
  readonly verificationToken: string | undefined;
  readonly amount: Cents;
  readonly orderId: OrderId;
  readonly buyerEmail: string;
};

export type OrderPaymentsQuery = {
  readonly orderId: OrderId;
  /** ISO 8601: older payments are not listed. */
  readonly since: string;
};

export type CardPayment = {
  readonly squarePaymentId: string;
  /** `approved`: held but not captured. `pending`: Square has not decided yet. */
  readonly status: 'approved' | 'completed' | 'canceled' | 'failed' | 'pending';
  readonly amount: Cents;
  readonly currency: string;
  readonly applicationId: string | undefined;
  /** The order id that we sent to Square. Another application may send the like. */
  readonly referenceId: string | undefined;
  readonly card: { readonly brand: string; readonly lastFour: string };
  /** Undefined until Square has reported them. */
  readonly fees: Cents | undefined;
  /** So far, with pending refunds. */
  readonly refunded: Cents;
  /** Square's judgment of the payment. Absent: Square did not judge it. */
  readonly risk: PaymentRisk | undefined;
  /** Not at the counter: the ledger should know such a payment. */
  readonly isOnline: boolean;
  /** Known once the payment is captured. */
  readonly receipt: { readonly url: string | undefined; readonly number: string | undefined };
  /** ISO 8601 instants, as Square reports them. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The latest change if Square does not say when it captured the payment, or has not captured it. */
  readonly capturedAt: string;
};

/**
 * The call may have taken effect: a timeout, a lost connection, 408, 429, 5xx, an unreadable answer. Never treat it as
 * a failure.
 */
export type UnknownOutcome = {
  readonly kind: 'unknown';
  readonly detail: string;
  /** The refused call did nothing; earlier ones stay unknown. */
  readonly refusedCredentials?: string;
  /** The token works, but lacks the right for this call. */
  readonly isMissingRight?: true;
  /** A status that this program cannot read. */
  readonly word?: string;
};

export type CardRefusal = { readonly code: string; readonly category: string };

export type AuthorizeOutcome =
  | { readonly kind: 'authorized'; readonly payment: CardPayment }
  | ({ readonly kind: 'declined' } & CardRefusal)
  /** Square rejected our access token: this call placed no hold. */
  | ({ readonly kind: 'unavailable' } & Pick<UnknownOutcome, 'isMissingRight'>)
  | UnknownOutcome;

export type CompleteOutcome =
  | { readonly kind: 'completed'; readonly payment: CardPayment }
  | ({ readonly kind: 'refused' } & CardRefusal)
  | UnknownOutcome;

export type CancelOutcome =
  | { readonly kind: 'canceled' }
  | ({ readonly kind: 'refused' } & CardRefusal)
  | UnknownOutcome;

type LookedUp<Found> = ({ readonly kind: 'found' } & Found) | { readonly kind: 'not-found' } | UnknownOutcome;

export type LookupOutcome = LookedUp<{ readonly payment: CardPayment }>;

export type ListOutcome = { readonly kind: 'listed'; readonly payments: readonly CardPayment[] } | UnknownOutcome;

export type RefundCard = {
  /** Our refund id is Square's idempotency key. */
  readonly refundId: RefundId;
  readonly squarePaymentId: string;
  readonly amount: Cents;
  readonly reason: string;
};

export type CardRefund = {
  readonly squareRefundId: string;
  readonly squarePaymentId: string;
  /** `pending`: Square is collecting the money, which can take days. */
  readonly status: 'pending' | 'completed' | 'failed' | 'rejected';
  readonly amount: Cents;
  readonly currency: string;
  /** Undefined for a refund that was made elsewhere. */
  readonly refundId: RefundId | undefined;
  /** Negative when Square returns a fee; undefined until it is reported. */
  readonly fees: Cents | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type RefundOutcome =
  | { readonly kind: 'accepted'; readonly refund: CardRefund }
  | ({ readonly kind: 'refused' } & CardRefusal)
  | UnknownOutcome;

export type RefundLookupOutcome = LookedUp<{ readonly refund: CardRefund }>;
export type DisputeLookupOutcome = LookedUp<{ readonly dispute: CardDispute }>;
export type PayoutLookupOutcome = LookedUp<{ readonly payout: SquarePayout }>;

export type CardLocation = {
  readonly isActive: boolean;
  /** ISO 4217 */
  readonly currency: string;
  /** Undefined when Square does not say so. */
  readonly takesCards: boolean | undefined;
};

export type LocationOutcome = LookedUp<{ readonly location: CardLocation }>;

/** ISO 8601 instants: changed at or after `from`, and before `to`. */
export type Span = { readonly from: string; readonly to: string };

export type CardDispute = {
  readonly squareDisputeId: string;
  readonly squarePaymentId: string;
  readonly amount: Cents;
  readonly reason: string;
  readonly dueAt: string | undefined;
  /** The bank only asks: no money moves unless it becomes a chargeback. */
  readonly isInquiry: boolean;
  /** Of the opening and of the latest change, if Square reports them. */
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  /** Undefined until the bank has decided. */
  readonly outcome: DisputeOutcome | undefined;
};

/** A complete list, or an unknown outcome: reconciliation would treat an item in a gap as lost. */
export type Listed<Item> =
  | {
      readonly kind: 'listed';
      readonly items: readonly Item[];
      /** A person has to look at these ids. */
      readonly unreadable: readonly string[];
      /** Unreadable, and certainly not ours. */
      readonly elsewhere: number;
    }
  | UnknownOutcome;
