import type { Cents } from '@kilim/domain/money';
import type { OrderEvent, RefundedCharge, RefundedRug, RefundType } from '@kilim/domain/order/events';
import type { PaymentId, RefundId } from '@kilim/domain/order/ids';
import { decide, type RefundRejection, refundableOf } from '@kilim/domain/order/refund';
import { type RefundText, sortReason } from '@kilim/domain/order/refund-reasons';
import { type RefundHistoryRow, refundHistory } from '@kilim/domain/projection/refund-history';
import { type Result, rejected } from '@kilim/domain/result';
import { unreachable } from '@kilim/domain/unreachable';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import { newSalt } from '../ledger/contact.ts';
import { claimEffect, effectKey, type Fencing, releaseEffect } from '../ledger/effects.ts';
import { handle, orderTarget } from '../ledger/handle.ts';
import { whileHolding } from '../ledger/hold-effect.ts';
import { type OrderStream, orderStreamId } from '../ledger/read.ts';
import { keepRefundText, refundTextDigest } from '../ledger/refund-text.ts';
import type { Rider } from '../ledger/riders.ts';
import { findOrderByPayment } from '../queries/find-order.ts';
import { driveRefund, refundEffect, refundStateOf } from './drive-refund.ts';
import { type LimitedRequest, type LimitReached, mostConflicts } from './refund-rule.ts';
import type { World } from './world.ts';

export type RequestRefund = LimitedRequest & {
  readonly paymentId: PaymentId;
  /** Another request with the same id is refused. */
  readonly requestHash: Uint8Array;
  readonly refundType: RefundType;
  /** Other words than those of the list are kept beside the ledger. */
  readonly reason: string;
  readonly notes: string | undefined;
  readonly items: readonly RefundedRug[];
  /** Charges of rugs that `items` does not name. */
  readonly charges?: readonly RefundedCharge[] | undefined;
  readonly deliveryMinimum: Cents;
  /** Asked again after each conflict. Absent: the amount follows from nothing that can change. */
  readonly isStillDue?: (stream: OrderStream) => boolean;
  readonly requestId: string | undefined;
};

export type RequestRefundRejection =
  | RefundRejection
  | { readonly code: 'KeyReused' }
  | { readonly code: 'UnknownPayment' }
  | { readonly code: 'NotDue' }
  | LimitReached;

export type RequestedRefund =
  | { readonly kind: 'refund'; readonly row: RefundHistoryRow; readonly stream: OrderStream }
  /** With the amount that can still be refunded, for a request that lost a race. */
  | { readonly kind: 'rejected'; readonly rejection: RequestRefundRejection; readonly refundable: Cents | undefined };

/**
 * Reserves the money in the ledger, then asks Square. `pending`: the outcome is open, and the settle worker continues.
 * @throws when the reservation could not be recorded: Square was not called.
 */
export async function requestRefund(world: World, request: RequestRefund): Promise<RequestedRefund> {
  const reserved = await reserveWithinLimits(world, request);
  if (reserved.kind === 'rejected') return reserved;
  const stream = await askSquare(world, reserved, request);
  // The text of the request is the text that is stored: another text is another request.
  return { kind: 'refund', row: { ...rowOf(stream, request.refundId), ...sortReason(request).text }, stream };
}

type Reservation = {
  readonly kind: 'reserved';
  readonly stream: OrderStream;
  /** Absent: another request asks Square for this refund. */
  readonly fencing: Fencing | undefined;
  readonly isFirstTry: boolean;
};

type Reserved = Reservation | Extract<RequestedRefund, { kind: 'rejected' }>;

async function reserveWithinLimits(world: World, request: RequestRefund): Promise<Reserved> {
  const reserved = await world.refundWithin(world, request, (limit) => reserve(world, request, limit));
  if ('kind' in reserved) return reserved;
  const found = await repeatWhileAway(() => findOrderByPayment(world.sql, request.paymentId));
  return { kind: 'rejected', rejection: reserved, refundable: found && refundableOf(refundStateOf(found.stream)) };
}

async function reserve(world: World, request: RequestRefund, limit: Rider): Promise<Reserved> {
  const { paymentId, refundId, requestHash, requestId, requestedBy } = request;
  const found = await repeatWhileAway(() => findOrderByPayment(world.sql, paymentId));
  if (found === undefined) return { kind: 'rejected', rejection: { code: 'UnknownPayment' }, refundable: undefined };
  const { orderId } = found.stream;
  const openEffects = [refundEffect(paymentId, refundId)];
  const { reason, text } = sortReason(request);
  const refundText = text && { refundId, text, salt: newSalt() };
  const beside = [limit, ...(refundText === undefined ? [] : [keepRefundText(orderId, refundText)])];
  const target = orderTarget(world.sql, orderId, { known: found.stream, openEffects, beside });
  const handled = await handle(world, target, {
    requestHash,
    requestId,
    mostConflicts,
    commandId: `refund:${refundId}`,
    actor: `admin:${requestedBy}`,
    decide: (stream, askedAt) =>
      decideOn(stream, request, { askedAt: askedAt.toISOString(), reason, ...digestOf(refundText) }),
  });
  const { stream } = handled;
  const key = effectKey(refundId, 'refund');
  switch (handled.outcome) {
    case 'recorded':
      return { kind: 'reserved', stream: handled.stream, fencing: { key, fence: 0 }, isFirstTry: true };
    case 'refused':
      return rejectedWith(handled.rejection, stream);
    case 'reused':
      return rejectedWith({ code: 'KeyReused' }, stream);
    case 'repeated': {
      if (handled.streamId !== orderStreamId(orderId)) return rejectedWith({ code: 'KeyReused' }, stream);
      // When the answer to this request's own append was lost, it continues if it can claim the
      // effect.
      const fencing = handled.mayBeOwn ? await repeatWhileAway(() => claimEffect(world.sql, key)) : undefined;
      return { kind: 'reserved', stream, fencing, isFirstTry: false };
    }
    default:
      return unreachable(handled);
  }
}

function decideOn(
  stream: OrderStream,
  request: RequestRefund,
  recorded: Recorded,
): Result<readonly OrderEvent[], RequestRefundRejection> {
  const state = refundStateOf(stream);
  // A refund made at Square has Square's id in the list of refunds.
  if (state.external.has(request.refundId)) return rejected({ code: 'KeyReused' });
  const isKnown = state.refunds.has(request.refundId);
  if (!isKnown && request.isStillDue?.(stream) === false) return rejected({ code: 'NotDue' });
  return decide(commandOf(request, recorded), state);
}

type Recorded = { readonly reason: string; readonly textDigest?: string; readonly askedAt: string };

function digestOf(kept: { readonly text: RefundText; readonly salt: Uint8Array } | undefined) {
  return kept === undefined ? {} : { textDigest: refundTextDigest(kept.text, kept.salt) };
}

function commandOf(request: RequestRefund, recorded: Recorded) {
  const { refundId, refundType, amount, items, charges = [], deliveryMinimum, requestedBy } = request;
  return {
    ...{ refundId, refundType, amount, items, charges, deliveryMinimum, requestedBy },
    ...recorded,
    type: 'RequestRefund' as const,
  };
}

function rejectedWith(rejection: RequestRefundRejection, stream: OrderStream) {
  return { kind: 'rejected', rejection, refundable: refundableOf(refundStateOf(stream)) } as const;
}

/** Never throws: a failure leaves the effect open, and the refund is pending. */
async function askSquare(world: World, reserved: Reservation, request: RequestRefund): Promise<OrderStream> {
  const { stream, fencing, isFirstTry } = reserved;
  if (fencing === undefined) return stream;
  const { refundId, requestId, requestedBy } = request;
  const drive = { refundId, requestId, actor: `admin:${requestedBy}` as const, isFirstTry };
  try {
    const driven = await whileHolding(world, fencing, (hold) => driveRefund(world, stream, { ...drive, hold }));
    // This request can do no more, so a worker need not wait for the lease to end.
    if (driven.status !== 'settled')
      await repeatWhileAway(() => releaseEffect(world.sql, fencing, { seconds: 0, word: driven.word }));
    return driven.stream;
  } catch (error) {
    world.log.error({ err: error, refundId }, 'a refund was interrupted; the settle worker continues it');
    return stream;
  }
}

function rowOf(stream: OrderStream, refundId: RefundId): RefundHistoryRow {
  const row = refundHistory(stream.orderId, stream.events).find((refund) => refund.refundId === refundId);
  if (row === undefined) throw new Error(`Order ${stream.orderId} has no refund ${refundId}`);
  return row;
}
