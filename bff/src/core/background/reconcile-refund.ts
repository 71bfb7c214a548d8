import { type Cents, sumCents } from '@kilim/domain/money';
import { parseOrderId } from '@kilim/domain/order/ids';
import { evolve, nothingReconciled } from '@kilim/domain/order/reconcile';
import type { Refund, RefundState } from '@kilim/domain/order/refund';
import { eventsOf, type OrderStream, readOrder } from '../ledger/read.ts';
import type { CardDispute, CardRefund } from '../square/card-processor.ts';
import { recordRefund, refundStateOf } from '../use-case/drive-refund.ts';
import {
  agrees,
  disputeDiffers,
  elsewhere,
  type Finding,
  inFlight,
  recordedOrAgrees,
  refundDiffers,
} from '../use-case/finding.ts';
import { findOrphan } from '../use-case/known-orphan.ts';
import { recordSquareFact } from '../use-case/record-facts.ts';
import { reconcileReturn } from '../use-case/return-orphan.ts';
import type { World } from '../use-case/world.ts';
import { recordFact } from './reconcile-payment.ts';

/** Records missing facts of a refund from here or from Square's dashboard. */
export async function reconcileRefund(world: World, refund: CardRefund): Promise<Finding> {
  const orphan = await findOrphan(world, refund.squarePaymentId);
  if (orphan !== undefined) return reconcileReturn(world, orphan, refund);
  const stream = await findOrderAtSquare(world, refund.squarePaymentId);
  if (stream === undefined) return unlessElsewhere(world, refund, refundDiffers('OfUnknownPayment', refund, undefined));
  const ours = findOurs(refundStateOf(stream), refund);
  return ours === undefined ? reconcileExternal(world, stream, refund) : reconcileOurs(world, stream, { ours, refund });
}

/** A sale at the counter is refunded and disputed there, long after the lists of payments have ended. */
async function unlessElsewhere(
  world: World,
  { squarePaymentId }: CardRefund | CardDispute,
  finding: Finding,
): Promise<Finding> {
  const looked = await world.card.get(squarePaymentId);
  if (looked.kind === 'found') return looked.payment.isOnline ? finding : elsewhere;
  // `word` is the status in Square's answer, which this program cannot read.
  return looked.kind === 'unknown' && looked.word === undefined ? inFlight : finding;
}

function findOurs(state: RefundState, { refundId, squareRefundId }: CardRefund): Refund | undefined {
  const named = refundId === undefined ? undefined : state.refunds.get(refundId);
  return named ?? [...state.refunds.values()].find((refund) => refund.squareRefundId === squareRefundId);
}

type OurRefund = { readonly ours: Refund; readonly refund: CardRefund };

async function reconcileOurs(world: World, stream: OrderStream, { ours, refund }: OurRefund): Promise<Finding> {
  const isOver = ours.status === 'completed' || ours.status === 'failed';
  if (isOver && (outcomeAtSquare[refund.status] !== ours.status || refund.amount !== ours.request.amount)) {
    return refundDiffers('RefundDiffers', refund, stream.orderId);
  }
  if (!isOver && !(ours.status === 'submitted' && refund.status === 'pending')) {
    const { refundId } = ours.request;
    const drive = { refundId, actor: 'reconciliation', requestId: undefined } as const;
    const driven = await recordRefund(world, stream, { ...drive, found: refund });
    return driven.status === 'settled' ? { kind: 'recorded', types: [] } : inFlight;
  }
  return recordFee(world, stream, refund);
}

const outcomeAtSquare = { pending: 'submitted', completed: 'completed', failed: 'failed', rejected: 'failed' } as const;

async function reconcileExternal(world: World, stream: OrderStream, refund: CardRefund): Promise<Finding> {
  const { squareRefundId, amount, status, updatedAt: refundedAt } = refund;
  const { orderId } = stream;
  if (status === 'pending') return refundDiffers('ExternalRefundPending', refund, orderId);
  if (status !== 'completed') {
    return amountOfExternal(stream, squareRefundId) === 0 ? agrees : refundDiffers('RefundDiffers', refund, orderId);
  }
  const fact = { type: 'ExternalRefund', squareRefundId, amount, refundedAt } as const;
  const { stream: current, recorded, rejection } = await recordSquareFact(world, stream, fact);
  // An own refund is undecided, or the payment is not recorded. The next reconciliation decides.
  if (rejection !== undefined) return inFlight;
  if (amountOfExternal(current, squareRefundId) !== amount) return refundDiffers('RefundDiffers', refund, orderId);
  if (refundStateOf(current).excess.has(squareRefundId)) {
    await recordFee(world, current, refund);
    return refundDiffers('ExternalRefundExceeds', refund, orderId);
  }
  return recorded.length === 0 ? recordFee(world, current, refund) : recordedOrAgrees(recorded);
}

function amountOfExternal(stream: OrderStream, squareRefundId: string): Cents {
  return sumCents(
    eventsOf(stream).flatMap((event) =>
      (event.type === 'ExternalRefundRecorded' || event.type === 'ExcessRefundFound') &&
      event.squareRefundId === squareRefundId
        ? event.amount
        : [],
    ),
  );
}

function recordFee(world: World, stream: OrderStream, refund: CardRefund): Promise<Finding> | Finding {
  const { fees, squareRefundId: squareId } = refund;
  return fees === undefined ? agrees : recordFact(world, stream, { type: 'Fee', squareId, total: fees });
}

/**
 * Records a dispute and its end. A dispute that is found closed is recorded in two steps, because opening and end have
 * two days. An inquiry moves no money.
 */
export async function reconcileDispute(world: World, dispute: CardDispute): Promise<Finding> {
  const { squareDisputeId, squarePaymentId, amount, reason, dueAt, outcome } = dispute;
  const stream = await findOrderAtSquare(world, squarePaymentId);
  if (stream === undefined)
    return unlessElsewhere(world, dispute, disputeDiffers('OfUnknownPayment', dispute, undefined));
  const isBooked = disputeIn(stream, squareDisputeId) !== undefined;
  if (dispute.isInquiry && !isBooked) return agrees;
  const about = { squareDisputeId, amount, reason, ...(dueAt === undefined ? {} : { dueAt }) };
  const opened = { type: 'Dispute', ...about, happenedAt: dispute.createdAt } as const;
  const begun = await recordSquareFact(world, stream, opened);
  const ended =
    outcome === undefined
      ? { stream: begun.stream, recorded: [] }
      : await recordSquareFact(world, begun.stream, { ...opened, outcome, happenedAt: dispute.updatedAt });
  const known = disputeIn(ended.stream, squareDisputeId);
  // The payment is an orphan, which is reported, or its capture is not recorded yet.
  if (known === undefined) return agrees;
  // An accepted dispute is lost, too.
  const isSame = known.opened.amount === amount && (known.outcome === 'won') === (outcome === 'won');
  if (!isSame) return disputeDiffers('DisputeDiffers', dispute, stream.orderId);
  return recordedOrAgrees([...begun.recorded, ...ended.recorded]);
}

function disputeIn(stream: OrderStream, squareDisputeId: string) {
  return eventsOf(stream).reduce(evolve, nothingReconciled).disputes.get(squareDisputeId);
}

async function findOrderAtSquare(world: World, squarePaymentId: string): Promise<OrderStream | undefined> {
  const [row] = await world.sql<{ order_id: string }[]>`
    select order_id from ledger.order_summary where square_payment_id = ${squarePaymentId}`;
  const orderId = row === undefined ? undefined : parseOrderId(row.order_id);
  return orderId === undefined ? undefined : readOrder(world.sql, orderId);
}
