import type { Day } from '@kilim/domain/day';
import { type IntakeRejection, type PayRejection, payable } from '@kilim/domain/intake/intake';
import type { Cents } from '@kilim/domain/money';
import type { CustomerPaid, OrderEvent } from '@kilim/domain/order/events';
import { type IdempotencyKey, type OrderId, type PaymentId, parseOrderId } from '@kilim/domain/order/ids';
import * as payment from '@kilim/domain/order/payment';
import * as place from '@kilim/domain/order/place';
import { ok, type Result, rejected } from '@kilim/domain/result';
import type { Sql } from '../../core/database/database.ts';
import { append, type NewEffect } from '../../core/ledger/append.ts';
import { readContact } from '../../core/ledger/contact.ts';
import { handle, type Target } from '../../core/ledger/handle.ts';
import { stopwatch } from '../../core/ledger/hold-effect.ts';
import { eventsOf, type OrderStream, orderStreamId } from '../../core/ledger/read.ts';
import { dayIn } from '../../core/runtime/day-in.ts';
import { chargeEffect } from '../../core/use-case/drive-attempt.ts';
import { type Attempted, attemptedOf, payCommandId } from '../../core/use-case/payment-attempt.ts';
import { paymentStateOf } from '../../core/use-case/record-payment.ts';
import { chargeCard } from '../../core/use-case/take-payment.ts';
import type { World } from '../../core/use-case/world.ts';
import { holdFamily, type ReadFamily, readFamily } from '../family.ts';
import type { IntakeWorld } from './record-step.ts';

export type PaySupplement = {
  readonly supplementId: OrderId;
  readonly paymentId: PaymentId;
  readonly idempotencyKey: IdempotencyKey;
  /** Another request with the same key is refused. */
  readonly requestHash: Uint8Array;
  /** Never stored, never logged. */
  readonly cardToken: string;
  readonly verificationToken: string | undefined;
  /** The total that the customer was shown. */
  readonly offered: Cents;
  readonly requestId: string;
};

export type SupplementRejection =
  | Exclude<PayRejection, { readonly code: 'Paid' }>
  | place.PlaceRejection
  | payment.PaymentRejection
  | { readonly code: 'KeyReused' };

export type PaidSupplement = Attempted | { readonly kind: 'rejected'; readonly rejection: SupplementRejection };

/** Finds withdrawn and replaced requests, too. @returns undefined when nobody asked for this difference. */
export async function findSupplementOrder(sql: Sql, supplementId: OrderId): Promise<OrderId | undefined> {
  const [row] = await sql<{ order_id: string }[]>`
    select order_id from ledger.order_summary where supplement_id = ${supplementId}::uuid
    union all
    -- The row has the last request only. The ids of all end as that of their order.
    select order_id from ledger.order_summary join ledger.event on stream_id = 'order-' || order_id
    where right(order_id::text, 8) = ${supplementId.slice(-8)}
      and type = 'SupplementRequested' and payload ->> 'supplementId' = ${supplementId}
    limit 1`;
  return row && parseOrderId(row.order_id);
}

/** The stream of the supplement, with the family that decides what it costs. */
type Seen = { readonly read: ReadFamily; readonly stream: OrderStream };

/**
 * As `takePayment`, of an order that is placed only now. The append holds the family: it is refused when somebody
 * measured, withdrew, waived or refunded since the total was decided.
 * @throws when the intent could not be recorded. Then Square was not called.
 */
export async function paySupplement(
  world: IntakeWorld & { readonly world: World },
  request: PaySupplement,
  orderId: OrderId,
): Promise<PaidSupplement> {
  const { supplementId, paymentId, idempotencyKey, requestHash, requestId, offered: amount } = request;
  const { sql } = world;
  const started = { type: 'StartPayment', paymentId, idempotencyKey, amount } as const;
  const sinceConfirmed = stopwatch();
  const handled = await handle(world, targetOf(world, { orderId, supplementId }, [chargeEffect(paymentId)]), {
    requestHash,
    requestId,
    commandId: payCommandId(idempotencyKey),
    actor: 'customer',
    decide: (seen, at) => decidePayment(seen, started, { supplementId, today: dayIn(world.timeZone, at) }),
  });
  if (handled.outcome === 'reused') return refused({ code: 'KeyReused' });
  if (handled.outcome === 'refused') return answerRefusal(handled.stream.stream, handled.rejection);
  const stream = handled.outcome === 'recorded' ? handled.stream : handled.stream.stream;
  const attempt = payment.attemptWithKey(paymentStateOf(stream), idempotencyKey);
  // The key of another order.
  if (attempt === undefined) return refused({ code: 'KeyReused' });
  if (attempt.paymentId !== paymentId) return attemptedOf(stream, attempt.paymentId);
  const buyerEmail = (await readContact(sql, orderId))?.contact.email ?? '';
  const { cardToken, verificationToken } = request;
  return await chargeCard(world.world, stream, {
    ...{ orderId: supplementId, paymentId, idempotencyKey, cardToken, verificationToken, requestId },
    ...{ amount, buyerEmail, sinceConfirmed },
  });
}

export type ShopPayment = Pick<CustomerPaid, 'paymentId' | 'amount' | 'method'> & {
  readonly known: ReadFamily;
  readonly reference: string | undefined;
  readonly by: string;
  readonly requestId: string | undefined;
};

export type ShopPaymentRejection =
  | Extract<IntakeRejection, { readonly code: 'DifferenceChanged' | 'CustomerIsPaying' }>
  | { readonly code: 'AlreadyPaid' };

/** The customer paid in the shop what an open request asks for. A second click records nothing. */
export async function recordShopPayment(
  world: IntakeWorld,
  { known, reference, by, requestId, ...paid }: ShopPayment,
): Promise<Result<undefined, ShopPaymentRejection>> {
  const { orderId } = known.stream;
  const { request } = known.family.order;
  if (request === undefined) return rejected({ code: 'DifferenceChanged' });
  const { supplementId, expiresOn } = request;
  // No customer can choose it.
  const idempotencyKey = `shop-${paid.paymentId}` as IdempotencyKey;
  const facts = { ...paid, idempotencyKey, ...(reference === undefined ? {} : { reference }) };
  const handled = await handle(world, targetOf(world, { orderId, supplementId }), {
    requestId,
    commandId: `shop-payment:${supplementId}`,
    actor: `admin:${by}`,
    decide: (seen, at) =>
      decidePayment(
        seen,
        { ...facts, type: 'RecordShopPayment', paidAt: at.toISOString() },
        // The customer stands in the shop: that the link is too old does not matter.
        { supplementId, today: expiresOn },
      ),
  });
  if (handled.outcome !== 'refused') return ok(undefined);
  const { stream, rejection } = handled;
  const captured = payment.capturedAttempt(paymentStateOf(stream.stream));
  if (captured !== undefined && captured.capture === undefined) return ok(undefined);
  const { code } = rejection;
  if (code === 'PaymentInProgress') return rejected({ code: 'CustomerIsPaying' });
  return rejected({ code: code === 'AlreadyPaid' ? code : 'DifferenceChanged' });
}

type Ids = { readonly orderId: OrderId; readonly supplementId: OrderId };

function targetOf(
  world: IntakeWorld,
  { orderId, supplementId }: Ids,
  openEffects?: readonly NewEffect[],
): Target<Seen, OrderEvent, OrderStream> {
  return {
    streamId: orderStreamId(supplementId),
    read: async () => {
      const family = await readFamily(world, orderId);
      if (family === undefined) throw new Error(`Order ${orderId} was never placed`);
      const none: OrderStream = { orderId: supplementId, version: 0, events: [] };
      return { read: family, stream: family.supplements.find((each) => each.orderId === supplementId) ?? none };
    },
    append: (seen, recording) =>
      append(world.sql, seen.stream, {
        ...recording,
        beside: holdFamily(seen.read),
        ...(openEffects === undefined ? {} : { openEffects }),
      }),
  };
}

function decidePayment(
  { read, stream }: Seen,
  command: Extract<payment.PaymentCommand, { readonly type: 'StartPayment' | 'RecordShopPayment' }>,
  { supplementId, today }: { readonly supplementId: OrderId; readonly today: Day },
): Result<readonly OrderEvent[], SupplementRejection> {
  const { family, rates, placed } = read;
  const events = eventsOf(stream);
  const before = events.reduce(payment.evolve, payment.nothingPaid);
  const quote = payable(family, supplementId, { rates, today });
  if (!quote.ok) {
    const paid = payment.capturedAttempt(before);
    if (quote.rejection.code !== 'Paid') return rejected(quote.rejection);
    if (paid === undefined) throw new Error(`Supplement ${supplementId} is paid without a payment`);
    return rejected({ code: 'AlreadyPaid', paymentId: paid.paymentId });
  }
  const { total } = quote.value;
  const { amount: offered } = command;
  if (offered !== total) return rejected({ code: 'AmountDiffers', expected: total, offered });
  const { settingsVersion, source, contactDigest } = placed;
  const order = { orderId: supplementId, supplementOf: placed.orderId, settingsVersion, source, contactDigest };
  const ordered = place.decide({ ...order, quote: quote.value }, events.reduce(place.evolve, place.notPlaced));
  if (!ordered.ok) return ordered;
  const state = [...events, ...ordered.value].reduce(payment.evolve, payment.nothingPaid);
  const decided = payment.decide(command, state);
  return decided.ok ? ok([...ordered.value, ...decided.value]) : decided;
}

/** A second click or another phone gets the outcome of the first payment. */
function answerRefusal(stream: OrderStream, rejection: SupplementRejection): PaidSupplement {
  return rejection.code === 'AlreadyPaid' || rejection.code === 'PaymentInProgress'
    ? attemptedOf(stream, rejection.paymentId)
    : refused(rejection);
}

function refused(rejection: SupplementRejection): PaidSupplement {
  return { kind: 'rejected', rejection };
}
