import type { DeliveryOption } from '../catalog.ts';
import type { PickupWindow } from '../contact.ts';
import type { Day } from '../day.ts';
import type { Cents } from '../money.ts';
import type { QuoteLines, RugCharges } from '../quote.ts';
import type { SalesTax } from '../rates.ts';
import type { Rug } from '../rug.ts';
import type { IdempotencyKey, OrderId, PaymentId, RefundId } from './ids.ts';
import type { RefundReason } from './refund-reasons.ts';

export type SoldRug = Rug & {
  /** Per square foot, as it was sold. */
  readonly price: Cents;
  readonly charges: RugCharges;
  readonly total: Cents;
};

/** The company's marketing page or the app's own page, and the variant of the A/B test. */
export type OrderSource = { readonly embedded: boolean; readonly variant: string };

/** The order never changes afterwards. */
export type OrderPlaced = {
  readonly type: 'OrderPlaced';
  readonly orderId: OrderId;
  /** The order whose rugs were larger than ordered: this one pays the difference. */
  readonly supplementOf?: OrderId;
  readonly rugs: readonly SoldRug[];
  readonly deliveryOption: DeliveryOption;
  readonly lines: QuoteLines;
  readonly salesTax: SalesTax;
  readonly total: Cents;
  /** 0 is the built-in catalogue. */
  readonly settingsVersion: number;
  readonly source: OrderSource;
  /**
   * Salted SHA-256 of the contact, 64 hexadecimal digits: proves it while it is kept, and reveals nothing after its
   * erasure.
   */
  readonly contactDigest: string;
};

/** The intent, recorded before Square is asked. */
export type PaymentStarted = {
  readonly type: 'PaymentStarted';
  readonly paymentId: PaymentId;
  readonly idempotencyKey: IdempotencyKey;
  readonly amount: Cents;
};

/** Square's judgment: how likely the cardholder did not pay. */
export const paymentRisks = ['normal', 'moderate', 'high'] as const;
export type PaymentRisk = (typeof paymentRisks)[number];

/** The card holds the money; nothing is taken yet. */
export type PaymentAuthorized = {
  readonly type: 'PaymentAuthorized';
  readonly paymentId: PaymentId;
  readonly squarePaymentId: string;
  readonly cardBrand: string;
  readonly cardLastFour: string;
  /** Absent when Square did not judge the payment. */
  readonly risk?: PaymentRisk;
};

/** The money is taken. */
export type PaymentCaptured = {
  readonly type: 'PaymentCaptured';
  readonly paymentId: PaymentId;
  readonly amount: Cents;
  readonly receiptUrl?: string;
  readonly receiptNumber?: string;
  /** ISO 8601 instant, as Square reports it; so are the other instants of this file. */
  readonly capturedAt: string;
};

/** `counter`: at Square's own terminal. A payout has it as a sale outside the ledger, and the books move it here. */
export const shopPaymentMethods = ['cash', 'check', 'counter'] as const;
export type ShopPaymentMethod = (typeof shopPaymentMethods)[number];

/** A customer paid a difference in the shop, without a payment of this ledger at Square. */
export type CustomerPaid = {
  readonly type: 'CustomerPaid';
  readonly paymentId: PaymentId;
  readonly idempotencyKey: IdempotencyKey;
  readonly amount: Cents;
  readonly method: ShopPaymentMethod;
  /** Of the check or receipt. */
  readonly reference?: string;
  readonly paidAt: string;
};

/** The customer may try another card on the same order. */
export type PaymentDeclined = {
  readonly type: 'PaymentDeclined';
  readonly paymentId: PaymentId;
  /** Square's error code and category. */
  readonly code: string;
  readonly category: string;
};

/** An attempt ended without a charge and without a decline. */
export const voidReasons = [
  /** The outcome was unknown, so the authorization was cancelled by its key. */
  'AuthorizationUnknown',
  /** The hold was not completed in time. */
  'AuthorizationExpired',
  /** Square no longer holds the money. */
  'HoldReleased',
  /** Not the order's amount. */
  'AmountDiffers',
  /** Square refused the server's credentials. */
  'CredentialsRefused',
] as const;
export type VoidReason = (typeof voidReasons)[number];

export type PaymentVoided = {
  readonly type: 'PaymentVoided';
  readonly paymentId: PaymentId;
  readonly reason: VoidReason;
};

/** As soon as Square reports it; negative for a returned fee. A correction is another event with the difference. */
export type ProcessingFeeAssessed = {
  readonly type: 'ProcessingFeeAssessed';
  readonly paymentId: PaymentId;
  /** Square's payment or refund. */
  readonly squareId: string;
  readonly amount: Cents;
};

export type RefundedCharge = {
  readonly rugIndex: number;
  readonly charge: keyof RugCharges;
  readonly amount: Cents;
};

export type RefundedRug = { readonly rugIndex: number; readonly amount: Cents };

/** Per charge of each rug, to the cent. The parts add up to the refund's amount. */
export type RefundAllocation = {
  readonly rugs: readonly { readonly rugIndex: number; readonly charges: RugCharges }[];
  readonly deliveryMinimum: Cents;
};

export type RefundSplit = {
  readonly services: Cents;
  readonly addOns: Cents;
  readonly delivery: Cents;
  readonly deliveryMinimum: Cents;
  readonly salesTax: Cents;
};

export type RefundType = 'full' | 'partial';

/** The amount is reserved and cannot be refunded a second time. */
export type RefundRequested = {
  readonly type: 'RefundRequested';
  readonly refundId: RefundId;
  readonly paymentId: PaymentId;
  readonly refundType: RefundType;
  readonly amount: Cents;
  readonly reason: string;
  /** Only in a stream that was read for people: the ledger holds no free text. */
  readonly notes?: string;
  /** Hexadecimal SHA-256 of the salted text beside the ledger. Absent: there was no text. */
  readonly textDigest?: string;
  /** Empty for a full refund and for a free amount. A rug of which only some charges are chosen has their sum. */
  readonly items: readonly RefundedRug[];
  /** Of rugs that are not chosen whole. */
  readonly charges: readonly RefundedCharge[];
  readonly deliveryMinimum: Cents;
  readonly allocation: RefundAllocation;
  readonly split: RefundSplit;
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

/** The reserved amount is refundable again. */
export type RefundFailed = {
  readonly type: 'RefundFailed';
  readonly refundId: RefundId;
  readonly amount: Cents;
  /** Present if Square had accepted the refund: it then refuses all further refunds of this payment. */
  readonly squareRefundId?: string;
  readonly code: string;
};

export type ExternalRefundRecorded = {
  readonly type: 'ExternalRefundRecorded';
  readonly paymentId: PaymentId;
  readonly squareRefundId: string;
  readonly amount: Cents;
  readonly allocation: RefundAllocation;
  readonly split: RefundSplit;
  readonly refundedAt: string;
};

export const reimbursementMethods = ['check', 'cash', 'bank-transfer'] as const;
export type ReimbursementMethod = (typeof reimbursementMethods)[number];

/** Given back outside Square; it counts as refunded. */
export type CustomerReimbursed = {
  readonly type: 'CustomerReimbursed';
  readonly reimbursementId: RefundId;
  readonly paymentId: PaymentId;
  readonly amount: Cents;
  readonly method: ReimbursementMethod;
  /** The day on the check or the transfer, on which the event happened. */
  readonly paidOn: Day;
  readonly reference?: string;
  readonly reason: RefundReason;
  readonly allocation: RefundAllocation;
  readonly split: RefundSplit;
  readonly reimbursedBy: string;
  readonly recordedAt: string;
};

/** A list, so that no free text enters the ledger. */
export const correctionReasons = [
  'Made in the dashboard of Square',
  'Chosen by mistake',
  'Agreed with the customer',
  'To correct the sales tax',
] as const;
export type CorrectionReason = (typeof correctionReasons)[number];

/**
 * A person said which charges a completed refund was for. No money moves, but other charges become refundable, and the
 * books move the difference between sales and sales tax.
 */
export type RefundSplitCorrected = {
  readonly type: 'RefundSplitCorrected';
  /** The id of a refund or reimbursement, or Square's id for one of its dashboard. */
  readonly correctedRefundId: string;
  readonly amount: Cents;
  /** Absent for a refund of Square's dashboard. */
  readonly reason?: string;
  readonly why: CorrectionReason;
  readonly before: RefundAllocation;
  readonly items: readonly RefundedRug[];
  readonly deliveryMinimum: Cents;
  readonly allocation: RefundAllocation;
  readonly split: RefundSplit;
  readonly by: string;
};

/** The part above the order's rest; `ExternalRefundRecorded` holds the part that fits. */
export type ExcessRefundFound = {
  readonly type: 'ExcessRefundFound';
  readonly paymentId: PaymentId;
  readonly squareRefundId: string;
  readonly amount: Cents;
  readonly refundedAt: string;
};

/** The bank takes the payment back until the dispute is decided. */
export type DisputeOpened = {
  readonly type: 'DisputeOpened';
  readonly paymentId: PaymentId;
  readonly squareDisputeId: string;
  readonly amount: Cents;
  /** Square's: `NOT_AS_DESCRIBED`, `NO_KNOWLEDGE`. */
  readonly reason: string;
  /** The deadline for evidence. */
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
 * A payment at Square that belongs to no attempt. In an order's stream it is also the intent to return it; in a stream
 * of its own it needs a person.
 */
export type OrphanPaymentFound = {
  readonly type: 'OrphanPaymentFound';
  readonly squarePaymentId: string;
  readonly amount: Cents;
  readonly reference?: string;
  readonly takenAt: string;
};

/** The server, or an admin in Square's dashboard, asked for it. */
export type OrphanPaymentReturned = {
  readonly type: 'OrphanPaymentReturned';
  readonly squarePaymentId: string;
  readonly squareRefundId: string;
  readonly amount: Cents;
  readonly returnedAt: string;
};

/** The day on which the shop collects the rugs. The last one holds. */
export type PickupAgreed = { readonly type: 'PickupAgreed'; readonly day: Day; readonly window: PickupWindow };

/** In the shop, in whole inches. */
export type MeasuredSize = Pick<Rug, 'width' | 'length'>;

/** The rugs are in the shop. The last measurement holds. */
export type RugsReceived = {
  readonly type: 'RugsReceived';
  /** In the order of the rugs. */
  readonly sizes: readonly MeasuredSize[];
};

/** A larger rug costs more: the customer may pay the difference with an order of its own. */
export type SupplementRequested = {
  readonly type: 'SupplementRequested';
  /** Of the order that the customer pays. */
  readonly supplementId: OrderId;
  readonly amount: Cents;
  /** What it is for. */
  readonly charges: RefundAllocation;
  /** The last day on which it can be paid. */
  readonly expiresOn: Day;
};

export type SupplementWithdrawn = { readonly type: 'SupplementWithdrawn'; readonly supplementId: OrderId };

/** A list, so that no free text enters the ledger. */
export const waiverReasons = ['Goodwill', 'Agreed with the customer', 'Too small to ask for'] as const;
export type WaiverReason = (typeof waiverReasons)[number];

/** The customer need not pay the difference of the last measurement. */
export type DifferenceWaived = {
  readonly type: 'DifferenceWaived';
  readonly amount: Cents;
  readonly reason: WaiverReason;
};

/** The rugs are clean. */
export type OrderReady = { readonly type: 'OrderReady' };

/** The customer has the rugs again. */
export type OrderHandedOver = { readonly type: 'OrderHandedOver' };

export const intakeSteps = ['received', 'waived', 'ready', 'handed-over'] as const;
export type IntakeStep = (typeof intakeSteps)[number];

/** A person pressed the wrong button. `received`: the rugs are not in the shop, and no measurement holds. */
export type StepUndone = { readonly type: 'StepUndone'; readonly step: IntakeStep };

/** The contact was never in the ledger, so the ledger still verifies. */
export type ContactErased = { readonly type: 'ContactErased'; readonly erasedBy: string };

export type OrderEvent =
  | OrderPlaced
  | PaymentStarted
  | PaymentAuthorized
  | PaymentCaptured
  | CustomerPaid
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
  | PickupAgreed
  | RugsReceived
  | SupplementRequested
  | SupplementWithdrawn
  | DifferenceWaived
  | OrderReady
  | OrderHandedOver
  | StepUndone
  | ContactErased;

/** A command or a fact of Square with the fields of its event. */
export type Becomes<Event, Type extends string> = { readonly type: Type } & Omit<Event, 'type'>;
