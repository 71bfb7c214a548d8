import type { Cents } from '../money.ts';
import type { DeliveryOption, QuoteLines, RugCharges } from '../quote.ts';
import type { Rug } from '../rug.ts';
import type { IdempotencyKey, OrderId, PaymentId, RefundId } from './ids.ts';

/** A rug as it was sold: what was ordered and what each part of it costs. */
export type SoldRug = Rug & {
  /** Per square foot, as it was sold. */
  readonly price: Cents;
  readonly charges: RugCharges;
  readonly total: Cents;
};

/**
 * Where an order came from: the company's marketing page or its own, and the variant of the A/B
 * test that the customer saw.
 */
export type OrderSource = { readonly embedded: boolean; readonly variant: string };

/** A customer accepted a quote. Nothing of it changes afterwards. */
export type OrderPlaced = {
  readonly type: 'OrderPlaced';
  readonly orderId: OrderId;
  readonly rugs: readonly SoldRug[];
  readonly deliveryOption: DeliveryOption;
  readonly lines: QuoteLines;
  readonly total: Cents;
  /** The version of the settings that priced it; 0 is the built-in catalogue. */
  readonly settingsVersion: number;
  readonly source: OrderSource;
  /**
   * Salted SHA-256 of the contact, 64 hexadecimal digits: the contact can be proven while it is
   * kept, and forgotten.
   */
  readonly contactDigest: string;
};

/** The intent to charge, recorded before Square is asked. */
export type PaymentStarted = {
  readonly type: 'PaymentStarted';
  readonly paymentId: PaymentId;
  readonly idempotencyKey: IdempotencyKey;
  readonly amount: Cents;
};

/** The card holds the money; nothing is taken yet. */
export type PaymentAuthorized = {
  readonly type: 'PaymentAuthorized';
  readonly paymentId: PaymentId;
  readonly squarePaymentId: string;
  readonly cardBrand: string;
  readonly cardLastFour: string;
};

/** The money is taken. */
export type PaymentCaptured = {
  readonly type: 'PaymentCaptured';
  readonly paymentId: PaymentId;
  readonly amount: Cents;
  readonly receiptUrl?: string;
  readonly receiptNumber?: string;
  /** ISO 8601 instant, as Square reports it. */
  readonly capturedAt: string;
};

/** The card, or Square, said no. The customer may try another card on the same order. */
export type PaymentDeclined = {
  readonly type: 'PaymentDeclined';
  readonly paymentId: PaymentId;
  /** Square's error code and category. */
  readonly code: string;
  readonly category: string;
};

/** Why an attempt ended without a charge and without a decline. */
export const voidReasons = [
  /** The outcome of the authorisation stayed unknown, so it was cancelled by its key. */
  'AuthorizationUnknown',
  /** The hold was not completed in time. */
  'AuthorizationExpired',
  /** Square no longer holds the money. */
  'HoldReleased',
  /** Square held another amount than the order's. */
  'AmountDiffers',
  /** Square refused the server's credentials, so that no card could be charged. */
  'CredentialsRefused',
] as const;
export type VoidReason = (typeof voidReasons)[number];

export type PaymentVoided = {
  readonly type: 'PaymentVoided';
  readonly paymentId: PaymentId;
  readonly reason: VoidReason;
};

/**
 * What Square keeps of the money, or gives back of what it kept (negative), as soon as it says so.
 * Square may correct itself later: each event is the difference to what was recorded before.
 */
export type ProcessingFeeAssessed = {
  readonly type: 'ProcessingFeeAssessed';
  readonly paymentId: PaymentId;
  /** Square's payment or refund that the fee belongs to. */
  readonly squareId: string;
  readonly amount: Cents;
};

/** One rug that a refund was chosen for. */
export type RefundedRug = { readonly rugIndex: number; readonly amount: Cents };

/**
 * Which charges of which rugs a refund gives back, to the cent: all of it adds up to the refund's
 * amount.
 */
export type RefundAllocation = {
  readonly rugs: readonly { readonly rugIndex: number; readonly charges: RugCharges }[];
  readonly deliveryMinimum: Cents;
};

/** What a refund is made of, so that accountants need not guess. */
export type RefundSplit = {
  readonly services: Cents;
  readonly addOns: Cents;
  readonly delivery: Cents;
  readonly deliveryMinimum: Cents;
  readonly salesTax: Cents;
};

export type RefundType = 'full' | 'partial';

/** Money is promised: from here on it is reserved and cannot be refunded a second time. */
export type RefundRequested = {
  readonly type: 'RefundRequested';
  readonly refundId: RefundId;
  readonly paymentId: PaymentId;
  readonly refundType: RefundType;
  readonly amount: Cents;
  readonly reason: string;
  readonly notes?: string;
  /** What was chosen, for people; empty for a full refund and for a free amount. */
  readonly items: readonly RefundedRug[];
  /** What was chosen of the delivery minimum. */
  readonly deliveryMinimum: Cents;
  readonly allocation: RefundAllocation;
  readonly split: RefundSplit;
  /** The administrator's name. */
  readonly requestedBy: string;
};

/** Square has taken the refund on; the money is not with the customer yet. */
export type RefundSubmitted = {
  readonly type: 'RefundSubmitted';
  readonly refundId: RefundId;
  readonly squareRefundId: string;
};

export type RefundCompleted = {
  readonly type: 'RefundCompleted';
  readonly refundId: RefundId;
  readonly squareRefundId: string;
  readonly amount: Cents;
  /** ISO 8601 instant, as Square reports it. */
  readonly completedAt: string;
};

/** The refund did not happen; what it reserved is refundable again. */
export type RefundFailed = {
  readonly type: 'RefundFailed';
  readonly refundId: RefundId;
  readonly amount: Cents;
  /**
   * Present when Square had taken the refund on: then it refuses every further refund of this
   * payment.
   */
  readonly squareRefundId?: string;
  /** Square's error code, or the status that the refund ended in. */
  readonly code: string;
};

/** Reconciliation found a refund that somebody made in Square's own dashboard. */
export type ExternalRefundRecorded = {
  readonly type: 'ExternalRefundRecorded';
  readonly paymentId: PaymentId;
  readonly squareRefundId: string;
  readonly amount: Cents;
  readonly allocation: RefundAllocation;
  readonly split: RefundSplit;
  /** ISO 8601 instant, as Square reports it. */
  readonly refundedAt: string;
};

/**
 * Square gave back more than this order still had to refund. `ExternalRefundRecorded` holds the
 * part that fits, if there is one; this is the part above it.
 */
export type ExcessRefundFound = {
  readonly type: 'ExcessRefundFound';
  readonly paymentId: PaymentId;
  readonly squareRefundId: string;
  readonly amount: Cents;
  /** ISO 8601 instant, as Square reports it. */
  readonly refundedAt: string;
};

/** The customer's bank takes the payment back until somebody decides. */
export type DisputeOpened = {
  readonly type: 'DisputeOpened';
  readonly paymentId: PaymentId;
  readonly squareDisputeId: string;
  readonly amount: Cents;
  /** Square's word: `NOT_AS_DESCRIBED`, `NO_KNOWLEDGE`, ... */
  readonly reason: string;
  /** ISO 8601 instant until which evidence can be sent. */
  readonly dueAt?: string;
};

/** `won` gives the money back to the business; after `lost` and `accepted` it is the customer's. */
export type DisputeOutcome = 'won' | 'lost' | 'accepted';

export type DisputeClosed = {
  readonly type: 'DisputeClosed';
  readonly paymentId: PaymentId;
  readonly squareDisputeId: string;
  readonly amount: Cents;
  readonly outcome: DisputeOutcome;
};

/**
 * Reconciliation found a payment at Square that belongs to no attempt in the ledger. In the stream
 * of an order it is also the intent to return the payment; in a stream of its own, a person must
 * look.
 */
export type OrphanPaymentFound = {
  readonly type: 'OrphanPaymentFound';
  readonly squarePaymentId: string;
  readonly amount: Cents;
  /** What Square has as our reference, if anything. */
  readonly reference?: string;
  /** ISO 8601 instant, as Square reports it. */
  readonly takenAt: string;
};

/**
 * Square gave an orphan payment back, or a part of it: because the server asked for it, or an admin
 * in Square's dashboard.
 */
export type OrphanPaymentReturned = {
  readonly type: 'OrphanPaymentReturned';
  readonly squarePaymentId: string;
  readonly squareRefundId: string;
  readonly amount: Cents;
  /** ISO 8601 instant, as Square reports it. */
  readonly returnedAt: string;
};

/** The customer's contact beside the ledger is gone; the ledger still verifies. */
export type ContactErased = { readonly type: 'ContactErased'; readonly erasedBy: string };

/** Everything that can stand in the stream of an order. */
export type OrderEvent =
  | OrderPlaced
  | PaymentStarted
  | PaymentAuthorized
  | PaymentCaptured
  | PaymentDeclined
  | PaymentVoided
  | ProcessingFeeAssessed
  | RefundRequested
  | RefundSubmitted
  | RefundCompleted
  | RefundFailed
  | ExternalRefundRecorded
  | ExcessRefundFound
  | DisputeOpened
  | DisputeClosed
  | OrphanPaymentFound
  | OrphanPaymentReturned
  | ContactErased;
