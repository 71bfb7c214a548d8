import type { DisputeStatus, OrderPaymentStatus } from '@kilim/domain/projection/order-summary';
import type { RefundHistoryStatus } from '@kilim/domain/projection/refund-history';
import type { TimelineTone } from '@kilim/domain/projection/timeline';
import type * as z from 'zod/mini';
import type { CustomerInfo, QuoteAnswer, quotedRug } from '../../../contract/quote.ts';

/**
 * The shapes of the back office's calls about orders, refunds and figures, under the specification's field names (sections 3 and 7).
 * Amounts are US dollars with at most two decimals, instants are ISO 8601, dates are days of the business (`2026-11-21`).
 *
 * Lists are arrays. Their headers say the rest: `X-Total-Count` how many there are on all pages, and `Link` where the `first`, `prev`,
 * `next` and `last` page is. A search that finds very many says so with `X-Total-At-Least: true`: then there may be more than the
 * count, and `Link` knows no `last`.
 */

// Orders

/**
 * The query of `GET /api/admin/orders`; all of it may be left out. A value that is none of these is answered with 422 and `fields`.
 * A search without `payment` looks at all orders, because the customer on the telephone may be one whose card was declined.
 */
export type AdminOrdersQuery = {
  /** From 1. */
  readonly page?: number;
  /** 10 unless told, 100 at most. */
  readonly pageSize?: number;
  /** Beginnings of words of the name or the email, the telephone number, the order's id or the last 8 of it, the payment's id (whole or its first 8 and more), Square's payment id. */
  readonly search?: string;
  /** Of refunds: `none` is 'No Refunds', `pending` 'Refund Pending', `partial` 'Partially Refunded', `full` 'Fully Refunded'. */
  readonly status?: 'none' | 'pending' | 'partial' | 'full';
  /** `paid` unless told: money was taken. `attempts`: none was, or not yet. */
  readonly payment?: 'paid' | 'attempts' | 'all';
  readonly delivery?: 'dropoff' | 'pickup';
  /** First and last day on which the orders were placed, in the time zone of the business. */
  readonly from?: string;
  readonly to?: string;
  /** `-createdAt`, newest first, unless told. */
  readonly sort?: '-createdAt' | 'createdAt';
};

export type OrderRefundStatus = 'No Refunds' | 'Refund Pending' | 'Partially Refunded' | 'Fully Refunded';

/** One row of `GET /api/admin/orders`. */
export type AdminOrderRow = {
  readonly _id: string;
  readonly createdAt: string;
  readonly totalCost: number;
  /** The latest attempt's; null before anybody tried to pay. */
  readonly paymentId: string | null;
  readonly paymentStatus: OrderPaymentStatus;
  readonly includesDelivery: boolean;
  /** Null once it was erased. */
  readonly customerInfo: { readonly name: string; readonly email: string; readonly phone: string } | null;
  readonly rugCount: number;
  readonly refundStatus: OrderRefundStatus;
  readonly remainingRefundable: number;
  readonly disputeStatus: DisputeStatus;
};

/** `GET /api/admin/orders/{id}`. 404: 'Order not found'. */
export type AdminOrderAnswer = {
  readonly order: AdminOrder;
  /** In the order of the form: the place in this list is the `rugIndex` of refunds. */
  readonly items: readonly AdminOrderItem[];
  /** Oldest first. */
  readonly timeline: readonly TimelineEntryAnswer[];
  /** Newest first, as in `GET /api/admin/orders/{id}/refunds`. */
  readonly refunds: readonly AdminRefund[];
};

export type AdminOrder = {
  readonly _id: string;
  readonly createdAt: string;
  readonly paidAt: string | null;
  readonly totalCost: number;
  readonly paymentId: string | null;
  readonly paymentStatus: OrderPaymentStatus;
  readonly includesDelivery: boolean;
  readonly deliveryOption: 'dropoff' | 'pickup';
  /** In full; null once it was erased. */
  readonly customerInfo: CustomerInfo | null;
  /** Everything that adds up to `totalCost`. */
  readonly subtotal: number;
  readonly delivery: number;
  readonly deliveryMinimum: number;
  readonly addOns: QuoteAnswer['addOns'];
  readonly salesTax: number;
  /** Null while no money was taken. */
  readonly payment: AdminPayment | null;
  readonly refundStatus: OrderRefundStatus;
  readonly refunded: number;
  /** Promised, and not yet with the customer. */
  readonly refundPending: number;
  readonly remainingRefundable: number;
  /** What is left to refund of the delivery minimum; of each rug it stands in `items`. */
  readonly refundableDeliveryMinimum: number;
  /** Why no refund at all is possible now, in a sentence to show; null when one is. */
  readonly refundBlock: { readonly code: string; readonly message: string } | null;
  readonly disputeStatus: DisputeStatus;
  /** Whether the form stood in the company's page, and the variant of the A/B test. */
  readonly source: { readonly embedded: boolean; readonly variant: string };
};

export type AdminPayment = {
  readonly squarePaymentId: string;
  /** Square's names: `VISA`, `AMERICAN_EXPRESS`, ... */
  readonly cardBrand: string;
  readonly cardLastFour: string;
  readonly amount: number;
  readonly receiptUrl: string | null;
  readonly receiptNumber: string | null;
  readonly capturedAt: string;
  /** What Square kept; null as long as it has not said. */
  readonly fee: number | null;
};

export type AdminOrderItem = z.input<typeof quotedRug> & {
  /** What the rug's `totalCost` is made of, beside `baseCost` and `deliveryCost`. */
  readonly stainProtectionCost: number;
  readonly mothProtectionCost: number;
  readonly salesTax: number;
  /** What is left to refund of this rug. */
  readonly refundable: number;
  /** The same, charge by charge. */
  readonly refundableCharges: RugChargesAnswer;
};

/** The charges that make up a rug's total. */
export type RugChargesAnswer = {
  readonly baseCost: number;
  readonly deliveryCost: number;
  readonly stainProtectionCost: number;
  readonly mothProtectionCost: number;
  readonly salesTax: number;
};

export type TimelineEntryAnswer = {
  readonly at: string;
  /** A plain sentence: 'Payment of $758.22 taken'. */
  readonly what: string;
  /** More of it, when there is more to say. */
  readonly detail: string | null;
  /** What the event moved; negative is money out. Null when no money moved. */
  readonly amount: number | null;
  readonly tone: TimelineTone;
  /** 'Customer', 'Automatic', or the administrator's name. */
  readonly who: string;
};

// Refunds

/** The query of `GET /api/admin/refunds`; all of it may be left out. Newest first. */
export type AdminRefundsQuery = {
  readonly page?: number;
  /** 10 unless told, 100 at most. */
  readonly pageSize?: number;
  /** The order's id or the last 8 of it, the refund's id, Square's refund id. */
  readonly search?: string;
  readonly status?: RefundHistoryStatus;
  /** First and last day on which the refunds were requested, in the time zone of the business. */
  readonly from?: string;
  readonly to?: string;
};

/** One refund in `GET /api/admin/refunds`, in `GET /api/admin/orders/{id}/refunds` (newest first), and the answer to a new one. */
export type AdminRefund = {
  readonly _id: string;
  readonly refundId: string;
  readonly orderId: { readonly _id: string };
  readonly paymentId: string;
  readonly squareRefundId: string | null;
  readonly amount: number;
  readonly status: RefundHistoryStatus;
  readonly refundType: 'full' | 'partial';
  readonly reason: string;
  readonly adminNotes: string | null;
  readonly createdAt: string;
  /** When it was completed or failed. */
  readonly settledAt: string | null;
  readonly rugItems: readonly { readonly rugIndex: number; readonly amount: number }[];
  /** What was chosen of the delivery minimum. */
  readonly deliveryMinimum: number;
  /** What the amount is made of, for accountants. */
  readonly split: {
    readonly services: number;
    readonly addOns: number;
    readonly delivery: number;
    readonly deliveryMinimum: number;
    readonly salesTax: number;
  };
  /** The administrator's name, or 'Square dashboard'. */
  readonly requestedBy: string;
  /** Why it failed, and what to do about it, in sentences to show. Null unless the status is `failed`. */
  readonly failure: { readonly code: string; readonly message: string; readonly advice: string } | null;
};

/** `POST /api/admin/refund`. 201 answers `AdminRefund`: `completed`, or `pending` until Square has decided. */
export type RefundRequest = {
  readonly paymentId: string;
  /** Two-decimal text, or a number. A full refund is all that is left. */
  readonly amount: string | number;
  readonly reason: string;
  readonly refundType: 'full' | 'partial';
  /** Together with `deliveryMinimum` at most `amount`; less is a free amount beyond the chosen rugs. `reason` of a rug is not kept. */
  readonly rugItems?:
    | readonly { readonly rugIndex: number; readonly amount: string | number; readonly reason?: string | undefined }[]
    | undefined;
  readonly deliveryMinimum?: string | number | undefined;
  readonly adminNotes?: string | undefined;
  /** 16 to 45 letters, digits, - and _. Chosen once per dialog, not per click: the same key again is the same refund. */
  readonly idempotencyKey: string;
};

/** 404, 409 and 422 of `POST /api/admin/refund`. `remaining` is what can be refunded now, for the dialog to go on with; null when the payment is not known. */
export type RefundProblemAnswer = {
  readonly code: string;
  readonly message: string;
  readonly remaining: number | null;
  readonly fields?: Readonly<Record<string, string>>;
};

// Password

/** `POST /api/admin/password-strength` with `{ password }`: what would be said of it as the new one. Nothing is changed or kept. */
export type PasswordStrengthAnswer = {
  /** From 0, guessed at once, to 4. */
  readonly score: number;
  /** Why it would be refused; null when it would not. */
  readonly message: string | null;
  /** What would make it stronger. */
  readonly suggestions: readonly string[];
};

// Erasure

/**
 * `POST /api/admin/orders/{id}/erase-contact` with `{}`: the customer's name, email, telephone number and address are gone for ever, here and in
 * every list and search; amounts and events stay. 403 `ReauthenticationRequired` as for a refund. A repeat answers what the first one did, and
 * `customerInfo` of the order is null from then on.
 */
export type ContactErasureAnswer = {
  readonly erasedAt: string;
  /** The administrator's name. */
  readonly erasedBy: string;
};

// Figures

/** `GET /api/admin/statistics?from&to`: days in the time zone of the business, the last 30 with today unless told, 400 at most. */
export type StatisticsAnswer = {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  /** Every day from the first to the last, also those on which nothing happened. */
  readonly days: readonly (Figures & { readonly date: string })[];
  /** Of all those days together. */
  readonly total: Figures;
  readonly today: Figures;
  readonly thisMonth: Figures;
};

export type Figures = {
  /** Orders that were paid. */
  readonly orders: number;
  /** Money taken. */
  readonly takings: number;
  /** Money given back, here or in Square's dashboard. */
  readonly refunds: number;
  readonly refundCount: number;
  /** What Square kept. */
  readonly fees: number;
  /** Takings without refunds and fees. */
  readonly net: number;
};
