import { setTimeout } from 'node:timers/promises';
import type { Contact } from '@kilim/domain/contact';
import type { Cents } from '@kilim/domain/money';
import type { OrderSource } from '@kilim/domain/order/events';
import type { IdempotencyKey, OrderId, PaymentId } from '@kilim/domain/order/ids';
import * as payment from '@kilim/domain/order/payment';
import * as place from '@kilim/domain/order/place';
import type { Quote } from '@kilim/domain/quote';
import { repeatWhileAway, type Sql, tooManyConflictsError } from '../database/database.ts';
import { append } from '../ledger/append.ts';
import { contactDigest, contactRow, newSalt } from '../ledger/contact.ts';
import { effectKey, releaseEffect } from '../ledger/effects.ts';
import { type Hold, stopwatch, whileHolding } from '../ledger/hold-effect.ts';
import { eventsOf, type OrderStream, readOrder, readOrderWithSalt } from '../ledger/read.ts';
import type { World } from '../server/world.ts';
import type { AuthorizeCard, AuthorizeOutcome } from '../square/card-processor.ts';
import { afterAuthorization, chargeEffect, type Driven, lostHold } from './drive-attempt.ts';
import { type Attempted, attemptedOf, findAttempt, orderOfCommand, payCommandId } from './payment-attempt.ts';
import { attemptOf, paymentStateOf } from './record-payment.ts';

/** A customer accepts a quote and pays it with one card token. */
export type TakePayment = {
  readonly orderId: OrderId;
  readonly paymentId: PaymentId;
  readonly idempotencyKey: IdempotencyKey;
  /** SHA-256 of the whole request: the key sent again with anything else is refused. */
  readonly requestHash: Uint8Array;
  /** Never stored, never logged. */
  readonly cardToken: string;
  readonly verificationToken: string | undefined;
  /** The total that the customer was shown. */
  readonly offered: Cents;
  /** Priced by the server just now: its total is what is charged, and only when it is the one that was shown. */
  readonly quote: Quote;
  readonly settingsVersion: number;
  readonly source: OrderSource;
  readonly contact: Contact;
  readonly receiptTokenHash: Uint8Array;
  readonly requestId: string;
};

export type TakePaymentRejection = place.PlaceRejection | payment.PaymentRejection | { readonly code: 'KeyReused' };

export type TakenPayment = Attempted | { readonly kind: 'rejected'; readonly rejection: TakePaymentRejection };

/**
 * Takes a payment so that whatever happens in the middle can be finished or voided by somebody else: the order and the intent to
 * charge stand in the ledger before Square is asked anything, and every answer of Square's is recorded before the next step.
 * A request that comes again, from a second click or another tab, charges nothing and gets the first one's answer.
 * @throws when the intent could not be recorded: then Square was not called.
 */
export async function takePayment(world: World, request: TakePayment): Promise<TakenPayment> {
  // The append may be stored long before its repetition hears of it.
  const sinceConfirmed = stopwatch();
  const intent = await repeatWhileAway(() => recordIntent(world, request));
  if (intent.kind !== 'recorded') return intent.answer;
  const opened = { key: effectKey(request.paymentId, 'charge'), fence: 0, sinceConfirmed };
  const driven = await whileHolding(world, opened, (hold) =>
    authorizeAndTake(world, intent.stream, { ...request, hold }),
  );
  return attemptedOf(driven.stream, request.paymentId);
}

type Intent =
  | { readonly kind: 'recorded'; readonly stream: OrderStream }
  | { readonly kind: 'answered'; readonly answer: TakenPayment };

const mostConflicts = 5;

/** Two round trips: what is known of the order, and the append of what is intended. */
async function recordIntent(world: World, request: TakePayment): Promise<Intent> {
  for (let conflicts = 0; ; conflicts += 1) {
    const { stream, salt = newSalt() } = await readOrderWithSalt(world.sql, request.orderId);
    if (request.offered !== request.quote.total) return answerOtherPrice(world.sql, stream, request);
    const decision = decideIntent(stream, request, contactDigest(request.contact, salt));
    if (!decision.ok) return answered(answerRefusal(stream, decision.rejection));
    const [first, ...rest] = decision.value;
    if (first === undefined) return answerRepeat(world.sql, request);

    const result = await append(world.sql, stream, {
      commandId: payCommandId(request.idempotencyKey),
      requestHash: request.requestHash,
      actor: 'customer',
      requestId: request.requestId,
      occurredAt: world.now(),
      events: [first, ...rest],
      contact: contactRow({ ...request, salt }),
      openEffects: [chargeEffect(request.paymentId)],
    });
    switch (result.outcome) {
      case 'appended':
        return { kind: 'recorded', stream: result.stream };
      case 'key_reused':
        return answered({ kind: 'rejected', rejection: { code: 'KeyReused' } });
      case 'duplicate':
        return answerRepeat(world.sql, request);
      case 'conflict':
        if (conflicts === mostConflicts) throw tooManyConflictsError(`order ${request.orderId}`, conflicts);
        await setTimeout(Math.random() * 20 * 2 ** conflicts);
    }
  }
}

function decideIntent(stream: OrderStream, request: TakePayment, digest: string) {
  const events = eventsOf(stream);
  const placed = place.decide({ ...request, contactDigest: digest }, events.reduce(place.evolve, place.notPlaced));
  if (!placed.ok) return placed;
  const state = [...events, ...placed.value].reduce(payment.evolve, payment.nothingPaid);
  const { paymentId, idempotencyKey, quote } = request;
  const started = payment.decide({ type: 'StartPayment', paymentId, idempotencyKey, amount: quote.total }, state);
  return started.ok ? { ok: true as const, value: [...placed.value, ...started.value] } : started;
}

/**
 * The customer saw another total. When the order is paid or being paid already, at the old price, that is the answer; otherwise
 * nothing is recorded, and the new price is for the customer to accept.
 */
async function answerOtherPrice(sql: Sql, stream: OrderStream, request: TakePayment): Promise<Intent> {
  const state = paymentStateOf(stream);
  const paid = payment.capturedAttempt(state) ?? payment.openAttempt(state);
  if (paid !== undefined) return answered(attemptedOf(stream, paid.paymentId));
  const earlier = await findAttempt(sql, request.idempotencyKey);
  if (earlier !== undefined) return answered(earlier);
  const { offered, quote } = request;
  return answered({ kind: 'rejected', rejection: { code: 'AmountDiffers', expected: quote.total, offered } });
}

/** An order that is paid, or being paid from another tab, is answered with that payment: one order, one charge, one answer. */
function answerRefusal(stream: OrderStream, rejection: TakePaymentRejection): TakenPayment {
  if (rejection.code === 'AlreadyPaid' || rejection.code === 'PaymentInProgress') {
    return attemptedOf(stream, rejection.paymentId);
  }
  return { kind: 'rejected', rejection };
}

/**
 * The key is known. The payment id is drawn for each request, so an attempt that carries this one was recorded by this very request,
 * whose append was repeated because its answer was lost: the request goes on. Another request is told what became of the attempt.
 */
async function answerRepeat(sql: Sql, request: TakePayment): Promise<Intent> {
  const earlier = await orderOfCommand(sql, payCommandId(request.idempotencyKey));
  if (earlier === undefined) throw new Error('An attempt stands in the ledger without its command');
  if (Buffer.compare(earlier.requestHash, request.requestHash) !== 0) {
    return answered({ kind: 'rejected', rejection: { code: 'KeyReused' } });
  }
  const stream = await readOrder(sql, earlier.orderId);
  const attempt = payment.attemptWithKey(paymentStateOf(stream), request.idempotencyKey);
  if (attempt === undefined) throw new Error('A payment command stands in the ledger without its attempt');
  if (attempt.paymentId === request.paymentId) return { kind: 'recorded', stream };
  return answered(attemptedOf(stream, attempt.paymentId));
}

function answered(answer: TakenPayment): Intent {
  return { kind: 'answered', answer };
}

type HeldPayment = TakePayment & { readonly hold: Hold };

/**
 * From here on nothing is thrown at the customer: a failure leaves the effect open, and the answer is that the outcome is unknown.
 */
async function authorizeAndTake(world: World, stream: OrderStream, request: HeldPayment): Promise<Driven> {
  const { paymentId, requestId, hold } = request;
  const drive = { paymentId, requestId, hold, actor: 'customer' as const };
  try {
    const outcome = await authorizeTwice(world, stream, request);
    if (outcome === 'lost') return lostHold(world, stream, drive);
    const driven = await afterAuthorization(world, stream, { ...drive, outcome });
    // This request has done what it can: a worker need not wait for the lease to end.
    if (driven.status === 'unknown') await repeatWhileAway(() => releaseEffect(world.sql, hold, 0));
    return driven;
  } catch (error) {
    world.log.error({ err: error, paymentId }, 'a payment was interrupted; the settle worker goes on with it');
    return { stream, status: 'unknown' };
  }
}

/** While the token is at hand, the identical request may simply be sent again: Square holds the money at most once per key. */
async function authorizeTwice(
  world: World,
  stream: OrderStream,
  request: HeldPayment,
): Promise<AuthorizeOutcome | 'lost'> {
  const { amount } = attemptOf(stream, request.paymentId);
  const authorization: AuthorizeCard = {
    idempotencyKey: request.idempotencyKey,
    cardToken: request.cardToken,
    verificationToken: request.verificationToken,
    amount,
    orderId: request.orderId,
    buyerEmail: request.contact.email,
  };
  if (!(await request.hold.isHeld())) return 'lost';
  const first = await world.card.authorize(authorization);
  if (first.kind !== 'unknown') return first;
  return (await request.hold.isHeld()) ? world.card.authorize(authorization) : 'lost';
}
