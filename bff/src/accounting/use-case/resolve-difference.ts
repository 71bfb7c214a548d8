import { randomUUID } from 'node:crypto';
import {
  type BookOrphan,
  type DifferenceKey,
  decideBooking,
  decideExplanation,
  decideRefund,
  decideUndo,
  decideWriteOff,
  type ResolutionEvent,
  type ResolutionReason,
  type Resolutions,
  type UndoRejection,
} from '@kilim/domain/accounting/resolutions';
import { negate } from '@kilim/domain/money';
import type { OrderId } from '@kilim/domain/order/ids';
import { isReturned, leftOf } from '@kilim/domain/order/orphan';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { handle, streamTarget } from '../../core/ledger/handle.ts';
import { readOrder } from '../../core/ledger/read.ts';
import { readResolutions, resolutionsKind } from '../../core/queries/resolutions.ts';
import { findOrphan, isProven, type KnownOrphan } from '../../core/use-case/known-orphan.ts';
import { askForReturn, refundIdOfReturn, refundsOf } from '../../core/use-case/return-orphan.ts';
import type { World } from '../../core/use-case/world.ts';
import { findItemToWriteOff } from '../queries/open-differences.ts';

export type Resolving = {
  readonly reason: ResolutionReason;
  readonly by: string;
  readonly requestId: string;
};

/** The caller knows that the difference is on the list. */
export async function explainDifference(
  world: World,
  { code, squareId, stated }: DifferenceKey,
  { reason, by, requestId }: Resolving,
): Promise<void> {
  const event = { type: 'DifferenceExplained', code, squareId, stated, reason, by } as const;
  await record(world, { by, requestId }, (state) => decideExplanation(event, state));
}

export type RefundOrphanRejection =
  /** Unknown, returned, assigned or written off. */
  | { readonly code: 'NoSuchOrphan' }
  /** Square did not make the refund; the log says why. */
  | { readonly code: 'RefusedBySquare' }
  /** Somebody else than a server recorded the payment. It may be that of an order. */
  | { readonly code: 'UnprovenOrphan' };

/**
 * The intent is recorded before the call, and a repeat asks for the same refund, so the money goes back at most once.
 * @returns `pending` while Square has not decided, or its answer was lost: reconciliation records the outcome.
 */
export async function refundOrphan(
  world: World,
  squarePaymentId: string,
  { reason, by, requestId }: Resolving,
): Promise<Result<'refunded' | 'pending', RefundOrphanRejection>> {
  const known = await findOrphan(world, squarePaymentId);
  if (known === undefined || isReturned(known.orphan)) return rejected({ code: 'NoSuchOrphan' });
  if (!(await isProven(world, known))) return rejected({ code: 'UnprovenOrphan' });
  const looked = await world.card.get(squarePaymentId);
  if (looked.kind === 'unknown') return ok('pending');
  if (looked.kind === 'not-found') return rejected({ code: 'NoSuchOrphan' });
  const stated = leftOf(known.orphan);
  const event = { type: 'OrphanRefundRequested', squarePaymentId, stated, reason, by } as const;
  const recorded = await record(world, { by, requestId }, (state) => decideRefund(event, state));
  if (recorded.outcome === 'refused') return rejected({ code: 'NoSuchOrphan' });
  const refundId = refundIdOfReturn(squarePaymentId, stated);
  const asked = await askForReturn(world, known, { payment: looked.payment, refundId, amount: stated });
  if (asked.kind === 'differs') return rejected({ code: 'RefusedBySquare' });
  return ok(asked.kind === 'recorded' ? 'refunded' : 'pending');
}

/** Absent: the payment is written off. */
type Booking = Resolving & { readonly orderId?: OrderId };

export type BookOrphanRejection =
  | Extract<RefundOrphanRejection, { readonly code: 'NoSuchOrphan' }>
  | { readonly code: 'NoSuchOrder' }
  /** The money may be on its way back to the customer. */
  | { readonly code: 'RefundUnderWay' }
  | { readonly code: 'SquareDidNotAnswer' };

export async function bookOrphan(
  world: World,
  squarePaymentId: string,
  { orderId, reason, by, requestId }: Booking,
): Promise<Result<undefined, BookOrphanRejection>> {
  const known = await findOrphan(world, squarePaymentId);
  if (known === undefined) return rejected({ code: 'NoSuchOrphan' });
  if (orderId !== undefined && (await readOrder(world.sql, orderId)).version === 0) {
    return rejected({ code: 'NoSuchOrder' });
  }
  const underWay = await findRefundUnderWay(world, known);
  if (underWay !== undefined) return rejected(underWay);
  const about = { squarePaymentId, reason, by };
  const booking: BookOrphan =
    orderId === undefined ? { type: 'OrphanWrittenOff', ...about } : { type: 'OrphanAssigned', orderId, ...about };
  const left = leftOf(known.orphan);
  const recorded = await record(world, { by, requestId }, (state) => decideBooking(booking, left, state));
  return recorded.outcome === 'refused' ? rejected({ code: 'NoSuchOrphan' }) : ok(undefined);
}

/** Square has not decided it, or the ledger does not have it yet. */
async function findRefundUnderWay(
  world: World,
  { orphan: { found, returned } }: KnownOrphan,
): Promise<Extract<BookOrphanRejection, { readonly code: 'RefundUnderWay' | 'SquareDidNotAnswer' }> | undefined> {
  const looked = await world.card.get(found.squarePaymentId);
  if (looked.kind === 'not-found') return undefined;
  const refunds = looked.kind === 'unknown' ? 'unknown' : await refundsOf(world, looked.payment);
  if (refunds === 'unknown') return { code: 'SquareDidNotAnswer' };
  const isUnderWay = refunds.some(
    ({ status, squareRefundId }) => status === 'pending' || (status === 'completed' && !returned.has(squareRefundId)),
  );
  return isUnderWay ? { code: 'RefundUnderWay' } : undefined;
}

/** The item does not stand as the last comparison shows it, or a payout may still settle it. */
export type WriteItemOffRejection = { readonly code: 'NoSuchItem' };

/** A repeated click records nothing. */
export async function writeItemOff(
  world: World,
  squarePaymentId: string,
  { reason, by, requestId }: Resolving,
): Promise<Result<undefined, WriteItemOffRejection>> {
  const item = await findItemToWriteOff(world, squarePaymentId);
  if (item.kind !== 'standing') {
    const isDone = item.kind === 'settled' && (await readResolutions(world.sql)).writtenOff.has(squarePaymentId);
    return isDone ? ok(undefined) : rejected({ code: 'NoSuchItem' });
  }
  const event = { type: 'ClearingItemWrittenOff', squarePaymentId, amount: negate(item.amount), reason, by } as const;
  await record(world, { by, requestId }, (state) => decideWriteOff(event, item.seenAt, state));
  return ok(undefined);
}

/** The reverse of the booking is of today. A repeated click records nothing. */
export async function undoResolution(
  world: World,
  undoes: number,
  { by, requestId }: Pick<Resolving, 'by' | 'requestId'>,
): Promise<Result<undefined, UndoRejection>> {
  const recorded = await record(world, { by, requestId }, (state) => decideUndo({ undoes, by }, state));
  return recorded.outcome === 'refused' ? rejected(recorded.rejection) : ok(undefined);
}

/** The newest events decide whether a repeated click records anything. */
async function record<Rejection>(
  world: World,
  { by, requestId }: Pick<Resolving, 'by' | 'requestId'>,
  decide: (state: Resolutions) => Result<readonly ResolutionEvent[], Rejection>,
) {
  const target = streamTarget(world.sql, resolutionsKind, () => readResolutions(world.sql));
  const commandId = `resolve:${randomUUID()}`;
  return await handle(world, target, { commandId, actor: `admin:${by}`, requestId, decide });
}
