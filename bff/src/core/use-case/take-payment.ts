import type { Contact, ContactErrors } from '@kilim/domain/contact';
import type { Cents } from '@kilim/domain/money';
import type { OrderEvent, OrderSource } from '@kilim/domain/order/events';
import type { IdempotencyKey, OrderId, PaymentId } from '@kilim/domain/order/ids';
import * as payment from '@kilim/domain/order/payment';
import * as place from '@kilim/domain/order/place';
import type { Quote } from '@kilim/domain/quote';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { unreachable } from '@kilim/domain/unreachable';
import type { Sql } from '../database/database.ts';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import { append } from '../ledger/append.ts';
import { contactDigest, keepContact, newSalt } from '../ledger/contact.ts';
import { effectKey, releaseEffect } from '../ledger/effects.ts';
import { handle, type Repeated, type Target } from '../ledger/handle.ts';
import { type Hold, stopwatch, whileHolding } from '../ledger/hold-effect.ts';
import { eventsOf, type OrderStream, orderIdOf, orderStreamId, readOrder, readOrderWithSalt } from '../ledger/read.ts';
import type { AuthorizeCard, AuthorizeOutcome } from '../square/card-processor.ts';
import { afterAuthorization, chargeEffect, type Driven, lostHold } from './drive-attempt.ts';
import { type Attempted, attemptedOf, findAttempt, payCommandId } from './payment-attempt.ts';
import { paymentStateOf } from './record-payment.ts';
import type { World } from './world.ts';

export type TakePayment = {
  readonly orderId: OrderId;
  readonly paymentId: PaymentId;
  readonly idempotencyKey: IdempotencyKey;
  /** Another request with the same key is refused. */
  readonly requestHash: Uint8Array;
  /** Never stored, never logged. */
  readonly cardToken: string;
  readonly verificationToken: string | undefined;
  /** The total that the customer was shown. */
  readonly offered: Cents;
  /** Priced by the server just now. Only the total that was shown is charged. */
  readonly quote: Quote;
  readonly largestOrder: Cents;
  readonly settingsVersion: number;
  readonly source: OrderSource;
  readonly contact: Contact;
  /** What the shop cannot do now: a day that is over, or a place where it does not drive. */
  readonly pickupErrors: ContactErrors;
  readonly receiptTokenHash: Uint8Array;
  readonly requestId: string;
};

export type TakePaymentRejection =
  | place.PlaceRejection
  | payment.PaymentRejection
  | { readonly code: 'PickupDayRefused' }
  | { readonly code: 'ZipCodeUnserved'; readonly message: string }
  | { readonly code: 'OrderTooLarge'; readonly total: Cents; readonly largest: Cents }
  | { readonly code: 'KeyReused' };

export type TakenPayment = Attempted | { readonly kind: 'rejected'; readonly rejection: TakePaymentRejection };

/**
 * Another process can finish or void the payment after any interruption. The ledger records the order and the intent
 * before the call to Square, and each answer of Square before the next step. A repeated request, from a second click or
 * another tab, charges nothing and gets the first answer.
 * @throws when the intent could not be recorded. Then Square was not called.
 */
export async function takePayment(world: World, request: TakePayment): Promise<TakenPayment> {
  // The database may store the append long before a repetition hears of it.
  const sinceConfirmed = stopwatch();
  const intent = await recordIntent(world, request);
  if (intent.kind !== 'recorded') return intent.answer;
  const { quote, contact } = request;
  return await chargeCard(world, intent.stream, {
    ...request,
    amount: quote.total,
    buyerEmail: contact.email,
    sinceConfirmed,
  });
}

export type ChargeCard = Pick<
  TakePayment,
  'orderId' | 'paymentId' | 'idempotencyKey' | 'cardToken' | 'verificationToken' | 'requestId'
> & {
  readonly amount: Cents;
  /** Empty: the contact was erased. */
  readonly buyerEmail: string;
  /** Since before the intent was appended. */
  readonly sinceConfirmed: () => number;
};

/** For an attempt whose intent this call has recorded. */
export async function chargeCard(world: World, stream: OrderStream, charge: ChargeCard): Promise<Attempted> {
  const { paymentId, sinceConfirmed } = charge;
  const opened = { key: effectKey(paymentId, 'charge'), fence: 0, sinceConfirmed };
  const driven = await whileHolding(world, opened, (hold) => authorizeAndTake(world, stream, { ...charge, hold }));
  return attemptedOf(driven.stream, paymentId);
}

type Intent =
  | { readonly kind: 'recorded'; readonly stream: OrderStream }
  | { readonly kind: 'answered'; readonly answer: TakenPayment };

type SaltedStream = OrderStream & { readonly salt: Uint8Array };

/** One round trip, unless something is recorded of the order. */
async function recordIntent(world: World, request: TakePayment): Promise<Intent> {
  const { sql } = world;
  const { orderId, paymentId, idempotencyKey, requestHash, requestId } = request;
  const target: Target<SaltedStream, OrderEvent, OrderStream> = {
    streamId: orderStreamId(orderId),
    guess: { orderId, version: 0, events: [], salt: newSalt() },
    read: async () => {
      const { salt = newSalt(), ...stream } = await readOrderWithSalt(sql, orderId);
      return { ...stream, salt };
    },
    append: ({ salt, ...stream }, recording) =>
      append(sql, stream, {
        ...recording,
        beside: [keepContact({ ...request, salt })],
        openEffects: [chargeEffect(paymentId)],
      }),
  };
  const handled = await handle(world, target, {
    requestHash,
    requestId,
    commandId: payCommandId(idempotencyKey),
    actor: 'customer',
    decide: (stream) => decideIntent(stream, request, contactDigest(request.contact, stream.salt)),
  });
  switch (handled.outcome) {
    case 'recorded':
      return { kind: 'recorded', stream: handled.stream };
    case 'refused':
      return answered(await repeatWhileAway(() => answerRefusal(sql, handled, request)));
    case 'repeated':
      return await repeatWhileAway(() => answerRepeat(sql, handled, request));
    case 'reused':
      return answered({ kind: 'rejected', rejection: { code: 'KeyReused' } });
    default:
      return unreachable(handled);
  }
}

type Intention = Result<readonly OrderEvent[], TakePaymentRejection>;

function decideIntent(stream: OrderStream, request: TakePayment, digest: string): Intention {
  const { paymentId, idempotencyKey, offered, quote, largestOrder: largest } = request;
  if (quote.total > largest) return rejected({ code: 'OrderTooLarge', total: quote.total, largest });
  if (offered !== quote.total) return rejected({ code: 'AmountDiffers', expected: quote.total, offered });
  const { zipCode: unserved, pickupDay, pickupWindow } = request.pickupErrors;
  if (unserved !== undefined) return rejected({ code: 'ZipCodeUnserved', message: unserved });
  if (pickupDay !== undefined || pickupWindow !== undefined) return rejected({ code: 'PickupDayRefused' });
  const events = eventsOf(stream);
  const placed = place.decide({ ...request, contactDigest: digest }, events.reduce(place.evolve, place.notPlaced));
  if (!placed.ok) return placed;
  const state = [...events, ...placed.value].reduce(payment.evolve, payment.nothingPaid);
  const started = payment.decide({ type: 'StartPayment', paymentId, idempotencyKey, amount: quote.total }, state);
  return started.ok ? ok([...placed.value, ...started.value]) : started;
}

/** What the shop sells now, which may be less than when the order was paid. */
const refusedNow: ReadonlySet<TakePaymentRejection['code']> = new Set([
  'PickupDayRefused',
  'ZipCodeUnserved',
  'OrderTooLarge',
]);

type Refusal = { readonly stream: SaltedStream; readonly rejection: TakePaymentRejection };

/**
 * An order that is paid, or being paid from another tab, is answered with that payment: one order, one charge, one
 * answer. This includes a payment at an older price or limit, or after the pickup day. Only a request with the order's
 * contact is told of a payment, because an order's id is no secret.
 */
async function answerRefusal(
  sql: Sql,
  { stream, rejection }: Refusal,
  { offered, quote, idempotencyKey, contact }: TakePayment,
): Promise<TakenPayment> {
  if (offered !== quote.total || refusedNow.has(rejection.code)) {
    const state = paymentStateOf(stream);
    const paid = payment.capturedAttempt(state) ?? payment.openAttempt(state);
    if (paid !== undefined && isOf(contact, stream)) return attemptedOf(stream, paid.paymentId);
    const earlier = await findAttempt(sql, idempotencyKey);
    if (earlier !== undefined && isOf(contact, await readOrderWithSalt(sql, earlier.orderId))) return earlier;
  }
  if (rejection.code === 'AlreadyPaid' || rejection.code === 'PaymentInProgress') {
    return attemptedOf(stream, rejection.paymentId);
  }
  return { kind: 'rejected', rejection };
}

type KeptStream = OrderStream & { readonly salt: Uint8Array | undefined };

/** An erased contact is nobody's. */
function isOf(contact: Contact, stream: KeptStream): boolean {
  const { salt } = stream;
  const placed = eventsOf(stream).find((event) => event.type === 'OrderPlaced');
  return salt !== undefined && placed?.contactDigest === contactDigest(contact, salt);
}

/**
 * Each request draws its own payment id: an attempt with this request's id is its own, whose answer was lost, and
 * continues. Any other request gets the outcome of the recorded attempt.
 */
async function answerRepeat(
  sql: Sql,
  { stream: seen, streamId }: Repeated<OrderStream>,
  { idempotencyKey, paymentId }: TakePayment,
): Promise<Intent> {
  const orderId = orderIdOf(streamId);
  if (orderId === undefined) throw new Error(`A payment stands in the stream ${streamId}`);
  const stream = orderId === seen.orderId ? seen : await readOrder(sql, orderId);
  const attempt = payment.attemptWithKey(paymentStateOf(stream), idempotencyKey);
  if (attempt === undefined) throw new Error('The ledger has a payment command without its attempt');
  if (attempt.paymentId === paymentId) return { kind: 'recorded', stream };
  return answered(attemptedOf(stream, attempt.paymentId));
}

function answered(answer: TakenPayment): Intent {
  return { kind: 'answered', answer };
}

type HeldPayment = ChargeCard & { readonly hold: Hold };

/** Never throws: a failure leaves the effect open, and the answer is that the outcome is unknown. */
async function authorizeAndTake(world: World, stream: OrderStream, request: HeldPayment): Promise<Driven> {
  const { paymentId, requestId, hold } = request;
  const drive = { paymentId, requestId, hold, actor: 'customer' as const };
  try {
    const outcome = await authorizeTwice(world, request);
    if (outcome === 'lost') return lostHold(world, stream, drive);
    const driven = await afterAuthorization(world, stream, { ...drive, outcome });
    // This request can do no more, so a worker need not wait for the lease to end.
    if (driven.status === 'unknown')
      await repeatWhileAway(() => releaseEffect(world.sql, hold, { seconds: 0, word: driven.word }));
    return driven;
  } catch (error) {
    world.log.error({ err: error, paymentId }, 'a payment was interrupted; the settle worker continues it');
    return { stream, status: 'unknown' };
  }
}

/** Sends the identical request again while it has the token: Square holds the money at most once per key. */
async function authorizeTwice(world: World, request: HeldPayment): Promise<AuthorizeOutcome | 'lost'> {
  const { idempotencyKey, cardToken, verificationToken, amount, orderId, buyerEmail, hold } = request;
  const authorization: AuthorizeCard = { idempotencyKey, cardToken, verificationToken, amount, orderId, buyerEmail };
  if (!(await hold.isHeld())) return 'lost';
  const first = await world.card.authorize(authorization);
  if (first.kind !== 'unknown') return first;
  return (await hold.isHeld()) ? world.card.authorize(authorization) : 'lost';
}
