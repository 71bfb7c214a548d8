import { tiers } from '@kilim/domain/catalog';
import { parseDollars } from '@kilim/domain/money';
import { deliveryOptions } from '@kilim/domain/quote';
import * as z from 'zod/mini';
import { customerInfoSchema } from '../../shared/wire.ts';

/**
 * The shapes of `bff/src/http/office/wire.ts`, checked when they arrive. Amounts stay US dollars here, as on the wire; `centsOf` of
 * `shared/dollars.ts` takes them inside. Written with the parts of the schema library that customers' pages use as well: any other
 * part would come to them with the chunk that they share.
 */

const dollars = z.number().check(z.refine((amount) => parseDollars(Math.abs(amount)) !== undefined, 'Not dollars'));

export const orderRefundStatuses = ['No Refunds', 'Refund Pending', 'Partially Refunded', 'Fully Refunded'] as const;
export type OrderRefundStatus = (typeof orderRefundStatuses)[number];

const paymentStatuses = ['unpaid', 'processing', 'paid', 'declined', 'voided'] as const;

export const orderRowsSchema = z.array(
  z.object({
    _id: z.string(),
    createdAt: z.string(),
    totalCost: dollars,
    paymentId: z.nullable(z.string()),
    paymentStatus: z.enum(paymentStatuses),
    includesDelivery: z.boolean(),
    customerInfo: z.nullable(z.object({ name: z.string(), email: z.string(), phone: z.string() })),
    rugCount: z.number(),
    refundStatus: z.enum(orderRefundStatuses),
    remainingRefundable: dollars,
    disputeStatus: z.string(),
  }),
);
export type OrderRow = z.infer<typeof orderRowsSchema>[number];

const splitSchema = z.object({
  services: dollars,
  addOns: dollars,
  delivery: dollars,
  deliveryMinimum: dollars,
  salesTax: dollars,
});

/** What became of a refund. */
const outcomeFields = {
  status: z.string(),
  failure: z.nullable(z.object({ code: z.string(), message: z.string(), advice: z.string() })),
};
export const refundOutcomeSchema = z.object(outcomeFields);

export const refundSchema = z.object({
  ...outcomeFields,
  _id: z.string(),
  refundId: z.string(),
  orderId: z.object({ _id: z.string() }),
  paymentId: z.string(),
  squareRefundId: z.nullable(z.string()),
  amount: dollars,
  refundType: z.enum(['full', 'partial']),
  reason: z.string(),
  adminNotes: z.nullable(z.string()),
  createdAt: z.string(),
  settledAt: z.nullable(z.string()),
  rugItems: z.array(z.object({ rugIndex: z.number(), amount: dollars })),
  deliveryMinimum: dollars,
  split: splitSchema,
  requestedBy: z.string(),
});
export const refundsSchema = z.array(refundSchema);
export type AdminRefund = z.infer<typeof refundSchema>;

const paymentSchema = z.object({
  squarePaymentId: z.string(),
  cardBrand: z.string(),
  cardLastFour: z.string(),
  amount: dollars,
  receiptUrl: z.nullable(z.string()),
  receiptNumber: z.nullable(z.string()),
  capturedAt: z.string(),
  fee: z.nullable(dollars),
});

export const orderSchema = z.object({
  _id: z.string(),
  createdAt: z.string(),
  paidAt: z.nullable(z.string()),
  totalCost: dollars,
  paymentId: z.nullable(z.string()),
  paymentStatus: z.enum(paymentStatuses),
  includesDelivery: z.boolean(),
  deliveryOption: z.enum(deliveryOptions),
  customerInfo: z.nullable(customerInfoSchema),
  subtotal: dollars,
  delivery: dollars,
  deliveryMinimum: dollars,
  addOns: z.object({ stainProtection: dollars, mothProtection: dollars, repairInspection: dollars }),
  salesTax: dollars,
  payment: z.nullable(paymentSchema),
  refundStatus: z.enum(orderRefundStatuses),
  refunded: dollars,
  refundPending: dollars,
  remainingRefundable: dollars,
  refundableDeliveryMinimum: dollars,
  refundBlock: z.nullable(z.object({ code: z.string(), message: z.string() })),
  disputeStatus: z.string(),
  source: z.object({ embedded: z.boolean(), variant: z.string() }),
});
export type AdminOrder = z.infer<typeof orderSchema>;

const rugChargesSchema = z.object({
  baseCost: dollars,
  deliveryCost: dollars,
  stainProtectionCost: dollars,
  mothProtectionCost: dollars,
  salesTax: dollars,
});
export type RugChargesAnswer = z.infer<typeof rugChargesSchema>;

const orderItemSchema = z.object({
  width: z.number(),
  length: z.number(),
  unit: z.string(),
  serviceTier: z.enum(tiers),
  area: z.number(),
  pricePerSqft: dollars,
  baseCost: dollars,
  deliveryCost: dollars,
  stainProtection: z.boolean(),
  mothProtection: z.boolean(),
  repairInspection: z.boolean(),
  stainProtectionCost: dollars,
  mothProtectionCost: dollars,
  salesTax: dollars,
  totalCost: dollars,
  refundable: dollars,
  refundableCharges: rugChargesSchema,
});
export type AdminOrderItem = z.infer<typeof orderItemSchema>;

const timelineEntrySchema = z.object({
  at: z.string(),
  what: z.string(),
  detail: z.nullable(z.string()),
  amount: z.nullable(dollars),
  tone: z.string(),
  who: z.string(),
});
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

export const orderAnswerSchema = z.object({
  order: orderSchema,
  items: z.array(orderItemSchema),
  timeline: z.array(timelineEntrySchema),
  refunds: refundsSchema,
});
export type OrderDetail = z.infer<typeof orderAnswerSchema>;

const figures = {
  orders: z.number(),
  takings: dollars,
  refunds: dollars,
  refundCount: z.number(),
  fees: dollars,
  net: dollars,
};
const figuresSchema = z.object(figures);
export type Figures = z.infer<typeof figuresSchema>;

export const statisticsSchema = z.object({
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  days: z.array(z.object({ ...figures, date: z.string() })),
  total: figuresSchema,
  today: figuresSchema,
  thisMonth: figuresSchema,
});
export type Statistics = z.infer<typeof statisticsSchema>;

export const erasureSchema = z.object({ erasedAt: z.string(), erasedBy: z.string() });
