import type { Brand } from '../brand.ts';

/** UUID in lower case, version 7, or 8 of a supplement: the stream is `order-<id>`, and the `reference_id` at Square is the id. */
export type OrderId = Brand<string, 'OrderId'>;

/** 32 hexadecimal digits, 128 random bits, because it is part of the receipt's URL. */
export type PaymentId = Brand<string, 'PaymentId'>;

/** The browser chooses one for each card token: at most 45 characters (Square's limit). */
export type IdempotencyKey = Brand<string, 'IdempotencyKey'>;

/**
 * The client chooses it before the request: the same id is the same refund. Square gets it as idempotency key (at most
 * 45 characters) and in the refund's reason.
 */
export type RefundId = Brand<string, 'RefundId'>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function parseOrderId(text: string): OrderId | undefined {
  return uuid.test(text) ? (text as OrderId) : undefined;
}

/** Only the shop makes the id of a supplement. */
export function parseNewOrderId(text: string): OrderId | undefined {
  const orderId = parseOrderId(text);
  return orderId === undefined || placeOfSupplement(orderId) > 0 ? undefined : orderId;
}

/**
 * Of an order that pays a difference of this one. It has this one's last digits, and so its number.
 * @param place from 1, among all that were requested
 * @param random a UUID version 4: 74 bits of it stay, because the id opens the difference.
 */
export function supplementIdOf(orderId: OrderId, place: number, random: string): OrderId {
  const digits = place.toString(16).padStart(3, '0');
  return `${random.slice(0, 14)}8${digits}${random.slice(18, -9)}${orderId.slice(-9)}` as OrderId;
}

/** @returns 0 for an order that is no supplement. */
export function placeOfSupplement(orderId: OrderId): number {
  return orderId.charAt(14) === '8' ? Number.parseInt(orderId.slice(15, 18), 16) : 0;
}

export function parsePaymentId(text: string): PaymentId | undefined {
  return /^[0-9a-f]{32}$/.test(text) ? (text as PaymentId) : undefined;
}

export function parseIdempotencyKey(text: string): IdempotencyKey | undefined {
  return /^[A-Za-z0-9_-]{16,45}$/.test(text) ? (text as IdempotencyKey) : undefined;
}

/**
 * The key opens the receipt, so it has at least 128 random bits: 22 characters of base64url. Refuses names, dates and
 * repeated characters.
 */
export function isUnguessable(key: IdempotencyKey): boolean {
  return key.length >= 22 && new Set(key).size >= 6;
}

export function parseRefundId(text: string): RefundId | undefined {
  return /^[A-Za-z0-9_-]{16,45}$/.test(text) ? (text as RefundId) : undefined;
}
