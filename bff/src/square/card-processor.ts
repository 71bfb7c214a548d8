import type { Cents } from '@kilim/domain/money';
import type { DisputeOutcome } from '@kilim/domain/order/events';
import type { IdempotencyKey, OrderId, RefundId } from '@kilim/domain/order/ids';
import type { SquareEntry } from '@kilim/domain/payout/events';
import type { SquarePayout } from '@kilim/domain/payout/payout';

/**
 * What we ask of whoever moves money on cards, in our own verbs. One adapter speaks to Square (or to the local Square);
 * nothing else in the system knows an SDK type.
 *
 * Every answer is one of three kinds: it happened, it definitely did not, or nobody knows yet. A method never throws for
 * what the network or Square does; it throws only for a bug of ours (a request that was never sent).
 */
export type CardProcessor = {
  /** Places a hold on the card (`autocomplete: false`). The identical request under the same key places at most one hold. */
  readonly authorize: (request: AuthorizeCard) => Promise<AuthorizeOutcome>;
  /** Takes the held money. Completing a completed payment is `completed` again. */
  readonly complete: (squarePaymentId: string) => Promise<CompleteOutcome>;
  /** Lets a hold go. */
  readonly cancel: (squarePaymentId: string) => Promise<CancelOutcome>;
  /** Voids whatever an unanswered `authorize` may have held. Succeeds too when Square knows nothing of the key: look afterwards. */
  readonly cancelByIdempotencyKey: (key: IdempotencyKey) => Promise<CancelOutcome>;
  readonly get: (squarePaymentId: string) => Promise<LookupOutcome>;
  /** Square's payments for one order, newest first, matched by `reference_id`. Square may show a new payment seconds late. */
  readonly listForOrder: (query: OrderPaymentsQuery) => Promise<ListOutcome>;
  /** Gives money back. The identical request under the same refund id gives it back at most once. */
  readonly refund: (request: RefundCard) => Promise<RefundOutcome>;
  readonly getRefund: (squareRefundId: string) => Promise<RefundLookupOutcome>;
  /** Everything that changed at Square in a span of time, for reconciliation. Square may show a change seconds late. */
  readonly listPayments: (span: Span) => Promise<Listed<CardPayment>>;
  readonly listRefunds: (span: Span) => Promise<Listed<CardRefund>>;
  /** All disputes there are: they are few, and Square cannot search them by time. */
  readonly listDisputes: () => Promise<Listed<CardDispute>>;
  /** The payouts that were made in a span of time, oldest first. */
  readonly listPayouts: (span: Span) => Promise<Listed<SquarePayout>>;
  /** `not-found` also when it is another location's. */
  readonly getPayout: (squarePayoutId: string) => Promise<PayoutLookupOutcome>;
  /** What one payout is made of, oldest first. */
  readonly listPayoutEntries: (squarePayoutId: string) => Promise<Listed<SquareEntry>>;
};

export type AuthorizeCard = {
  readonly idempotencyKey: IdempotencyKey;
  /** Single-use, from the browser's card field. Never stored, never logged. */
  readonly cardToken: string;
  readonly verificationToken: string | undefined;
  readonly amount: Cents;
  readonly orderId: OrderId;
  /** Where Square sends its receipt. */
  readonly buyerEmail: string;
};

export type OrderPaymentsQuery = {
  readonly orderId: OrderId;
  /** ISO 8601 instant: nothing older is looked at. */
  readonly since: string;
};

export type CardPayment = {
  readonly squarePaymentId: string;
  /** `approved` is held and not taken; `pending` is Square still working on it. */
  readonly status: 'approved' | 'completed' | 'canceled' | 'failed' | 'pending';
  readonly amount: Cents;
  readonly currency: string;
  /** Our order id, as Square kept it. */
  readonly referenceId: string | undefined;
  readonly card: { readonly brand: string; readonly lastFour: string };
  /** What Square keeps of it, as far as Square has said so; undefined until then. */
  readonly fees: Cents | undefined;
  /** Taken through an application like this one, and not at the counter: such a payment ought to be in the ledger. */
  readonly isOnline: boolean;
  /** Known once the money is taken. */
  readonly receipt: { readonly url: string | undefined; readonly number: string | undefined };
  /** ISO 8601 instants, as Square reports them. */
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** The bytes may have arrived: a timeout, a cut connection, 408, 429, 5xx, an answer that says nothing. Never told as a failure. */
export type UnknownOutcome = {
  readonly kind: 'unknown';
  readonly detail: string;
  /** Square's code, when it refused our access token (401, 403): this call did nothing. What earlier calls did stays unknown. */
  readonly refusedCredentials?: string;
};

/** Square's error code and category, for the ledger and for the sentence that the customer reads. */
export type CardRefusal = { readonly code: string; readonly category: string };

export type AuthorizeOutcome =
  | { readonly kind: 'authorized'; readonly payment: CardPayment }
  | ({ readonly kind: 'declined' } & CardRefusal)
  /** Square refused our access token: this call placed no hold. */
  | { readonly kind: 'unavailable' }
  | UnknownOutcome;

export type CompleteOutcome =
  | { readonly kind: 'completed'; readonly payment: CardPayment }
  | ({ readonly kind: 'refused' } & CardRefusal)
  | UnknownOutcome;

export type CancelOutcome =
  | { readonly kind: 'canceled' }
  | ({ readonly kind: 'refused' } & CardRefusal)
  | UnknownOutcome;

export type LookupOutcome =
  | { readonly kind: 'found'; readonly payment: CardPayment }
  | { readonly kind: 'not-found' }
  | UnknownOutcome;

export type ListOutcome = { readonly kind: 'listed'; readonly payments: readonly CardPayment[] } | UnknownOutcome;

export type RefundCard = {
  /** Our refund id is Square's idempotency key. */
  readonly refundId: RefundId;
  readonly squarePaymentId: string;
  readonly amount: Cents;
  /** What the administrator gave as the reason. */
  readonly reason: string;
};

export type CardRefund = {
  readonly squareRefundId: string;
  readonly squarePaymentId: string;
  /** `pending` is Square getting the money together, which can take days. */
  readonly status: 'pending' | 'completed' | 'failed' | 'rejected';
  readonly amount: Cents;
  readonly currency: string;
  /** Ours, read back from the reason; undefined for a refund that was made elsewhere. */
  readonly refundId: RefundId | undefined;
  /** What Square keeps (or, negative, gives back) for the refund; undefined until Square has said so. */
  readonly fees: Cents | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type RefundOutcome =
  | { readonly kind: 'accepted'; readonly refund: CardRefund }
  | ({ readonly kind: 'refused' } & CardRefusal)
  | UnknownOutcome;

export type RefundLookupOutcome =
  | { readonly kind: 'found'; readonly refund: CardRefund }
  | { readonly kind: 'not-found' }
  | UnknownOutcome;

export type PayoutLookupOutcome =
  | { readonly kind: 'found'; readonly payout: SquarePayout }
  | { readonly kind: 'not-found' }
  | UnknownOutcome;

/** ISO 8601 instants: changed at or after `from`, and before `to`. */
export type Span = { readonly from: string; readonly to: string };

export type CardDispute = {
  readonly squareDisputeId: string;
  readonly squarePaymentId: string;
  readonly amount: Cents;
  readonly reason: string;
  readonly dueAt: string | undefined;
  /** Undefined while nobody has decided. */
  readonly outcome: DisputeOutcome | undefined;
};

/** Whole or not at all: a list with a gap would call what is missing lost. */
export type Listed<Item> = { readonly kind: 'listed'; readonly items: readonly Item[] } | UnknownOutcome;
