import { randomUUID } from 'node:crypto';
import { paymentEvent } from './events.ts';
import { type KeyedRequest, rememberAnswer, replay } from './idempotency.ts';
import { type CreatePaymentBody, declineError, durationMs, moved, newPayment } from './payment-object.ts';
import { cancelByKeyBody, changePaymentBody, createPaymentBody, parseBody } from './request-body.ts';
import type { Change, PaymentRecord } from './state.ts';
import { cardWithOutcome, goodCard, type TestCard } from './test-cards.ts';
import { type CardToken, readToken } from './tokens.ts';
import { type Answer, answerError, invalid, type PaymentStatus, type WirePayment } from './wire.ts';
import type { World } from './world.ts';

/**
 * Never waits, so two requests with one key cannot both be new. Every decision is stored under the key before a fault
 * can lose the answer.
 */
export function createPayment(world: World, raw: unknown): Answer {
  const parsed = parseBody(createPaymentBody, raw);
  if ('refusal' in parsed) return parsed.refusal;
  const { body } = parsed;
  const request = { endpoint: 'POST /v2/payments', key: body.idempotency_key, body: raw };
  const again = replay(world.store.state, request) ?? refuseByMerchant(world, body);
  if (again !== undefined) return again;
  const token = readToken(body.source_id);
  return token === undefined
    ? invalid('NOT_FOUND', 'Card nonce not found in this local test environment.', 'source_id')
    : (refuseToken(world, body, token) ?? charge(world, { request, body, token }));
}

function refuseByMerchant(world: World, body: CreatePaymentBody): Answer | undefined {
  const { location_id: location, amount_money: money } = body;
  if (location !== undefined && location !== world.identity.locationId) {
    const detail = `Not authorized to take payments with location_id=${location}`;
    return answerError(403, { category: 'AUTHENTICATION_ERROR', code: 'FORBIDDEN', detail });
  }
  if (money.currency !== 'USD') {
    return invalid('INVALID_VALUE', 'This merchant can only process payments in USD.', 'amount_money.currency');
  }
  if (durationMs(body.delay_duration) < 60_000) {
    return invalid('INVALID_VALUE', 'The delay must be at least one minute.', 'delay_duration');
  }
  return undefined;
}

function refuseToken(world: World, body: CreatePaymentBody, { card, singleUse }: CardToken): Answer | undefined {
  const used = singleUse && world.store.state.usedTokens.has(body.source_id);
  const code = used ? 'CARD_TOKEN_USED' : card.tokenError;
  return code === undefined ? undefined : invalid(code, tokenDetails[code], 'source_id');
}

const tokenDetails = {
  CARD_TOKEN_USED: 'Card nonce already used; please request new nonce.',
  CARD_TOKEN_EXPIRED: 'Card nonce expired; please request new nonce.',
} as const;

type Charge = { readonly request: KeyedRequest; readonly body: CreatePaymentBody; readonly token: CardToken };

function charge(world: World, { request, body, token }: Charge): Answer {
  const { card } = token;
  const held = newPayment(world, body, card);
  const capturesNow = body.autocomplete && held.status === 'APPROVED' && !card.captureRefused;
  const payment = capturesNow ? moved(world, held, 'COMPLETED') : held;
  const answer = paymentAnswer(payment, card);
  const plan = { idempotencyKey: body.idempotency_key, outcome: card.outcome, ...approval(world, card) };
  const changes: Change[] = [
    { type: 'payment', what: 'created', payment: held, ...plan },
    paymentEvent(world, 'payment.created', held),
    rememberAnswer(request, answer),
  ];
  if (token.singleUse) changes.push({ type: 'token-used', token: body.source_id });
  if (capturesNow) {
    changes.push({ type: 'payment', what: 'completed', payment, ...plan });
    changes.push(paymentEvent(world, 'payment.updated', payment));
  }
  world.store.commit(changes);
  return answer;
}

function approval(world: World, card: TestCard): { approvesAt?: string } {
  if (!card.approvesLate) return {};
  return { approvesAt: new Date(world.clock.now().getTime() + world.settings.approvesAfterMs).toISOString() };
}

/** A decline carries both the errors and the failed payment. */
function paymentAnswer(payment: WirePayment, { decline }: TestCard): Answer {
  if (decline === undefined) return { status: 200, body: { payment } };
  return { status: decline.status, body: { errors: [declineError(decline.code)], payment } };
}

export function getPayment(world: World, id: string): Answer {
  const record = world.store.state.payments.get(id);
  return record === undefined ? noSuchPayment(id) : { status: 200, body: { payment: record.payment } };
}

export function completePayment(world: World, id: string, raw: unknown): Answer {
  const found = changeable(world, id, raw);
  if ('refusal' in found) return found.refusal;
  if (cardWithOutcome(found.record.outcome)?.captureRefused) {
    return invalid('BAD_REQUEST', `The payment with ID ${id} cannot be completed.`);
  }
  return { status: 200, body: { payment: movePayment(world, found.record, 'COMPLETED') } };
}

export function cancelPayment(world: World, id: string, raw: unknown): Answer {
  const found = changeable(world, id, raw);
  if ('refusal' in found) return found.refusal;
  return { status: 200, body: { payment: movePayment(world, found.record, 'CANCELED') } };
}

/** An unknown key is a success too: a request that arrives later still holds the card. */
export function cancelPaymentByKey(world: World, raw: unknown): Answer {
  const parsed = parseBody(cancelByKeyBody, raw);
  if ('refusal' in parsed) return parsed.refusal;
  const id = world.store.state.paymentIdByKey.get(parsed.body.idempotency_key);
  const record = id === undefined ? undefined : world.store.state.payments.get(id);
  const status = record?.payment.status;
  if (record !== undefined && (status === 'APPROVED' || status === 'PENDING')) movePayment(world, record, 'CANCELED');
  if (status === 'COMPLETED' && world.settings.cancelByKeyOfCompleted === 'refuse') {
    return invalid('BAD_REQUEST', `The payment with ID ${id} is COMPLETED.`);
  }
  return { status: 200, body: {} };
}

export function movePayment(world: World, record: PaymentRecord, status: PaymentStatus): WirePayment {
  const payment = moved(world, record.payment, status);
  const { idempotencyKey, outcome } = record;
  world.store.commit([
    { type: 'payment', what: status.toLowerCase(), payment, idempotencyKey, outcome },
    paymentEvent(world, 'payment.updated', payment),
  ]);
  return payment;
}

type Changeable = { readonly record: PaymentRecord } | { readonly refusal: Answer };

function changeable(world: World, id: string, raw: unknown): Changeable {
  const parsed = parseBody(changePaymentBody, raw);
  if ('refusal' in parsed) return parsed;
  const record = world.store.state.payments.get(id);
  if (record === undefined) return { refusal: noSuchPayment(id) };
  const { status, version_token: version } = record.payment;
  if (status !== 'APPROVED') {
    return { refusal: invalid('BAD_REQUEST', `The payment with ID ${id} is ${status}, not APPROVED.`) };
  }
  if (parsed.body.version_token !== undefined && parsed.body.version_token !== version) {
    return { refusal: invalid('VERSION_MISMATCH', 'The payment has changed meanwhile.', 'version_token') };
  }
  return { record };
}

export function noSuchPayment(id: string): Answer {
  return invalid('NOT_FOUND', `Could not find payment with id: ${id}`, 'payment_id');
}

// Sales at the same location that the server did not request.

export function sellAtCounter(world: World, amount: number): Answer {
  const asked = requestOf(amount);
  const { idempotency_key: idempotencyKey } = asked;
  const body = createPaymentBody.parse(asked);
  const { application_details: details, ...held } = newPayment(world, body, goodCard);
  const sale = { ...held, application_details: { ...details, square_product: 'SQUARE_POS' as const } };
  const payment = moved(world, sale, 'COMPLETED');
  world.store.commit([
    { type: 'payment', what: 'sold at the counter', payment, idempotencyKey, outcome: goodCard.outcome },
    paymentEvent(world, 'payment.created', payment),
  ]);
  return { status: 200, body: { payment } };
}

export function payByLink(world: World, amount: number): Answer {
  return createPayment(world, { ...requestOf(amount), autocomplete: true });
}

function requestOf(amount: number) {
  return {
    source_id: 'cnon:card-nonce-ok',
    idempotency_key: randomUUID(),
    amount_money: { amount, currency: 'USD' },
  };
}
