import type { Tier } from '../catalog.ts';
import type { Cents } from '../money.ts';
import type { DeliveryOption, QuoteLines, RugCharges } from '../quote.ts';
import type { Inches } from '../rug.ts';
import type { IdempotencyKey, OrderId, PaymentId } from './ids.ts';

/** A rug as it was sold: what was ordered and what each part of it costs. */
export type SoldRug = {
  readonly width: Inches;
  readonly length: Inches;
  readonly tier: Tier;
  readonly stainProtection: boolean;
  readonly greenPad: boolean;
  readonly repairInspection: boolean;
  /** Per square foot, as it was sold. */
  readonly price: Cents;
  readonly charges: RugCharges;
  readonly total: Cents;
};

/** Where an order came from: the company's marketing page or its own, and the variant of the A/B test that the customer saw. */
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
  /** Salted SHA-256 of the contact, 64 hexadecimal digits: the contact can be proven while it is kept, and forgotten. */
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
export type VoidReason =
  /** Nobody learned what became of the authorisation, so it was cancelled by its key. */
  | 'AuthorizationUnknown'
  /** The hold was not completed in time. */
  | 'AuthorizationExpired'
  /** Square no longer holds the money. */
  | 'HoldReleased'
  /** Square held another amount than the order's. */
  | 'AmountDiffers';

export type PaymentVoided = {
  readonly type: 'PaymentVoided';
  readonly paymentId: PaymentId;
  readonly reason: VoidReason;
};

/** Everything that can stand in the stream of an order. */
export type OrderEvent =
  | OrderPlaced
  | PaymentStarted
  | PaymentAuthorized
  | PaymentCaptured
  | PaymentDeclined
  | PaymentVoided;
