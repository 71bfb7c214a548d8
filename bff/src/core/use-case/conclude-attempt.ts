import type { OrderId } from '@kilim/domain/order/ids';
import { type OrderStream, readOrder } from '../ledger/read.ts';
import type { CardPayment } from '../square/card-processor.ts';
import { type Drive, type Driven, lookAtHold, voidAttempt } from './drive-attempt.ts';
import { attemptOf, paymentStateOf, recordAuthorization } from './record-payment.ts';
import type { World } from './world.ts';

/**
 * Ends an attempt that no worker drives any more, once Square says how it ended. Nothing here moves
 * money: a hold expires within an hour.
 * @returns undefined when the attempt has ended before.
 */
export async function concludeAttempt(
  world: World,
  { orderId, ...drive }: Drive & { readonly orderId: OrderId },
): Promise<Driven | undefined> {
  const stream = await readOrder(world.sql, orderId);
  const { paymentId } = drive;
  const { status } = attemptOf(stream, paymentId);
  if (status !== 'started' && status !== 'authorized') return undefined;
  const driven =
    status === 'started' ? await lookForHold(world, stream, drive) : await lookAtHold(world, stream, drive);
  if (driven.status === 'settled') world.log.info({ orderId, paymentId }, 'a parked payment was concluded');
  return driven;
}

/** The ledger does not know whether Square made a hold. */
async function lookForHold(world: World, stream: OrderStream, drive: Drive): Promise<Driven> {
  const [placed] = stream.events;
  const since = new Date(Date.parse(placed?.occurredAt ?? '') - skewMs).toISOString();
  const listed = await world.card.listForOrder({ orderId: stream.orderId, since });
  if (listed.kind === 'unknown') return { stream, status: 'unknown' };
  const { attempts, orphans } = paymentStateOf(stream);
  const known = new Set([
    ...[...attempts.values()].map(({ authorization }) => authorization?.squarePaymentId),
    ...orphans,
  ]);
  const unknown = listed.payments.filter(({ squarePaymentId }) => !known.has(squarePaymentId));
  if (unknown.some(({ status }) => status === 'approved' || status === 'pending')) return { stream, status: 'unknown' };
  const taken = unknown.find(({ status }) => status === 'completed');
  return taken === undefined
    ? voidAttempt(world, stream, { ...drive, reason: 'AuthorizationUnknown' })
    : adoptTaken(world, stream, { ...drive, payment: taken });
}

/** Square's clock may be behind the server's. */
const skewMs = 5 * 60_000;

/** An operator completed the hold in Square's dashboard. */
async function adoptTaken(
  world: World,
  stream: OrderStream,
  { payment, ...drive }: Drive & { readonly payment: CardPayment },
): Promise<Driven> {
  const recorded = await recordAuthorization(world, stream, { ...drive, payment });
  if (recorded.rejection === undefined) return lookAtHold(world, recorded.stream, drive);
  if (recorded.rejection.code !== 'AmountDiffers') return { stream: recorded.stream, status: 'unknown' };
  // Then the payment is an orphan, which reconciliation returns.
  return voidAttempt(world, recorded.stream, { ...drive, reason: 'AmountDiffers' });
}
