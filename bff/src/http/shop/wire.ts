import type { OrderPaymentStatus } from '@kilim/domain/projection/order-summary';
import type { TierComparison } from '@kilim/domain/tier-comparison';

/**
 * The shapes of the public calls, under the specification's field names (sections 3 and 7). Amounts here are US dollars with
 * at most two decimals and sizes are decimal feet; inside the system both are integers. `wire-mapping.ts` is the only place
 * that goes from one to the other.
 */

export type RugRequest = {
  readonly widthFeet: number;
  readonly widthInches: number;
  readonly lengthFeet: number;
  readonly lengthInches: number;
  readonly serviceTier: 'premium' | 'midrange' | 'economy';
  readonly stainProtection: boolean;
  readonly mothProtection: boolean;
  readonly repairInspection: boolean;
};

export type CustomerInfo = {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zipCode: string;
};

/** `POST /api/quote` */
export type QuoteRequest = {
  readonly rugs: readonly RugRequest[];
  /** `none` is a stored legacy value and is read as `dropoff`. */
  readonly deliveryOption: 'dropoff' | 'pickup' | 'none';
  readonly customerInfo: CustomerInfo;
};

export type QuotedRugAnswer = RugRequest & {
  /** Decimal feet. */
  readonly width: number;
  readonly length: number;
  readonly unit: 'feet';
  /** Square feet, two decimals. */
  readonly area: number;
  readonly pricePerSqft: number;
  readonly baseCost: number;
  readonly deliveryCost: number;
  /** Everything that this rug costs: base, its shares of delivery and tax, its add-ons. */
  readonly totalCost: number;
};

/** The authoritative quote. With `customerInfo` it is what the browser keeps as `currentOrder`. */
export type QuoteAnswer = {
  /** The identity of the order that this quote becomes when it is paid; every attempt to pay it carries it. */
  readonly orderId: string;
  readonly rugs: readonly QuotedRugAnswer[];
  readonly deliveryOption: 'dropoff' | 'pickup';
  readonly includeDelivery: boolean;
  readonly subtotal: number;
  /** 'White Glove Pickup & Delivery' */
  readonly delivery: number;
  /** 'Delivery Minimum' */
  readonly deliveryMinimum: number;
  /** `delivery` and `deliveryMinimum` together. */
  readonly deliveryCost: number;
  readonly addOns: {
    readonly stainProtection: number;
    readonly mothProtection: number;
    readonly repairInspection: number;
  };
  readonly salesTax: number;
  readonly totalAmount: number;
};

/** `POST /api/process-payment` */
export type PaymentRequest = {
  readonly token: string;
  /** The total that the customer was shown: a number or two-decimal text. Another total than the server's is refused. */
  readonly amount: number | string;
  readonly verificationToken?: string | undefined;
  readonly orderDetails: {
    readonly orderId?: string | undefined;
    readonly rugs: readonly RugRequest[];
    readonly deliveryOption: 'dropoff' | 'pickup' | 'none';
    readonly customerInfo: CustomerInfo;
    /** Whether the form stood in a frame, and the A/B variant the customer saw. */
    readonly source?: { readonly embedded: boolean; readonly variant: string } | undefined;
  };
  readonly idempotencyKey: string;
};

export type PaymentAnswer =
  /** 200 */
  | { readonly success: true; readonly paymentId: string; readonly orderId: string }
  /** 202: nobody knows yet. Poll `payment-attempts/{idempotencyKey}` with the key given here, and do not pay again. */
  | { readonly success: false; readonly status: 'pending'; readonly orderId: string; readonly idempotencyKey: string }
  /** 402: `message` is fit to show. The attempt was voided or declined; the order can be paid with a new key and card. */
  | { readonly success: false; readonly message: string; readonly code: string };

/** 409 of `process-payment`: the price is not the one that the customer was shown. Nothing was charged. */
export type PriceChangedAnswer = {
  readonly success: false;
  readonly code: 'PriceChanged';
  readonly message: string;
  readonly quote: QuoteAnswer;
};

/** `GET /api/payment-attempts/{idempotencyKey}` */
export type PaymentAttemptAnswer =
  | { readonly status: 'pending'; readonly orderId: string }
  | { readonly status: 'captured'; readonly orderId: string; readonly paymentId: string }
  | {
      readonly status: 'declined' | 'voided';
      readonly orderId: string;
      readonly code: string;
      readonly message: string;
    };

/** `GET /api/orders/payment/{paymentId}` and `POST /api/save-order` */
export type OrderAnswer = {
  readonly order: {
    readonly _id: string;
    readonly paymentId: string;
    readonly paymentStatus: OrderPaymentStatus;
    readonly deliveryOption: 'dropoff' | 'pickup';
    readonly includesDelivery: boolean;
    /** Masked unless this browser paid. */
    readonly customerInfo: CustomerInfo;
    readonly subtotal: number;
    readonly deliveryCost: number;
    readonly addOns: QuoteAnswer['addOns'];
    readonly salesTax: number;
    readonly totalCost: number;
    readonly createdAt: string;
    readonly paidAt: string | null;
    /** Square's own receipt, when there is one. */
    readonly receiptUrl: string | null;
  };
  readonly items: readonly QuotedRugAnswer[];
  /** What was taken, and from which card; null until it was. */
  readonly payment: CapturedPaymentAnswer | null;
  /** Oldest first; those that failed too, because the customer may have been told of them. */
  readonly refunds: readonly ReceiptRefund[];
};

export type CapturedPaymentAnswer = {
  readonly amount: number;
  /** Square's names: `VISA`, `AMERICAN_EXPRESS`, ... */
  readonly cardBrand: string;
  readonly cardLastFour: string;
  readonly receiptUrl?: string;
  readonly receiptNumber?: string;
  readonly capturedAt: string;
};

/** A refund as the customer may see it: no reason, no notes, nobody's name. */
export type ReceiptRefund = {
  readonly amount: number;
  readonly status: 'pending' | 'completed' | 'failed';
  /** `second-charge`: the card was charged once more than the order needs, and that charge goes back. */
  readonly refundType: 'full' | 'partial' | 'second-charge';
  readonly createdAt: string;
};

/** `GET /api/verify-payment/{paymentId}` */
export type VerificationAnswer = { readonly status: 'COMPLETED' | 'PENDING' | 'FAILED' };

/** `GET /api/config` */
export type ConfigAnswer = {
  readonly square: {
    readonly applicationId: string;
    readonly locationId: string;
    readonly environment: 'simulator' | 'sandbox' | 'production';
    readonly scriptUrl: string;
  };
  readonly parentOrigins: readonly string[];
  readonly abConversionUrl: string | null;
  readonly checkoutTopLevel: boolean;
  readonly business: {
    readonly name: string;
    readonly phone: string;
    readonly bookingUrl: string;
    readonly timeZone: string;
    readonly dropOffSites: readonly { readonly name: string; readonly note: string }[];
  };
};

/** `GET /api/settings`: the public part of the settings. */
export type SettingsAnswer = {
  readonly version: number;
  /** Dollars per square foot. */
  readonly tierPrices: Readonly<Record<'premium' | 'midrange' | 'economy', number>>;
  readonly tierFeatures: Readonly<Record<'premium' | 'midrange' | 'economy', readonly string[]>>;
  readonly tierComparison: TierComparison;
  readonly terms: string;
  /** Addresses by what they show: `pad`, `protection`, `repair`. */
  readonly addOnImages: Readonly<Record<string, string>>;
};

/** `POST /api/admin/login` and `POST /api/admin/reauthenticate`. The token proves for ten minutes that the password was right. */
export type SignInAnswer = { readonly token: string };

/** `GET /api/admin/session` */
export type AdminSessionAnswer = {
  readonly username: string;
  /** Whether the password was given within the last ten minutes, as refunds and settings require. */
  readonly isRecent: boolean;
};

/** One of `GET /api/admin/sessions`, last seen first. */
export type ListedSessionAnswer = {
  readonly id: string;
  readonly createdAt: string;
  readonly seenAt: string;
  readonly address: string;
  readonly userAgent: string;
  /** The one that asks. */
  readonly current: boolean;
};

/** 422 of `POST /api/admin/set-password`. */
export type WeakPasswordAnswer = ProblemAnswer & {
  /** What would help, one sentence each. */
  readonly suggestions: readonly string[];
};

/**
 * `GET` and `POST /api/admin/settings`: the whole object, with fields that nobody here knows under the names they came with. A save
 * names the version that it started from, in `If-Match` (as `ETag` gave it) or in `version`. What it leaves out stays as it
 * is; an unknown field, or an image, that is null is removed.
 */
export type AdminSettingsAnswer = SettingsAnswer & {
  readonly business: Omit<ConfigAnswer['business'], 'timeZone'>;
};

/** 409 of `POST /api/admin/settings`: somebody else saved meanwhile. Nothing of either save is lost. */
export type SettingsConflictAnswer = ProblemAnswer & {
  /** The settings that hold now, and their version. */
  readonly current: AdminSettingsAnswer;
  readonly changedBy: string | null;
  readonly changedAt: string | null;
  /** Each field in which the two differ, and what it was before either of them. */
  readonly differences: readonly {
    readonly path: string;
    /** As the form names it. */
    readonly name: string;
    readonly base: unknown;
    readonly yours: unknown;
    readonly theirs: unknown;
  }[];
};

/** One of `GET /api/admin/settings/history`, newest first; `?before=<version>` goes on. */
export type SettingsHistoryEntry = {
  readonly version: number;
  readonly at: string;
  readonly by: string;
  /** What changed, a sentence per field. */
  readonly changes: readonly string[];
};

/** `POST /api/admin/images` */
export type ImageAnswer = { readonly secure_url: string };

/** Every error. `message` is fit to show; `fields` names each wrong field by its path (`rugs.0.widthFeet`). */
export type ProblemAnswer = {
  readonly code: string;
  readonly message: string;
  readonly fields?: Readonly<Record<string, string>>;
};

/** What the server writes into the page, so that no request delays the first paint: `<script type="application/json" id="kilim">`. */
export type PageData = { readonly config: ConfigAnswer; readonly settings: SettingsAnswer };
