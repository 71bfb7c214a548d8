import { setTimeout } from 'node:timers/promises';
import type { Cents } from '@kilim/domain/money';
import type { RefundedRug, RefundType } from '@kilim/domain/order/events';
import type { PaymentId, RefundId } from '@kilim/domain/order/ids';
import { decide, type RefundRejection, refundableOf } from '@kilim/domain/order/refund';
import { type RefundHistoryRow, refundHistory } from '@kilim/domain/projection/refund-history';
import { repeatWhileAway, tooManyConflictsError } from '../database/database.ts';
import { append } from '../ledger/append.ts';
import { claimEffect, effectKey, type Fencing, releaseEffect } from '../ledger/effects.ts';
import { whileHolding } from '../ledger/hold-effect.ts';
import type { OrderStream } from '../ledger/read.ts';
import { findOrderByPayment } from '../queries/find-order.ts';
import type { World } from '../server/world.ts';
import { driveRefund, refundEffect, refundStateOf } from './drive-refund.ts';
import { orderOfCommand } from './payment-attempt.ts';

/** An administrator gives money back. */
export type RequestRefund = {
  readonly paymentId: PaymentId;
  /** Chosen by the browser once per intent: a second click is the same refund. */
  readonly refundId: RefundId;
  /** SHA-256 of the whole request: the id sent again with anything else is refused. */
  readonly requestHash: Uint8Array;
  readonly refundType: RefundType;
  readonly amount: Cents;
  readonly reason: string;
  readonly notes: string | undefined;
  readonly items: readonly RefundedRug[];
  readonly deliveryMinimum: Cents;
  readonly requestedBy: string;
  readonly requestId: string | undefined;
};

export type RequestRefundRejection =
  | RefundRejection
  | { readonly code: 'KeyReused' }
  | { readonly code: 'UnknownPayment' };

export type RequestedRefund =
  | { readonly kind: 'refund'; readonly row: RefundHistoryRow; readonly stream: OrderStream }
  /** With what can still be refunded, for whoever lost a race. */
  | { readonly kind: 'rejected'; readonly rejection: RequestRefundRejection; readonly refundable: Cents | undefined };

/**
 * Reserves the money in the ledger, then asks Square for it. What is answered is what the ledger says afterwards: `pending` while
 * nobody knows yet or Square has not decided, and then the settle worker goes on with it.
 * @throws when the reservation could not be recorded: then Square was not called.
 */
export async function requestRefund(world: World, request: RequestRefund): Promise<RequestedRefund> {
  const sent: Sent = { isAppendSent: false };
  const reserved = await repeatWhileAway(() => reserve(world, request, sent));
  if (reserved.kind === 'rejected') return reserved;
  const stream = await askSquare(world, reserved, request);
  return { kind: 'refund', row: rowOf(stream, request.refundId), stream };
}

/** What this request has done so far, over all repetitions while the database is away. */
type Sent = { isAppendSent: boolean };

type Reservation = {
  readonly kind: 'reserved';
  readonly stream: OrderStream;
  /** Absent: another request asks Square for this refund. */
  readonly fencing: Fencing | undefined;
  readonly isFirstTry: boolean;
};

type Reserved = Reservation | Extract<RequestedRefund, { kind: 'rejected' }>;

/** Many may refund one order at once, each from another window: all but one lose every round. */
const mostConflicts = 40;

async function reserve(world: World, request: RequestRefund, sent: Sent): Promise<Reserved> {
  for (let conflicts = 0; ; conflicts += 1) {
    const found = await findOrderByPayment(world.sql, request.paymentId);
    if (found === undefined) return { kind: 'rejected', rejection: { code: 'UnknownPayment' }, refundable: undefined };
    const { stream } = found;
    const state = refundStateOf(stream);
    const occurredAt = world.now();
    const { refundId, refundType, amount, reason, notes, items, deliveryMinimum, requestedBy } = request;
    const terms = { refundId, refundType, amount, reason, items, deliveryMinimum, requestedBy };
    const decision = decide(
      {
        ...terms,
        ...(notes === undefined ? {} : { notes }),
        type: 'RequestRefund',
        askedAt: occurredAt.toISOString(),
      },
      state,
    );
    const refundable = refundableOf(state);
    if (!decision.ok) return { kind: 'rejected', rejection: decision.rejection, refundable };
    const [first, ...rest] = decision.value;
    if (first === undefined) return answerRepeat(world, stream, { ...request, ...sent });
    sent.isAppendSent = true;
    const result = await append(world.sql, stream, {
      commandId: commandIdOf(refundId),
      requestHash: request.requestHash,
      actor: `admin:${requestedBy}`,
      requestId: request.requestId,
      occurredAt,
      events: [first, ...rest],
      openEffects: [refundEffect(stream, refundId)],
    });
    if (result.outcome === 'appended') {
      const fencing = { key: effectKey(refundId, 'refund'), fence: 0 };
      return { kind: 'reserved', stream: result.stream, fencing, isFirstTry: true };
    }
    const isElsewhere = result.outcome === 'duplicate' && result.streamId !== `order-${stream.orderId}`;
    if (result.outcome === 'key_reused' || isElsewhere) {
      return { kind: 'rejected', rejection: { code: 'KeyReused' }, refundable };
    }
    if (conflicts === mostConflicts) throw tooManyConflictsError(`order ${stream.orderId}`, conflicts);
    await setTimeout(Math.random() * Math.min(10 * 2 ** conflicts, 200));
  }
}

/**
 * The id is known. When this request has sent an append whose answer was lost, the refund may be its own, and it goes on if it can
 * claim the effect. Otherwise it is told what became of the refund.
 */
async function answerRepeat(world: World, stream: OrderStream, request: RequestRefund & Sent): Promise<Reserved> {
  const { refundId, requestHash, isAppendSent } = request;
  const earlier = await orderOfCommand(world.sql, commandIdOf(refundId));
  if (earlier === undefined) throw new Error('A refund stands in the ledger without its command');
  const isSame = earlier.orderId === stream.orderId && Buffer.compare(earlier.requestHash, requestHash) === 0;
  if (!isSame) {
    return { kind: 'rejected', rejection: { code: 'KeyReused' }, refundable: refundableOf(refundStateOf(stream)) };
  }
  const fencing = isAppendSent ? await claimEffect(world.sql, effectKey(refundId, 'refund')) : undefined;
  return { kind: 'reserved', stream, fencing, isFirstTry: false };
}

/** From here on nothing is thrown: a failure leaves the effect open, and the refund is pending. */
async function askSquare(world: World, reserved: Reservation, request: RequestRefund): Promise<OrderStream> {
  const { stream, fencing, isFirstTry } = reserved;
  if (fencing === undefined) return stream;
  const { refundId, requestId, requestedBy } = request;
  const drive = { refundId, requestId, actor: `admin:${requestedBy}` as const, isFirstTry };
  try {
    const driven = await whileHolding(world, fencing, (hold) => driveRefund(world, stream, { ...drive, hold }));
    // This request has done what it can: a worker need not wait for the lease to end.
    if (driven.status === 'unknown') await repeatWhileAway(() => releaseEffect(world.sql, fencing, 0));
    return driven.stream;
  } catch (error) {
    world.log.error({ err: error, refundId }, 'a refund was interrupted; the settle worker goes on with it');
    return stream;
  }
}

function commandIdOf(refundId: RefundId): string {
  return `refund:${refundId}`;
}

function rowOf(stream: OrderStream, refundId: RefundId): RefundHistoryRow {
  const row = refundHistory(stream.orderId, stream.events).find((refund) => refund.refundId === refundId);
  if (row === undefined) throw new Error(`Order ${stream.orderId} has no refund ${refundId}`);
  return row;
}
