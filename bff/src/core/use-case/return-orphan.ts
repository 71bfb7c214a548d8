import type { Cents } from '@kilim/domain/money';
import type { OrderEvent } from '@kilim/domain/order/events';
import { parseRefundId, type RefundId } from '@kilim/domain/order/ids';
import { isReturned, leftOf } from '@kilim/domain/order/orphan';
import { areAllAuthentic } from '../ledger/authenticity.ts';
import { sha256 } from '../ledger/hash.ts';
import { eventsOf, type OrderStream, orderStreamId } from '../ledger/read.ts';
import type { CardPayment, CardRefund } from '../square/card-processor.ts';
import {
  agrees,
  type Difference,
  type Finding,
  inFlight,
  paymentDiffers,
  recordedOrAgrees,
  refundDiffers,
} from './finding.ts';
import {
  compareWithBookings,
  isBookedByPerson,
  type KnownOrphan,
  orphanFactOf,
  orphanIn,
  recordReturn,
} from './known-orphan.ts';
import { recordSquareFact } from './record-facts.ts';
import type { World } from './world.ts';

/** Customers can read it. Square refuses another request under the same key. */
const reason = 'Automatic refund: the order did not need this payment';

/**
 * Square's idempotency key for the return, derived from the payment: every process asks for the
 * same refund, and Square returns the money at most once.
 * @param rest what a person sends back: two clicks ask for one refund
 */
export function refundIdOfReturn(squarePaymentId: string, rest?: Cents): RefundId {
  const returned = rest === undefined ? squarePaymentId : `${squarePaymentId}:${rest}`;
  const digest = sha256(`return:${returned}`).toString('hex').slice(0, 32);
  const refundId = parseRefundId(`return-${digest}`);
  if (refundId === undefined) throw new Error('The id of a return is not a refund id');
  return refundId;
}

export type Unwanted = {
  readonly payment: CardPayment;
  /** Reported until the money is back. */
  readonly code: Difference['code'];
};

/**
 * `OrphanPaymentFound` is the intent and is recorded before the call, so the next reconciliation continues wherever a
 * process dies. An event that no server appended could make an orphan of any payment, so then a person decides.
 */
export async function returnOrphan(world: World, stream: OrderStream, { payment, code }: Unwanted): Promise<Finding> {
  const { squarePaymentId, isOnline } = payment;
  if (!(await areAllAuthentic(world.sql, orderStreamId(stream.orderId), stream)))
    return leaveAlone(world, stream, payment);
  const found = await recordSquareFact(world, stream, orphanFactOf(payment));
  // A new attempt has started, or has just captured this payment.
  if (found.rejection !== undefined) return inFlight;
  const known = orphanIn(eventsOf(found.stream), squarePaymentId);
  if (known === undefined) throw new Error(`The payment ${squarePaymentId} was found and is no orphan`);
  if (isReturned(known) || (await isBookedByPerson(world, squarePaymentId))) return recordedOrAgrees(found.recorded);
  const orphan: KnownOrphan = { orphan: known, place: { kind: 'order', stream: found.stream } };
  const difference = paymentDiffers(code, { ...payment, amount: leftOf(known) }, stream.orderId);
  // A person has to finish a sale at the counter, or a payment that was partly returned in Square's
  // dashboard.
  if (!isOnline || known.returned.size > 0) return difference;

  const refund = { payment, refundId: refundIdOfReturn(squarePaymentId), amount: payment.amount };
  const returned = await askForReturn(world, orphan, refund);
  switch (returned.kind) {
    case 'recorded':
      return { kind: 'recorded', types: [...found.recorded.map(({ type }) => type), ...returned.types] };
    case 'differs':
      return difference;
    default:
      return returned;
  }
}

async function leaveAlone(world: World, { orderId, ...stream }: OrderStream, payment: CardPayment): Promise<Finding> {
  const { squarePaymentId } = payment;
  const known = orphanIn(eventsOf(stream), squarePaymentId);
  if (known !== undefined && (isReturned(known) || (await isBookedByPerson(world, squarePaymentId)))) return agrees;
  world.log.error({ orderId, squarePaymentId }, 'no server with this signing key wrote all of the order: not returned');
  return paymentDiffers('UnprovenOrphan', payment, orderId);
}

/** `differs`: Square does not return the payment. */
type AskedForReturn = Extract<Finding, { kind: 'recorded' | 'in-flight' }> | { readonly kind: 'differs' };

export type ReturnRequest = {
  readonly payment: CardPayment;
  readonly refundId: RefundId;
  readonly amount: Cents;
};

export async function askForReturn(
  world: World,
  orphan: KnownOrphan,
  { payment, refundId, amount }: ReturnRequest,
): Promise<AskedForReturn> {
  const { squarePaymentId } = payment;
  const outcome = await world.card.refund({ refundId, squarePaymentId, amount, reason });
  if (outcome.kind === 'unknown') {
    world.log.warn(
      { squarePaymentId, detail: outcome.detail },
      'the outcome of the return of an orphan payment is unknown',
    );
    return inFlight;
  }
  const refunds = outcome.kind === 'accepted' ? [await newest(world, outcome.refund)] : await refundsOf(world, payment);
  if (refunds === 'unknown') return inFlight;
  const types: OrderEvent['type'][] = [];
  for (const refund of refunds) {
    if (refund.status !== 'completed') continue;
    const recorded = await recordReturn(world, orphan, refund);
    if (recorded.kind === 'recorded') types.push(...recorded.types);
  }
  if (types.length > 0) return { kind: 'recorded', types };
  // Another process has recorded it, or Square has not decided yet.
  if (refunds.some(({ status }) => status === 'pending' || status === 'completed')) return inFlight;
  const answer = outcome.kind === 'refused' ? outcome.code : outcome.refund.status;
  world.log.error({ squarePaymentId, answer }, 'Square does not return an orphan payment; return it in its dashboard');
  return { kind: 'differs' };
}

/** Square repeats its first answer under a known key, so the refund may be further by now. */
async function newest(world: World, refund: CardRefund): Promise<CardRefund> {
  if (refund.status !== 'pending') return refund;
  const looked = await world.card.getRefund(refund.squareRefundId);
  return looked.kind === 'found' ? looked.refund : refund;
}

/** Earlier refunds explain why Square refuses one: under a key that Square has forgotten, or from the dashboard. */
export async function refundsOf(
  world: World,
  { squarePaymentId, createdAt }: CardPayment,
): Promise<readonly CardRefund[] | 'unknown'> {
  const to = new Date(world.now().getTime() + 24 * 60 * 60_000).toISOString();
  const listed = await world.card.listRefunds({ from: createdAt, to });
  if (listed.kind === 'unknown') return 'unknown';
  return listed.items.filter((refund) => refund.squarePaymentId === squarePaymentId);
}

/** Requested here or in Square's dashboard. */
export async function reconcileReturn(world: World, known: KnownOrphan, refund: CardRefund): Promise<Finding> {
  const { squarePaymentId, status } = refund;
  const isOurs = refund.refundId === refundIdOfReturn(squarePaymentId);
  const orderId = known.place.kind === 'order' ? known.place.stream.orderId : undefined;
  switch (status) {
    case 'completed': {
      const recorded = await recordReturn(world, known, refund);
      return recorded.kind === 'agrees' ? compareWithBookings(world, known) : recorded;
    }
    case 'pending':
      return isOurs ? inFlight : refundDiffers('ExternalRefundPending', refund, orderId);
    default:
      // The payment is reported as a difference until it is back.
      if (isOurs && !isReturned(known.orphan)) {
        world.log.error({ squarePaymentId, answer: status }, 'Square did not return an orphan payment');
      }
      return agrees;
  }
}
