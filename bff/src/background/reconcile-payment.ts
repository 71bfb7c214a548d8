import { parseOrderId } from '@kilim/domain/order/ids';
import { isReturned } from '@kilim/domain/order/orphan';
import { openAttempt, type PaymentAttempt } from '@kilim/domain/order/payment';
import type { SquareFact } from '@kilim/domain/order/reconcile';
import { type OrderStream, readOrder } from '../ledger/read.ts';
import type { World } from '../server/world.ts';
import type { CardPayment } from '../square/card-processor.ts';
import { lookAtHold } from '../use-case/drive-attempt.ts';
import { agrees, differs, type Finding, inFlight, recordedOrAgrees } from '../use-case/finding.ts';
import { findOrphan, recordOrphanWithoutOrder } from '../use-case/known-orphan.ts';
import { recordSquareFact } from '../use-case/record-facts.ts';
import { paymentStateOf } from '../use-case/record-payment.ts';
import { returnOrphan } from '../use-case/return-orphan.ts';

/** Records what is missing of a payment that Square shows, lets go what nobody wants, and says where the two differ. */
export async function reconcilePayment(world: World, payment: CardPayment): Promise<Finding> {
  const orderId = payment.referenceId === undefined ? undefined : parseOrderId(payment.referenceId);
  const stream = orderId === undefined ? undefined : await readOrder(world.sql, orderId);
  if (stream === undefined || stream.version === 0) return reconcileWithoutOrder(world, payment);
  const attempt = [...paymentStateOf(stream).attempts.values()].find(
    ({ authorization }) => authorization?.squarePaymentId === payment.squarePaymentId,
  );
  return attempt === undefined
    ? reconcileUnknown(world, stream, payment)
    : reconcileAttempt(world, stream, { attempt, payment });
}

/** An order of ours, and a payment at Square of which its stream does not tell. */
async function reconcileUnknown(world: World, stream: OrderStream, payment: CardPayment): Promise<Finding> {
  // The answer may be on its way to whoever asked; the settle worker finds it otherwise.
  if (openAttempt(paymentStateOf(stream)) !== undefined) return inFlight;
  switch (payment.status) {
    case 'approved':
      return release(world, payment);
    case 'pending':
      return inFlight;
    case 'completed':
      return returnOrphan(world, stream, { payment, code: 'OrphanPayment' });
    default:
      return agrees;
  }
}

type KnownAttempt = { readonly attempt: PaymentAttempt; readonly payment: CardPayment };

async function reconcileAttempt(
  world: World,
  stream: OrderStream,
  { attempt, payment }: KnownAttempt,
): Promise<Finding> {
  const { paymentId, status } = attempt;
  const { orderId } = stream;
  const { squarePaymentId: squareId } = payment;
  if (status === 'authorized') {
    const drive = { paymentId, actor: 'reconciliation', requestId: undefined } as const;
    const looked = await lookAtHold(world, stream, drive);
    if (looked.status !== 'settled') return inFlight;
    // Now that the capture is recorded, what else Square says of the payment can be.
    const rest = payment.status === 'completed' ? await reconcilePayment(world, payment) : agrees;
    return rest.kind === 'agrees' ? { kind: 'recorded', types: [] } : rest;
  }
  if (status !== 'captured') {
    if (payment.status === 'approved') return release(world, payment);
    if (payment.status !== 'completed') return agrees;
    // As long as another attempt is open, nothing of the order is touched.
    if (openAttempt(paymentStateOf(stream)) !== undefined) return inFlight;
    return returnOrphan(world, stream, { payment, code: 'TakenAfterItWasGivenUp' });
  }
  if (payment.status !== 'completed') return differs({ code: 'CaptureNotAtSquare', squareId, orderId });
  if (payment.amount !== attempt.amount || payment.currency !== 'USD') {
    return differs({ code: 'AmountDiffers', squareId, orderId });
  }
  return payment.fees === undefined
    ? agrees
    : recordFact(world, stream, { type: 'Fee', squareId, total: payment.fees });
}

/** Holds lapse by themselves after an hour; one of another system at the same location is not ours to cancel at once. */
const releaseForeignAfterMinutes = 15;

async function reconcileWithoutOrder(world: World, payment: CardPayment): Promise<Finding> {
  const isOurs = payment.referenceId !== undefined && parseOrderId(payment.referenceId) !== undefined;
  const ageMinutes = (world.now().getTime() - Date.parse(payment.createdAt)) / 60_000;
  switch (payment.status) {
    case 'approved':
      if (!isOurs) return agrees;
      return ageMinutes < releaseForeignAfterMinutes ? inFlight : release(world, payment);
    case 'pending':
      return isOurs ? inFlight : agrees;
    case 'completed':
      if (!payment.isOnline) return agrees;
      return reconcileOrphanWithoutOrder(world, payment);
    default:
      return agrees;
  }
}

async function release(world: World, { squarePaymentId }: CardPayment): Promise<Finding> {
  const canceled = await world.card.cancel(squarePaymentId);
  world.log.warn({ squarePaymentId, answer: canceled.kind }, 'a hold that nobody wants is let go');
  return canceled.kind === 'canceled' ? { kind: 'released' } : inFlight;
}

/** A person decides what becomes of it; once all of it is back, there is nothing left to decide. */
async function reconcileOrphanWithoutOrder(world: World, payment: CardPayment): Promise<Finding> {
  const { squarePaymentId: squareId } = payment;
  const known = await findOrphan(world, squareId);
  if (known !== undefined && isReturned(known.orphan)) return agrees;
  if (known === undefined) await recordOrphanWithoutOrder(world, payment);
  return differs({ code: 'OrphanPayment', squareId, orderId: undefined });
}

/** Records one fact about an order's money that nobody here asked for. */
export async function recordFact(world: World, stream: OrderStream, fact: SquareFact): Promise<Finding> {
  const { recorded } = await recordSquareFact(world, stream, fact);
  return recordedOrAgrees(recorded);
}
