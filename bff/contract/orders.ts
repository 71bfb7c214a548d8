import { deliveryOptions } from '@kilim/domain/catalog';
import { orderPaymentStatuses, orderStages } from '@kilim/domain/projection/order-summary';
import * as z from 'zod/mini';
import { size } from './intake.ts';
import { orderMails } from './mails.ts';
import { dollars, signedDollars } from './money.ts';
import { agreedPickup } from './pickup-plan.ts';
import { addOnCosts, customerInfo, quotedRug } from './quote.ts';
import { refunds } from './refunds.ts';
import { plainText } from './text.ts';

const refundStatus = z.enum(['No Refunds', 'Refund Pending', 'Partially Refunded', 'Fully Refunded']);
export type OrderRefundStatus = z.output<typeof refundStatus>;

const standing = {
  _id: z.string(),
  createdAt: z.string(),
  totalCost: dollars,
  /** The latest attempt's; null before the first one. */
  paymentId: z.nullable(z.string()),
  paymentStatus: z.enum(orderPaymentStatuses),
  includesDelivery: z.boolean(),
  refundStatus,
  remainingRefundable: dollars,
  disputeStatus: z.enum(['none', 'open', 'won', 'lost', 'accepted']),
  stage: z.enum(orderStages),
  /** The customer was asked for a difference and has not paid it. */
  isAsked: z.boolean(),
  /** Of failed refunds that nobody made good since. */
  owedRefund: dollars,
};

export const orderRows = z.array(
  z.object({
    ...standing,
    /** Null after the contact was erased. */
    customerInfo: z.nullable(z.object({ name: z.string(), email: z.string(), phone: z.string() })),
    rugCount: z.number(),
  }),
);
export type OrderRow = z.output<typeof orderRows>[number];
export type OrderRowAnswer = z.input<typeof orderRows>[number];

const payment = z.object({
  squarePaymentId: z.string(),
  /** Square's names: `VISA`, `AMERICAN_EXPRESS`, ... */
  cardBrand: z.string(),
  cardLastFour: z.string(),
  amount: dollars,
  receiptUrl: z.nullable(z.string()),
  receiptNumber: z.nullable(z.string()),
  capturedAt: z.string(),
  /** Null until Square has reported it. */
  fee: z.nullable(dollars),
});

const order = z.object({
  ...standing,
  paidAt: z.nullable(z.string()),
  deliveryOption: z.enum(deliveryOptions),
  /** Null until the shop and the customer have agreed. */
  agreedPickup: z.nullable(agreedPickup),
  /** Null after the contact was erased. */
  customerInfo: z.nullable(customerInfo),
  // The lines of `totalCost`.
  subtotal: dollars,
  delivery: dollars,
  deliveryMinimum: dollars,
  addOns: addOnCosts,
  salesTax: dollars,
  salesTaxName: z.string(),
  payment: z.nullable(payment),
  refunded: dollars,
  refundPending: dollars,
  /** Each rug has its own in `items`. */
  refundableDeliveryMinimum: dollars,
  /** Null when a refund is possible. */
  refundBlock: z.nullable(z.object({ code: z.string(), message: z.string() })),
  source: z.object({ embedded: z.boolean(), variant: z.string() }),
  erasableTexts: z.int(),
  /** The order of which this one pays a difference. */
  supplementOf: z.nullable(z.string()),
});

const rugCharges = {
  baseCost: dollars,
  deliveryCost: dollars,
  stainProtectionCost: dollars,
  mothProtectionCost: dollars,
  salesTax: dollars,
};

const item = z.object({
  ...quotedRug.shape,
  ...rugCharges,
  refundable: dollars,
  refundableCharges: z.object(rugCharges),
  /** Null until it is received. */
  measured: z.nullable(size),
});
export type OrderItem = z.output<typeof item>;
export type RugChargeCosts = OrderItem['refundableCharges'];

const timelineEntry = z.object({
  at: z.string(),
  /** A sentence: 'Payment of $758.22 taken'. */
  what: z.string(),
  detail: z.nullable(z.string()),
  /** Negative for money out; null when no money moved. */
  amount: z.nullable(signedDollars),
  tone: z.enum(['plain', 'money', 'good', 'warning', 'bad']),
  /** 'Customer', 'Automatic', or the administrator's name. */
  who: z.string(),
});
export type TimelineEntry = z.output<typeof timelineEntry>;

export const orderDetail = z.object({
  order,
  /** In the order of the form: refunds name a rug by its place here. */
  items: z.array(item),
  timeline: z.array(timelineEntry),
  refunds,
  refundedCharges: z.array(
    z.object({
      refundId: z.string(),
      rugs: z.array(z.object({ rugIndex: z.number(), charges: z.object(rugCharges) })),
      deliveryMinimum: dollars,
    }),
  ),
  /** Newest first; empty for people who do not see contacts. */
  notes: z.array(
    z.object({
      id: z.int(),
      /** Null when the note was deleted. */
      text: z.nullable(z.string()),
      by: z.string(),
      at: z.string(),
      deleted: z.nullable(z.object({ by: z.string(), at: z.string() })),
    }),
  ),
  /** Oldest first; empty for people who do not see contacts. */
  mails: orderMails,
  /** By email or telephone number, at most twenty. Empty for people who do not see contacts. */
  otherOrders: orderRows,
});

export const orderNoteRequest = z.object({
  text: z.string('Please write a note').check(
    z.overwrite((text) => plainText(text).trim()),
    z.minLength(1, 'Please write a note'),
    z.maxLength(2000, 'At most 2000 characters'),
  ),
});
export type OrderDetail = z.output<typeof orderDetail>;
export type AdminOrder = OrderDetail['order'];
export type OrderDetailAnswer = z.input<typeof orderDetail>;

/**
 * Also erases the text and notes of the order's refunds. Amounts and events stay. A repeat answers what the first one
 * did.
 */
export const contactErasure = z.object({
  erasedAt: z.string(),
  erasedBy: z.string(),
});
export type ContactErasure = z.output<typeof contactErasure>;
