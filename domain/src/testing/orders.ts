import { builtInPrices } from '../catalog.ts';
import { cents } from '../money.ts';
import type { OrderEvent, PaymentAuthorized, PaymentCaptured, PaymentStarted } from '../order/events.ts';
import type { IdempotencyKey, OrderId, PaymentId } from '../order/ids.ts';
import type { PlaceOrder } from '../order/place.ts';
import { quoteOrder } from '../quote.ts';
import { economyWithGreenPad, largePremium } from './rugs.ts';

/** One order of two rugs with pickup, 758.22 in all, and its payments: fixed and named, for specs. */

export const orderA = '0199d5a0-7c00-7000-8000-00000000000a' as OrderId;
export const paymentA = 'a'.repeat(32) as PaymentId;
export const paymentB = 'b'.repeat(32) as PaymentId;
export const keyA = 'attempt-a-0000000000' as IdempotencyKey;
export const keyB = 'attempt-b-0000000000' as IdempotencyKey;

export const placeOrderA: PlaceOrder = {
  orderId: orderA,
  quote: quoteOrder({ rugs: [largePremium, economyWithGreenPad], deliveryOption: 'pickup' }, builtInPrices),
  settingsVersion: 0,
  source: { embedded: false, variant: 'B' },
  contactDigest: 'c'.repeat(64),
};

export const totalA = cents(75_822);

export const orderAPlaced: OrderEvent = {
  type: 'OrderPlaced',
  orderId: orderA,
  rugs: placeOrderA.quote.rugs.map(({ rug, price, charges, total }) => ({ ...rug, price, charges, total })),
  deliveryOption: 'pickup',
  lines: placeOrderA.quote.lines,
  total: totalA,
  settingsVersion: 0,
  source: placeOrderA.source,
  contactDigest: placeOrderA.contactDigest,
};

export const startedA: PaymentStarted = {
  type: 'PaymentStarted',
  paymentId: paymentA,
  idempotencyKey: keyA,
  amount: totalA,
};

export const authorizedA: PaymentAuthorized = {
  type: 'PaymentAuthorized',
  paymentId: paymentA,
  squarePaymentId: 'square-payment-a',
  cardBrand: 'VISA',
  cardLastFour: '1111',
};

export const capturedA: PaymentCaptured = {
  type: 'PaymentCaptured',
  paymentId: paymentA,
  amount: totalA,
  receiptUrl: 'https://square.example/receipt/a',
  receiptNumber: 'aaaa',
  capturedAt: '2026-11-21T12:00:02.000Z',
};

export const declinedA: OrderEvent = {
  type: 'PaymentDeclined',
  paymentId: paymentA,
  code: 'GENERIC_DECLINE',
  category: 'PAYMENT_METHOD_ERROR',
};

export const voidedA: OrderEvent = { type: 'PaymentVoided', paymentId: paymentA, reason: 'AuthorizationUnknown' };
