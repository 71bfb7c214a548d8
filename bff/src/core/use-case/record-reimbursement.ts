import type { Day } from '@kilim/domain/day';
import type { OrderEvent, ReimbursementMethod } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';
import type { ChosenLines } from '@kilim/domain/order/refund-allocation';
import type { RefundReason } from '@kilim/domain/order/refund-reasons';
import { decide, type ReimbursementRejection } from '@kilim/domain/order/reimbursement';
import { type RefundHistoryRow, refundHistory } from '@kilim/domain/projection/refund-history';
import { type Result, rejected } from '@kilim/domain/result';
import { onlyRow, type Sql } from '../database/database.ts';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import { handle, orderTarget } from '../ledger/handle.ts';
import { type OrderStream, readOrder } from '../ledger/read.ts';
import { dayIn } from '../runtime/day-in.ts';
import { refundStateOf } from './drive-refund.ts';
import { type LimitedRequest, type LimitReached, mostConflicts } from './refund-rule.ts';
import type { World } from './world.ts';

/** `refundId` is the id of the reimbursement. */
export type Reimbursed = LimitedRequest & {
  readonly orderId: OrderId;
  /** Another request with the same id is refused. */
  readonly requestHash: Uint8Array;
  readonly method: ReimbursementMethod;
  readonly paidOn: Day;
  readonly reference: string | undefined;
  readonly reason: RefundReason;
  readonly lines: ChosenLines;
  readonly requestId: string | undefined;
};

export type RecordReimbursementRejection =
  | ReimbursementRejection
  | LimitReached
  | { readonly code: 'KeyReused' }
  | { readonly code: 'UnknownOrder' };

export type RecordedReimbursement =
  | { readonly kind: 'recorded'; readonly row: RefundHistoryRow }
  | { readonly kind: 'rejected'; readonly rejection: RecordReimbursementRejection };

/**
 * A reimbursement counts for the limits of refunds, because money leaves the shop. It is booked on the day of its
 * payment, or on the first open day after it.
 */
export async function recordReimbursement(world: World, request: Reimbursed): Promise<RecordedReimbursement> {
  const { orderId, refundId, requestHash, requestedBy, requestId, paidOn, timeZone } = request;
  const known = await repeatWhileAway(() => readOrder(world.sql, orderId));
  if (known.version === 0) return rejectedWith({ code: 'UnknownOrder' });
  const noon = await repeatWhileAway(() => noonOf(world.sql, paidOn, timeZone));
  const recorded = await world.refundWithin(world, request, (limit) =>
    handle(world, orderTarget(world.sql, orderId, { beside: [limit] }), {
      requestHash,
      requestId,
      mostConflicts,
      commandId: `refund:${refundId}`,
      actor: `admin:${requestedBy}`,
      happenedAt: (now) => (paidOn < dayIn(timeZone, now) ? noon : now),
      decide: (stream, at) => decideOn(stream, request, at),
    }),
  );
  if ('code' in recorded) return rejectedWith(recorded);
  switch (recorded.outcome) {
    case 'refused':
      return rejectedWith(recorded.rejection);
    case 'reused':
      return rejectedWith({ code: 'KeyReused' });
    default: {
      const row = refundHistory(orderId, recorded.stream.events).find((refund) => refund.refundId === refundId);
      return row === undefined ? rejectedWith({ code: 'KeyReused' }) : { kind: 'recorded', row };
    }
  }
}

function decideOn(
  stream: OrderStream,
  request: Reimbursed,
  at: Date,
): Result<readonly OrderEvent[], ReimbursementRejection> {
  const state = refundStateOf(stream);
  if (state.captured === undefined) return rejected({ code: 'NotPaid' });
  const { refundId, amount, method, paidOn, reference, reason, lines, requestedBy, timeZone } = request;
  const command = {
    type: 'RecordReimbursement' as const,
    reimbursementId: refundId,
    ...{ amount, method, paidOn, reason, lines },
    ...(reference === undefined ? {} : { reference }),
    reimbursedBy: requestedBy,
    recordedAt: at.toISOString(),
    possible: { first: dayIn(timeZone, new Date(state.captured.capturedAt)), last: dayIn(timeZone, at) },
  };
  return decide(command, state);
}

async function noonOf(sql: Sql, day: Day, timeZone: string): Promise<Date> {
  const { noon } = await onlyRow(sql<{ noon: Date }[]>`
    select ledger.start_of_day(${day}::text::date, ${timeZone}) + interval '12 hours' as noon`);
  return noon;
}

function rejectedWith(rejection: RecordReimbursementRejection): RecordedReimbursement {
  return { kind: 'rejected', rejection };
}
