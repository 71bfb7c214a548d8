import { deliveryOptions } from '@kilim/domain/catalog';
import { shopPaymentMethods } from '@kilim/domain/order/events';
import { orderStages } from '@kilim/domain/projection/order-summary';
import * as z from 'zod/mini';
import { dollars } from './money.ts';
import { addOnCosts, customerInfo, quotedRug } from './quote.ts';

/** A page makes a link of it, so a page accepts an address of the web only. The server sends what Square gave. */
const webAddress = z.codec(z.string(), z.string(), {
  decode: (address, payload) => {
    if (/^https?:\/\//.test(address)) return address;
    payload.issues.push({ code: 'custom', input: address, message: 'Not a web address' });
    return z.NEVER;
  },
  encode: (address) => address,
});

export const capturedPayment = z.object({
  amount: dollars,
  /** Square's names: `VISA`, `AMERICAN_EXPRESS`, ... */
  cardBrand: z.string(),
  cardLastFour: z.string(),
  receiptUrl: z.optional(z.string()),
  receiptNumber: z.optional(z.string()),
  capturedAt: z.string(),
});
export type CapturedPayment = z.output<typeof capturedPayment>;

/** As the customer may see it: no reason, no notes, no names. */
export const receiptRefund = z.object({
  amount: dollars,
  status: z.enum(['pending', 'completed', 'failed']),
  /**
   * `reimbursement`: the shop gave the money back itself. `second-charge`: the card was charged once more than the order
   * needs, and that charge goes back.
   */
  refundType: z.enum(['full', 'partial', 'reimbursement', 'second-charge']),
  createdAt: z.string(),
});
export type ReceiptRefund = z.output<typeof receiptRefund>;

export const paidOrder = z.object({
  order: z.object({
    _id: z.string(),
    paymentId: z.string(),
    paymentStatus: z.enum(['unpaid', 'processing', 'paid', 'declined', 'voided']),
    deliveryOption: z.enum(deliveryOptions),
    includesDelivery: z.boolean(),
    /** Absent until the shop and the customer have agreed. */
    agreedPickup: z.optional(z.object({ pickupDay: z.string(), pickupWindow: z.string() })),
    /** Masked unless this browser paid. */
    customerInfo,
    subtotal: dollars,
    deliveryCost: dollars,
    addOns: addOnCosts,
    salesTax: dollars,
    salesTaxName: z.string(),
    totalCost: dollars,
    createdAt: z.string(),
    paidAt: z.nullable(z.string()),
    /** Absent or `none`: none is promised. */
    confirmationMail: z.optional(z.enum(['none', 'coming', 'sent'])),
    receiptUrl: z.nullable(webAddress),
    stage: z.enum(orderStages),
    /** The customer is asked to pay it; null when it is paid or over. */
    difference: z.nullable(z.object({ id: z.string(), amount: dollars })),
    /** Oldest first; each has a receipt of its own. */
    paidDifferences: z.optional(z.array(z.object({ paymentId: z.string(), amount: dollars }))),
    /** The order of which this one pays a difference. */
    supplementOf: z.nullable(z.string()),
    /** Then no card was charged here. */
    paidInShop: z.optional(z.enum(shopPaymentMethods)),
  }),
  items: z.array(quotedRug),
  /** Null until money was taken. */
  payment: z.nullable(capturedPayment),
  /** Oldest first, with those that failed: the customer may have been told of them. */
  refunds: z.array(receiptRefund),
});
export type PaidOrder = z.output<typeof paidOrder>;

export const verification = z.object({ status: z.enum(['COMPLETED', 'PENDING', 'FAILED']) });
