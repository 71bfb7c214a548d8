import type { Brand } from '../brand.ts';

/**
 * A UUID version 7 in lower case. The order's stream is `order-<id>`; Square keeps it as the
 * payment's `reference_id` (36 of 40 characters).
 */
export type OrderId = Brand<string, 'OrderId'>;

/**
 * Our own name of one attempt to pay: 32 hexadecimal digits, 128 random bits, because it stands in
 * the receipt's address.
 */
export type PaymentId = Brand<string, 'PaymentId'>;

/**
 * Chosen by the browser for each attempt (each card token), at most 45 characters (Square's limit);
 * the attempt's identity everywhere.
 */
export type IdempotencyKey = Brand<string, 'IdempotencyKey'>;

/**
 * Chosen by whoever asks for the refund, before it is asked for: the same id again is the same
 * refund. It is Square's idempotency key for the refund (at most 45 characters) and stands in the
 * refund's reason there.
 */
export type RefundId = Brand<string, 'RefundId'>;

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function parseOrderId(text: string): OrderId | undefined {
  return uuidV7.test(text) ? (text as OrderId) : undefined;
}

export function parsePaymentId(text: string): PaymentId | undefined {
  return /^[0-9a-f]{32}$/.test(text) ? (text as PaymentId) : undefined;
}

export function parseIdempotencyKey(text: string): IdempotencyKey | undefined {
  return /^[A-Za-z0-9_-]{16,45}$/.test(text) ? (text as IdempotencyKey) : undefined;
}

export function parseRefundId(text: string): RefundId | undefined {
  return /^[A-Za-z0-9_-]{16,45}$/.test(text) ? (text as RefundId) : undefined;
}
