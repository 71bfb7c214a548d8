import type { Brand } from '../brand.ts';

/**
 * A UUID version 7 in lower case. The order's stream is `order-<id>`, and the payment's
 * `reference_id` at Square is the id (36 of 40 characters).
 */
export type OrderId = Brand<string, 'OrderId'>;

/**
 * The server's id of one payment attempt: 32 hexadecimal digits, 128 random bits, because it is
 * part of the receipt's URL.
 */
export type PaymentId = Brand<string, 'PaymentId'>;

/**
 * The browser chooses a key for each attempt (each card token), at most 45 characters (Square's
 * limit). It identifies the attempt everywhere.
 */
export type IdempotencyKey = Brand<string, 'IdempotencyKey'>;

/**
 * The client chooses the id before it requests the refund: the same id again is the same refund. The id is Square's
 * idempotency key for the refund (at most 45 characters) and part of the refund's reason there.
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

/**
 * The key opens the receipt of its payment, so a browser draws it from at least 128 random bits. This is the form that
 * such a key has: 22 characters of base64url or more. It refuses names, dates and repeated characters.
 */
export function isUnguessable(key: IdempotencyKey): boolean {
  return key.length >= 22 && new Set(key).size >= 6;
}

export function parseRefundId(text: string): RefundId | undefined {
  return /^[A-Za-z0-9_-]{16,45}$/.test(text) ? (text as RefundId) : undefined;
}
