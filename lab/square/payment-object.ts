import type { z } from 'zod';
import { randomId } from './identifiers.ts';
import type { createPaymentBody } from './request-body.ts';
import type { TestCard } from './test-cards.ts';
import type { PaymentStatus, WireCardDetails, WirePayment } from './wire.ts';
import type { World } from './world.ts';

export type CreatePaymentBody = z.output<typeof createPaymentBody>;

/** Approved (held), pending or failed. */
export function newPayment(world: World, body: CreatePaymentBody, card: TestCard): WirePayment {
  const now = world.clock.now();
  const at = now.toISOString();
  const status = card.decline !== undefined ? 'FAILED' : card.approvesLate ? 'PENDING' : 'APPROVED';
  const { reference_id, note, buyer_email_address } = body;
  return {
    id: randomId(29),
    created_at: at,
    updated_at: at,
    amount_money: body.amount_money,
    total_money: body.amount_money,
    approved_money: status === 'APPROVED' ? body.amount_money : { ...body.amount_money, amount: 0 },
    status,
    delay_duration: body.delay_duration,
    delay_action: body.delay_action,
    delayed_until: new Date(now.getTime() + durationMs(body.delay_duration)).toISOString(),
    source_type: 'CARD',
    card_details: cardDetails(card, at),
    location_id: world.identity.locationId,
    order_id: randomId(22),
    ...(reference_id === undefined ? {} : { reference_id }),
    ...(note === undefined ? {} : { note }),
    ...(buyer_email_address === undefined ? {} : { buyer_email_address }),
    risk_evaluation: {
      created_at: at,
      status: 'COMPLETED',
      risk_level: card.risk ?? riskLevels[body.amount_money.amount] ?? 'NORMAL',
    },
    application_details: { square_product: 'ECOMMERCE_API', application_id: world.identity.applicationId },
    version_token: randomId(22),
  };
}

/** Amounts choose the risk level, as in Square's sandbox. */
const riskLevels: Readonly<Record<number, 'MODERATE' | 'HIGH'>> = { 2222: 'MODERATE', 3333: 'HIGH' };

function cardDetails(card: TestCard, at: string): WireCardDetails {
  const declined = card.decline;
  return {
    status: declined === undefined ? 'AUTHORIZED' : 'FAILED',
    card: {
      card_brand: card.brand,
      last_4: card.number.slice(-4),
      exp_month: 12,
      exp_year: 2035,
      fingerprint: `sq-1-${card.outcome}`,
      card_type: 'CREDIT',
      prepaid_type: 'NOT_PREPAID',
      bin: card.number.slice(0, 6),
    },
    entry_method: 'KEYED',
    cvv_status: declined?.code === 'CVV_FAILURE' ? 'CVV_REJECTED' : 'CVV_ACCEPTED',
    avs_status: declined?.code === 'ADDRESS_VERIFICATION_FAILURE' ? 'AVS_REJECTED' : 'AVS_ACCEPTED',
    statement_description: 'SQ *TEST: NO REAL CARD',
    card_payment_timeline: declined === undefined ? { authorized_at: at } : {},
    ...(declined === undefined ? {} : { errors: [declineError(declined.code)] }),
  };
}

export function declineError(code: string) {
  return { category: 'PAYMENT_METHOD_ERROR', code, detail: `Authorization error: '${code}'` };
}

export function moved(world: World, payment: WirePayment, status: PaymentStatus): WirePayment {
  const at = world.clock.now().toISOString();
  const { card_details: card } = payment;
  const timeline = { ...card.card_payment_timeline, ...timelineEntry(status, at) };
  return {
    ...payment,
    updated_at: at,
    version_token: randomId(22),
    status,
    approved_money: status === 'CANCELED' ? { ...payment.amount_money, amount: 0 } : payment.amount_money,
    card_details: { ...card, status: cardStatus[status], card_payment_timeline: timeline },
    ...(status === 'COMPLETED' ? captured(world, payment, at) : {}),
  };
}

const cardStatus = {
  APPROVED: 'AUTHORIZED',
  PENDING: 'AUTHORIZED',
  COMPLETED: 'CAPTURED',
  CANCELED: 'VOIDED',
  FAILED: 'FAILED',
} as const;

function timelineEntry(status: PaymentStatus, at: string): WireCardDetails['card_payment_timeline'] {
  if (status === 'COMPLETED') return { captured_at: at };
  return status === 'CANCELED' ? { voided_at: at } : {};
}

function captured(world: World, { id, amount_money: money }: WirePayment, at: string) {
  // 2.9 % and 30 cents: Square's published price.
  const fee = Math.round((money.amount * 29) / 1000) + 30;
  return {
    receipt_number: id.slice(0, 4),
    receipt_url: `${world.address()}/receipt/preview/${id}`,
    processing_fee: [{ effective_at: at, type: 'INITIAL' as const, amount_money: { ...money, amount: fee } }],
  };
}

const durationParts = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** @returns 0 for months or years: their length varies. */
export function durationMs(duration: string): number {
  const parts: readonly (string | undefined)[] = durationParts.exec(duration)?.slice(1) ?? [];
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  return ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}
