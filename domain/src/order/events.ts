import type { Day } from '../accounting/day.ts';
import type { DeliveryOption } from '../catalog.ts';
import type { Cents } from '../money.ts';
import type { QuoteLines, RugCharges } from '../quote.ts';
import type { SalesTax } from '../rates.ts';
import type { Rug } from '../rug.ts';
import type { IdempotencyKey, OrderId, PaymentId, RefundId } from './ids.ts';
import type { RefundReason } from './refund-reasons.ts';

/** A rug as it was sold, with the price of each part. */
export type SoldRug = Rug & {
  /** Per square foot, as it was sold. */
  readonly price: Cents;
  readonly charges: RugCharges;
  readonly total: Cents;
};

/** The origin of an order: the company's marketing page or the app's own page, and the variant of the A/B test. */
export type OrderSource = { readonly embedded: boolean; readonly variant: string };

/** A customer accepted a quote. The order never changes afterwards. */
export type OrderPlaced = {
  readonly type: 'OrderPlaced';
  readonly orderId: OrderId;
  readonly rugs: readonly SoldRug[];
  readonly deliveryOption: DeliveryOption;
  readonly lines: QuoteLines;
  /** The tax that the lines contain. */
  readonly salesTax: SalesTax;
  readonly total: Cents;
  /** The version of the settings with these prices; 0 is the built-in catalogue. */
  readonly settingsVersion: number;
  readonly source: OrderSource;
  /**
   * Salted SHA-256 of the contact, 64 hexadecimal digits. It proves the contact while that is kept,
   * and reveals nothing after its erasure.
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

/** The card or Square declined. The customer may try another card on the same order. */
export type PaymentDeclined = {
  readonly type: 'PaymentDeclined';
  readonly paymentId: PaymentId;
  /** Square's error code and category. */
  readonly code: string;
  readonly category: string;
};

/** Why an attempt ended without a charge and without a decline. */
export const voidReasons = [
  /** The outcome of the authorization is unknown, so it was cancelled by its key. */
  'AuthorizationUnknown',
  /** The hold was not completed in time. */
  'AuthorizationExpired',
  /** Square no longer holds the money. */
  'HoldReleased',
  /** Square held an amount that is not the order's. */
  'AmountDiffers',
  /** Square refused the server's credentials, so no card could be charged. */
  'CredentialsRefused',
] as const;
export type VoidReason = (typeof voidReasons)[number];

export type PaymentVoided = {
  readonly type: 'PaymentVoided';
  readonly paymentId: PaymentId;
  readonly reason: VoidReason;
};

/**
 * Square's fee, or a returned fee (negative), as soon as Square reports it. Square may correct a
 * fee later: each event is the difference to the recorded fee.
 */
export type ProcessingFeeAssessed = {
  readonly type: 'ProcessingFeeAssessed';
  readonly paymentId: PaymentId;
  /** Square's payment or refund that the fee belongs to. */
  readonly squareId: string;
  readonly amount: Cents;
};

/** One charge of a rug, chosen for a refund. */
export type RefundedCharge = {
  readonly rugIndex: number;
  readonly charge: keyof RugCharges;
  readonly amount: Cents;
};

/** One rug chosen for a refund. */
export type RefundedRug = { readonly rugIndex: number; readonly amount: Cents };

/** The refunded part of each charge of each rug, to the cent. The parts add up to the refund's amount. */
export type RefundAllocation = {
  readonly rugs: readonly { readonly rugIndex: number; readonly charges: RugCharges }[];
  readonly deliveryMinimum: Cents;
};

/** A refund by the accountants' five figures. */
export type RefundSplit = {
  readonly services: Cents;
  readonly addOns: Cents;
  readonly delivery: Cents;
  readonly deliveryMinimum: Cents;
  readonly salesTax: Cents;
};

export type RefundType = 'full' | 'partial';

/** The refund is promised: its amount is reserved and cannot be refunded a second time. */
export type RefundRequested = {
  readonly type: 'RefundRequested';
  readonly refundId: RefundId;
  readonly paymentId: PaymentId;
  readonly refundType: RefundType;
  readonly amount: Cents;
  /** Of the list; empty when none was given. */
  readonly reason: string;
  /** Only in a stream that was read for people: the ledger holds no free text. */
  readonly notes?: string;
  /** SHA-256 of the salted text beside the ledger, in hexadecimal. Absent: there was no text. */
  readonly textDigest?: string;
  /**
   * The chosen rugs, for people; empty for a full refund and for a free amount. A rug of which only
   * some charges are chosen has the sum of these.
   */
  readonly items: readonly RefundedRug[];
  /** The charges of rugs that are not chosen whole. */
  readonly charges: readonly RefundedCharge[];
  /** The chosen part of the delivery minimum. */
  readonly deliveryMinimum: Cents;
  readonly allocation: RefundAllocation;
  readonly split: RefundSplit;
  /** The administrator's name. */
  readonly requestedBy: string;
};

/** Square accepted the refund; the customer does not have the money yet. */
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

/** The refund failed; its reserved amount is refundable again. */
export type RefundFailed = {
  readonly type: 'RefundFailed';
  readonly refundId: RefundId;
  readonly amount: Cents;
  /** Present if Square had accepted the refund. Square then refuses all further refunds of this payment. */
  readonly squareRefundId?: string;
  /** Square's error code, or the status that the refund ended in. */
  readonly code: string;
};

/** Reconciliation found a refund made in Square's dashboard. */
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

/** How a customer gets money back outside Square. */
export const reimbursementMethods = ['check', 'cash', 'bank-transfer'] as const;
export type ReimbursementMethod = (typeof reimbursementMethods)[number];

/** An administrator gave the customer money back outside Square, and recorded it. It counts as refunded. */
export type CustomerReimbursed = {
  readonly type: 'CustomerReimbursed';
  /** The client chooses it, as it chooses the ids of refunds. */
  readonly reimbursementId: RefundId;
  readonly paymentId: PaymentId;
  readonly amount: Cents;
  readonly method: ReimbursementMethod;
  /** The day on the check or the transfer. The event happened on this day. */
  readonly paidOn: Day;
  /** The number of the check or the transfer. */
  readonly reference?: string;
  readonly reason: RefundReason;
  readonly allocation: RefundAllocation;
  readonly split: RefundSplit;
  /** The sign-in name of the person. */
  readonly reimbursedBy: string;
  /** ISO 8601 instant. */
  readonly recordedAt: string;
};

/** Why what a refund was for is corrected, in a short list so that no free text enters the ledger. */
export const correctionReasons = [
  'Made in the dashboard of Square',
  'Chosen by mistake',
  'Agreed with the customer',
  'To correct the sales tax',
] as const;
export type CorrectionReason = (typeof correctionReasons)[number];

/**
 * A person said which charges a completed refund was for. Its amount stays, and no money moves: other charges can be
 * refunded from now on, and the books move the difference between sales and sales tax.
 */
export type RefundSplitCorrected = {
  readonly type: 'RefundSplitCorrected';
  /** The id of a refund or a reimbursement, or Square's id of a refund that was made in its dashboard. */
  readonly correctedRefundId: string;
  /** The amount of the refund. */
  readonly amount: Cents;
  /** The reason of the refund; absent for one that was made in Square's dashboard. */
  readonly reason?: string;
  /** Why it is corrected. */
  readonly why: CorrectionReason;
  /** What the refund was for until now. */
  readonly before: RefundAllocation;
  /** What it is for, per rug. */
  readonly items: readonly RefundedRug[];
  readonly deliveryMinimum: Cents;
  readonly allocation: RefundAllocation;
  readonly split: RefundSplit;
  /** The sign-in name of the person. */
  readonly by: string;
};

/**
 * Square refunded more than the rest of this order. `ExternalRefundRecorded` holds the part that
 * fits, if there is one; this event is the part above it.
 */
export type ExcessRefundFound = {
  readonly type: 'ExcessRefundFound';
  readonly paymentId: PaymentId;
  readonly squareRefundId: string;
  readonly amount: Cents;
  /** ISO 8601 instant, as Square reports it. */
  readonly refundedAt: string;
};

/** The customer's bank takes the payment back until the dispute is decided. */
export type DisputeOpened = {
  readonly type: 'DisputeOpened';
  readonly paymentId: PaymentId;
  readonly squareDisputeId: string;
  readonly amount: Cents;
  /** Square's reason: `NOT_AS_DESCRIBED`, `NO_KNOWLEDGE`, ... */
  readonly reason: string;
  /** ISO 8601 instant of the deadline for evidence. */
  readonly dueAt?: string;
};

/** `won` returns the money to the business; after `lost` and `accepted` the customer keeps it. */
export type DisputeOutcome = 'won' | 'lost' | 'accepted';

export type DisputeClosed = {
  readonly type: 'DisputeClosed';
  readonly paymentId: PaymentId;
  readonly squareDisputeId: string;
  readonly amount: Cents;
  readonly outcome: DisputeOutcome;
};

/**
 * Reconciliation found a payment at Square that belongs to no attempt in the ledger. In the stream of an order this
 * event is also the intent to return the payment. In a stream of its own it needs a person.
 */
export type OrphanPaymentFound = {
  readonly type: 'OrphanPaymentFound';
  readonly squarePaymentId: string;
  readonly amount: Cents;
  /** The reference of the payment at Square, if there is one. */
  readonly reference?: string;
  /** ISO 8601 instant, as Square reports it. */
  readonly takenAt: string;
};

/**
 * Square returned an orphan payment or a part of it, because the server or an admin in Square's dashboard asked for it.
 */
export type OrphanPaymentReturned = {
  readonly type: 'OrphanPaymentReturned';
  readonly squarePaymentId: string;
  readonly squareRefundId: string;
  readonly amount: Cents;
  /** ISO 8601 instant, as Square reports it. */
  readonly returnedAt: string;
};

/** The customer's contact is erased. It was never in the ledger, so the ledger still verifies. */
export type ContactErased = { readonly type: 'ContactErased'; readonly erasedBy: string };

/** Every event of an order's stream. */
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
  | CustomerReimbursed
  | RefundSplitCorrected
  | ExcessRefundFound
  | DisputeOpened
  | DisputeClosed
  | OrphanPaymentFound
  | OrphanPaymentReturned
  | ContactErased;

/** A command, or a fact that Square reports, with the fields of the event that it becomes. */
export type Becomes<Event, Type extends string> = { readonly type: Type } & Omit<Event, 'type'>;
