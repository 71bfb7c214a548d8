import { parseIdempotencyKey, parseOrderId } from '@kilim/domain/order/ids';
import * as z from 'zod/mini';
import { id } from './ids.ts';
import { requestedDollars } from './money.ts';
import { orderFields, quote } from './quote.ts';

const unknownSource = { embedded: false, variant: 'B' };
/** The name of an A/B variant. */
const variant = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,20}$/));
export const variantOrB = z.catch(variant, 'B');
export const orderId = id(parseOrderId, 'This is not the id of an order');

/** `POST /api/process-payment` */
export const paymentRequest = z.object({
  token: z.string('The card token is missing').check(z.minLength(1, 'The card token is missing'), z.maxLength(500)),
  /** The total that the customer was shown. The server refuses another total than its own. */
  amount: requestedDollars('The amount is not dollars with at most two decimals'),
  verificationToken: z.nullish(z.string().check(z.maxLength(500))),
  idempotencyKey: id(parseIdempotencyKey, 'An idempotency key has 16 to 45 letters, digits, hyphens or underscores'),
  orderDetails: z.object({
    ...orderFields,
    orderId: z.optional(orderId),
    /** Whether the form stood in a frame, and the A/B variant. Statistics only: a wrong value never stops a payment. */
    source: z._default(z.catch(z.object({ embedded: z.boolean(), variant }), unknownSource), unknownSource),
  }),
});
export type PaymentRequest = z.input<typeof paymentRequest>;

/** 200 */
export const paid = z.object({
  success: z.literal(true),
  paymentId: z.string().check(z.minLength(1)),
  orderId: z.string(),
});

/** 202: the outcome is unknown. Poll `payment-attempts/{idempotencyKey}` with this key, and do not pay again. */
export const paymentPending = z.object({
  success: z.literal(false),
  status: z.literal('pending'),
  orderId: z.string(),
  idempotencyKey: z.string(),
});

/** 402: `message` is fit to show. The attempt was voided or declined; a new key and card can pay the order. */
export const paymentDeclined = z.object({ success: z.literal(false), message: z.string(), code: z.string() });

/** 409: the price is not the one that the customer was shown. Nothing was charged. */
export const priceChanged = z.object({
  success: z.literal(false),
  code: z.literal('PriceChanged'),
  message: z.string(),
  quote,
});

export type PaymentAnswer = z.input<typeof paid> | z.input<typeof paymentPending> | z.input<typeof paymentDeclined>;

const ended = { orderId: z.string(), code: z.string(), message: z.string() };
/** `GET /api/payment-attempts/{idempotencyKey}` */
export const paymentAttempt = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending'), orderId: z.string() }),
  z.object({ status: z.literal('captured'), orderId: z.string(), paymentId: z.string().check(z.minLength(1)) }),
  z.object({ status: z.literal('declined'), ...ended }),
  z.object({ status: z.literal('voided'), ...ended }),
]);
export type PaymentAttemptAnswer = z.input<typeof paymentAttempt>;
