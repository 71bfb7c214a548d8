import * as z from 'zod/mini';
import { quote } from './quote.ts';

const id = z.string().check(z.refine((text) => text !== ''));

export const paid = z.object({
  success: z.literal(true),
  paymentId: id,
  orderId: z.string(),
});

/** 202: the outcome is unknown. Poll `payment-attempts/{idempotencyKey}`, and do not pay again. */
export const paymentPending = z.object({
  success: z.literal(false),
  status: z.literal('pending'),
  orderId: z.string(),
  idempotencyKey: z.string(),
});

/** `message` is fit to show. The attempt was voided or declined; a new key and card can pay the order. */
export const paymentDeclined = z.object({ success: z.literal(false), message: z.string(), code: z.string() });

/** Nothing was charged. */
export const priceChanged = z.object({
  success: z.literal(false),
  code: z.literal('PriceChanged'),
  message: z.string(),
  quote,
});

export type PaymentAnswer = z.input<typeof paid> | z.input<typeof paymentPending> | z.input<typeof paymentDeclined>;

const ended = { orderId: z.string(), code: z.string(), message: z.string() };
export const paymentAttempt = z.union([
  /** Empty, until the outcome has been unknown for so long that the shop was told. */
  z.object({ status: z.literal('pending'), orderId: z.string(), message: z.string() }),
  z.object({ status: z.literal('captured'), orderId: z.string(), paymentId: id }),
  z.object({ status: z.literal('declined'), ...ended }),
  z.object({ status: z.literal('voided'), ...ended }),
]);
export type PaymentAttemptAnswer = z.input<typeof paymentAttempt>;
