import { isDisputed } from './disputes.ts';
import { paymentEvent, refundEvent } from './events.ts';
import { rememberAnswer, replay } from './idempotency.ts';
import { randomId } from './identifiers.ts';
import { noSuchPayment } from './payments.ts';
import { createRefundBody, parseBody } from './request-body.ts';
import type { PaymentRecord, RefundRecord } from './state.ts';
import { cardWithOutcome } from './test-cards.ts';
import { type Answer, answerError, invalid, type Money, type RefundStatus, type WireRefund } from './wire.ts';
import type { World } from './world.ts';

const mostRefunds = 20;
const oneYearMs = 365 * 24 * 60 * 60 * 1000;

export function createRefund(world: World, raw: unknown): Answer {
  const parsed = parseBody(createRefundBody, raw);
  if ('refusal' in parsed) return parsed.refusal;
  const { body } = parsed;
  const request = { endpoint: 'POST /v2/refunds', key: body.idempotency_key, body: raw };
  const again = replay(world.store.state, request);
  if (again !== undefined) return again;
  const record = world.store.state.payments.get(body.payment_id);
  if (record === undefined) return noSuchPayment(body.payment_id);
  const refused = refuseRefund(world, record, body);
  if (refused !== undefined) return refused;
  const fate = decideFate(world, record);
  const refund = newRefund(world, record, { ...body, status: fate.status });
  const answer = { status: 200, body: { refund } };
  const { idempotency_key: idempotencyKey } = body;
  world.store.commit([
    { type: 'refund', what: 'created', refund, idempotencyKey, ...(fate.settles && { settles: fate.settles }) },
    refundEvent(world, 'refund.created', refund),
    ...countRefund(world, record, refund),
    rememberAnswer(request, answer),
  ]);
  return answer;
}

/** Of any amount: simulates a bug or a race at Square. */
export function forceRefund(world: World, { paymentId, amount }: { paymentId: string; amount: number }): Answer {
  const record = world.store.state.payments.get(paymentId);
  if (record === undefined) return noSuchPayment(paymentId);
  const money = { ...record.payment.amount_money, amount };
  const refund = newRefund(world, record, { amount_money: money, status: 'COMPLETED' });
  world.store.commit([
    { type: 'refund', what: 'forced', refund, idempotencyKey: `dashboard-${randomId(20)}` },
    refundEvent(world, 'refund.created', refund),
    ...countRefund(world, record, refund),
  ]);
  return { status: 200, body: { refund } };
}

type RefundTerms = { readonly amount_money: Money; readonly payment_version_token?: string | undefined };

/** Square's documented rules. */
function refuseRefund(world: World, { payment }: PaymentRecord, terms: RefundTerms): Answer | undefined {
  const { amount_money: money, payment_version_token: version } = terms;
  const earlier = refundsOf(world, payment.id);
  if (version !== undefined && version !== payment.version_token) {
    return invalid('VERSION_MISMATCH', 'The payment has changed meanwhile.', 'payment_version_token');
  }
  if (money.currency !== payment.amount_money.currency) {
    return invalid('INVALID_VALUE', 'The currency is not that of the payment.', 'amount_money.currency');
  }
  if (payment.status === 'APPROVED') {
    return refuse('REFUND_ERROR_PAYMENT_NEEDS_COMPLETION', 'The payment is not completed yet; cancel it instead.');
  }
  if (payment.status !== 'COMPLETED') return refuse('PAYMENT_NOT_REFUNDABLE', `The payment is ${payment.status}.`);
  if (world.clock.now().getTime() - Date.parse(payment.created_at) > oneYearMs) {
    return refuse('PAYMENT_NOT_REFUNDABLE', 'The payment is older than a year.');
  }
  if (isDisputed(world, payment.id)) {
    return refuse('PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE', 'The payment is disputed.');
  }
  if (earlier.some(({ refund }) => refund.status === 'FAILED')) {
    return refuse('PAYMENT_NOT_REFUNDABLE', 'A refund of this payment has failed; pay back by other means.');
  }
  if (earlier.length >= mostRefunds)
    return refuse('PAYMENT_NOT_REFUNDABLE', `There are ${mostRefunds} refunds already.`);
  if (money.amount > payment.amount_money.amount - promised(earlier)) {
    const detail = 'The requested refund amount exceeds the amount available to refund.';
    return answerError(400, {
      category: 'REFUND_ERROR',
      code: 'REFUND_AMOUNT_INVALID',
      detail,
      field: 'amount_money.amount',
    });
  }
  return undefined;
}

function refuse(code: string, detail: string): Answer {
  return answerError(400, { category: 'REFUND_ERROR', code, detail });
}

export function refundsOf(world: World, paymentId: string): readonly RefundRecord[] {
  const ids = world.store.state.payments.get(paymentId)?.payment.refund_ids ?? [];
  return ids.flatMap((id) => world.store.state.refunds.get(id) ?? []);
}

/** Pending refunds count; failed and rejected ones do not. */
function promised(refunds: readonly RefundRecord[]): number {
  const counted = refunds.filter(({ refund }) => refund.status === 'PENDING' || refund.status === 'COMPLETED');
  return counted.reduce((sum, { refund }) => sum + refund.amount_money.amount, 0);
}

type Fate = { readonly status: RefundStatus; readonly settles?: NonNullable<RefundRecord['settles']> };

/** PENDING, then COMPLETED, unless a fault or the card says otherwise. */
function decideFate(world: World, record: PaymentRecord): Fate {
  const fault = world.faults.takeRefundStatus();
  const as = fault?.to ?? cardWithOutcome(record.outcome)?.refundsEndAs ?? 'COMPLETED';
  if (as === 'PENDING') return { status: 'PENDING' };
  const afterMs = fault === undefined ? world.settings.refundSettlesAfterMs : fault.afterMs;
  if (afterMs === 0) return { status: as };
  const at = new Date(world.clock.now().getTime() + afterMs).toISOString();
  return { status: 'PENDING', settles: { at, as } };
}

type NewRefund = { readonly amount_money: Money; readonly reason?: string | undefined; readonly status: RefundStatus };

export function newRefund(world: World, { payment }: PaymentRecord, terms: NewRefund): WireRefund {
  const at = world.clock.now().toISOString();
  return {
    id: `${payment.id}_${randomId(43)}`,
    status: terms.status,
    amount_money: terms.amount_money,
    payment_id: payment.id,
    order_id: randomId(22),
    created_at: at,
    updated_at: at,
    location_id: payment.location_id,
    destination_type: 'CARD',
    ...(terms.reason === undefined ? {} : { reason: terms.reason }),
  };
}

export function countRefund(world: World, { payment, idempotencyKey, outcome }: PaymentRecord, changed: WireRefund) {
  const others = refundsOf(world, payment.id).filter(({ refund }) => refund.id !== changed.id);
  const counts = changed.status === 'PENDING' || changed.status === 'COMPLETED';
  const amount = promised(others) + (counts ? changed.amount_money.amount : 0);
  const { refunded_money: _, ...rest } = payment;
  const updated = {
    ...rest,
    updated_at: world.clock.now().toISOString(),
    version_token: randomId(22),
    refund_ids: [...new Set([...(payment.refund_ids ?? []), changed.id])],
    ...(amount === 0 ? {} : { refunded_money: { ...payment.amount_money, amount } }),
  };
  const what = `refund ${changed.status.toLowerCase()}`;
  return [
    { type: 'payment', what, payment: updated, idempotencyKey, outcome },
    paymentEvent(world, 'payment.updated', updated),
  ] as const;
}

export function getRefund(world: World, id: string): Answer {
  const record = world.store.state.refunds.get(id);
  return record === undefined ? noSuchRefund(id) : { status: 200, body: { refund: record.refund } };
}

/** A refund that has ended never changes. */
export function settleRefund(world: World, id: string, status: RefundStatus): Answer {
  const record = world.store.state.refunds.get(id);
  if (record === undefined) return noSuchRefund(id);
  if (record.refund.status !== 'PENDING') return invalid('BAD_REQUEST', `The refund is ${record.refund.status}.`);
  const payment = world.store.state.payments.get(record.refund.payment_id);
  const refund = { ...record.refund, status, updated_at: world.clock.now().toISOString() };
  world.store.commit([
    { type: 'refund', what: status.toLowerCase(), refund, idempotencyKey: record.idempotencyKey },
    refundEvent(world, 'refund.updated', refund),
    ...(payment === undefined ? [] : countRefund(world, payment, refund)),
  ]);
  return { status: 200, body: { refund } };
}

function noSuchRefund(id: string): Answer {
  return invalid('NOT_FOUND', `Could not find refund with id: ${id}`, 'refund_id');
}
