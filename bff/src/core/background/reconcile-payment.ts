import { type OrderId, parseOrderId } from '@kilim/domain/order/ids';
import { isReturned, leftOf } from '@kilim/domain/order/orphan';
import { openAttempt, type PaymentAttempt } from '@kilim/domain/order/payment';
import { evolve, feesOfNothing, nothingReconciled } from '@kilim/domain/order/reconcile';
import { eventsOf, type OrderStream, readOrder } from '../ledger/read.ts';
import type { CardPayment } from '../square/card-processor.ts';
import { lookAtHold } from '../use-case/drive-attempt.ts';
import { agrees, differs, type Finding, inFlight, paymentDiffers, recordedOrAgrees } from '../use-case/finding.ts';
import { findOrphan, isBookedByPerson, recordOrphanWithoutOrder } from '../use-case/known-orphan.ts';
import { type DatedFact, recordSquareFact } from '../use-case/record-facts.ts';
import { mayBeLost, recordLostPayment } from '../use-case/record-lost-payment.ts';
import { paymentStateOf } from '../use-case/record-payment.ts';
import { returnOrphan } from '../use-case/return-orphan.ts';
import type { World } from '../use-case/world.ts';

export type ReconcileChoices = {
  /** Records payments that a restore lost (see `recordLostPayment`) instead of reporting them. */
  readonly recordsLost?: boolean;
};

/** Records missing facts of a payment, cancels an unneeded hold, and reports differences. */
export async function reconcilePayment(
  world: World,
  payment: CardPayment,
  choices: ReconcileChoices = {},
): Promise<Finding> {
  const orderId = payment.referenceId === undefined ? undefined : parseOrderId(payment.referenceId);
  const stream = orderId === undefined ? undefined : await readOrder(world.sql, orderId);
  if (stream === undefined || stream.version === 0) return reconcileWithoutOrder(world, payment);
  const attempt = [...paymentStateOf(stream).attempts.values()].find(
    ({ authorization }) => authorization?.squarePaymentId === payment.squarePaymentId,
  );
  return attempt === undefined
    ? reconcileUnknown(world, stream, { payment, ...choices })
    : reconcileAttempt(world, stream, { attempt, payment });
}

/** A payment at Square for a known order whose stream does not have this payment. */
async function reconcileUnknown(
  world: World,
  stream: OrderStream,
  { payment, recordsLost = false }: ReconcileChoices & { readonly payment: CardPayment },
): Promise<Finding> {
  // The answer may be on its way to the request. If not, the settle worker finds it.
  if (openAttempt(paymentStateOf(stream)) !== undefined) return inFlight;
  switch (payment.status) {
    case 'approved':
      return isOurs(world, payment) ? release(world, payment) : foreignHold(world, payment, stream.orderId);
    case 'pending':
      return inFlight;
    case 'completed':
      return reconcileCharge(world, stream, { payment, recordsLost });
    default:
      return agrees;
  }
}

/** The card was charged, and no attempt of the order knows it. */
async function reconcileCharge(
  world: World,
  stream: OrderStream,
  { payment, recordsLost }: Required<ReconcileChoices> & { readonly payment: CardPayment },
): Promise<Finding> {
  const { squarePaymentId: squareId } = payment;
  const isFound = paymentStateOf(stream).orphans.has(squareId);
  if (!isFound && !isOurs(world, payment)) return reconcileOrphanWithoutOrder(world, payment);
  if (isFound || !(await mayBeLost(world, payment))) {
    return returnOrphan(world, stream, { payment, code: 'OrphanPayment' });
  }
  if (!recordsLost) return paymentDiffers('LostPayment', payment, stream.orderId);
  const recorded = await recordLostPayment(world, stream, payment);
  if (recorded.kind === 'recorded') await reconcilePayment(world, payment);
  return recorded;
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
    // The capture must be recorded before the other facts of the payment.
    const rest = payment.status === 'completed' ? await reconcilePayment(world, payment) : agrees;
    return rest.kind === 'agrees' ? { kind: 'recorded', types: [] } : rest;
  }
  if (status !== 'captured') {
    if (payment.status === 'approved') return release(world, payment);
    if (payment.status !== 'completed') return agrees;
    // While another attempt is open, the order is left alone.
    if (openAttempt(paymentStateOf(stream)) !== undefined) return inFlight;
    return returnOrphan(world, stream, { payment, code: 'TakenAfterItWasGivenUp' });
  }
  if (payment.status !== 'completed') return paymentDiffers('CaptureNotAtSquare', payment, orderId);
  if (payment.amount !== attempt.amount || payment.currency !== 'USD') {
    return paymentDiffers('AmountDiffers', payment, orderId);
  }
  const recorded =
    payment.fees === undefined
      ? agrees
      : await recordFact(world, stream, { type: 'Fee', squareId, total: payment.fees });
  return recorded.kind === 'agrees' ? findStrayFee(stream, payment) : recorded;
}

/** A fee in the ledger that Square reports with neither the payment nor one of its refunds. */
function findStrayFee(stream: OrderStream, { squarePaymentId, fees }: CardPayment): Finding {
  const state = eventsOf(stream).reduce(evolve, nothingReconciled);
  const [stray] = [
    ...feesOfNothing(state),
    ...(fees === undefined ? [...state.fees].filter(([squareId]) => squareId === squarePaymentId) : []),
  ].filter(([, amount]) => amount !== 0);
  if (stray === undefined) return agrees;
  const [squareId, amount] = stray;
  const recorded = stream.events.find(
    ({ event }) => event.type === 'ProcessingFeeAssessed' && event.squareId === squareId,
  );
  return differs({ code: 'FeeNotAtSquare', squareId, orderId: stream.orderId, amount, at: recorded?.occurredAt });
}

/**
 * An order's id proves nothing: another application at the location may send the same form. Nothing of another
 * application is cancelled or returned.
 */
function isOurs({ card }: World, { applicationId }: CardPayment): boolean {
  return applicationId === card.applicationId;
}

/** Until then a hold may become a charge. */
const heldForMinutes = 15;

function isFresh(world: World, { createdAt }: CardPayment): boolean {
  return world.now().getTime() - Date.parse(createdAt) < heldForMinutes * 60_000;
}

function foreignHold(world: World, payment: CardPayment, orderId: OrderId | undefined): Finding {
  return isFresh(world, payment) ? agrees : paymentDiffers('ForeignHold', payment, orderId);
}

async function reconcileWithoutOrder(world: World, payment: CardPayment): Promise<Finding> {
  const namesAnOrder = payment.referenceId !== undefined && parseOrderId(payment.referenceId) !== undefined;
  switch (payment.status) {
    case 'approved':
      if (!namesAnOrder) return agrees;
      if (!isOurs(world, payment)) return foreignHold(world, payment, undefined);
      return isFresh(world, payment) ? inFlight : release(world, payment);
    case 'pending':
      return namesAnOrder && isOurs(world, payment) ? inFlight : agrees;
    case 'completed':
      if (!payment.isOnline) return agrees;
      return reconcileOrphanWithoutOrder(world, payment);
    default:
      return agrees;
  }
}

async function release(world: World, { squarePaymentId }: CardPayment): Promise<Finding> {
  const canceled = await world.card.cancel(squarePaymentId);
  world.log.warn({ squarePaymentId, answer: canceled.kind }, 'an unneeded hold was cancelled');
  return canceled.kind === 'canceled' ? { kind: 'released' } : inFlight;
}

async function reconcileOrphanWithoutOrder(world: World, payment: CardPayment): Promise<Finding> {
  const { squarePaymentId: squareId } = payment;
  const known = await findOrphan(world, squareId);
  if (known !== undefined && (isReturned(known.orphan) || (await isBookedByPerson(world, squareId)))) return agrees;
  if (known === undefined) await recordOrphanWithoutOrder(world, payment);
  const amount = known === undefined ? payment.amount : leftOf(known.orphan);
  return paymentDiffers('OrphanPayment', { ...payment, amount }, undefined);
}

/** Records a fact that this server did not ask Square for. */
export async function recordFact(world: World, stream: OrderStream, fact: DatedFact): Promise<Finding> {
  const { recorded } = await recordSquareFact(world, stream, fact);
  return recordedOrAgrees(recorded);
}
