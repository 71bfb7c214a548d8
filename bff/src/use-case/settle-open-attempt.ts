import type { CardPayment } from '../card/card-processor.ts';
import type { LeasedEffect } from '../ledger/effects.ts';
import { type OrderStream, readOrder } from '../ledger/read.ts';
import {
  adoptHold,
  type Drive,
  type Driven,
  lookAtHold,
  squareKeyOf,
  takeHeldMoney,
  voidAttempt,
} from './drive-attempt.ts';
import { attemptOf, type PaymentWorld, paymentStateOf } from './record-payment.ts';

/** While the customer may still be waiting, finishing beats voiding; after that a hold is let go. */
const finishWithinMinutes = 15;

/** Goes on with an attempt that nobody is driving any more: the process died, an answer was lost, the database was away. */
export async function settleOpenAttempt(world: PaymentWorld, effect: LeasedEffect): Promise<Driven> {
  const stream = await readOrder(world.sql, effect.orderId);
  const { status } = attemptOf(stream, effect.paymentId);
  const driver: Drive = { paymentId: effect.paymentId, actor: 'settle-worker', requestId: undefined };
  if (status === 'started') return resolveAuthorization(world, stream, driver);
  if (status === 'authorized') return finishHold(world, stream, driver);
  return { stream, status: 'settled' };
}

/**
 * Nobody knows whether the card holds the money, and the token is gone. If Square shows the hold, the order goes on with it;
 * otherwise it is cancelled by its key, looked for once more, and the attempt is void.
 */
async function resolveAuthorization(world: PaymentWorld, stream: OrderStream, driver: Drive): Promise<Driven> {
  const before = await findHolds(world, stream, driver);
  if (before === 'unknown') return { stream, status: 'unknown' };
  // Whoever took it: the order is paid.
  const taken = before.find(({ status }) => status === 'completed');
  if (taken !== undefined) {
    const isLetGo = await letGo(
      world,
      before.filter((hold) => hold !== taken && hold.status === 'approved'),
    );
    return isLetGo ? adoptHold(world, stream, { ...driver, payment: taken }) : { stream, status: 'unknown' };
  }
  const [hold, ...more] = before;
  const isOurs = more.length === 0 && !mayBelongToAnother(stream, driver);
  if (hold !== undefined && isOurs && !isOld(world, stream, driver)) {
    return adoptHold(world, stream, { ...driver, payment: hold });
  }
  const canceled = await world.card.cancelByIdempotencyKey(squareKeyOf(stream, driver.paymentId));
  if (canceled.kind === 'unknown') return { stream, status: 'unknown' };
  const after = await findHolds(world, stream, driver);
  if (after === 'unknown' || !(await letGo(world, after))) return { stream, status: 'unknown' };
  return voidAttempt(world, stream, { ...driver, reason: 'AuthorizationUnknown' });
}

/**
 * Square does not say under which key a hold was made. An earlier attempt that was given up, whose customer was told that it charged
 * nothing, may have reached Square after all: its card must not pay in place of this one's.
 */
function mayBelongToAnother(stream: OrderStream, { paymentId }: Drive): boolean {
  return [...paymentStateOf(stream).attempts.values()].some(
    (attempt) => attempt.paymentId !== paymentId && attempt.status === 'voided' && attempt.authorization === undefined,
  );
}

async function letGo(world: PaymentWorld, holds: readonly CardPayment[]): Promise<boolean> {
  for (const { squarePaymentId } of holds) {
    if ((await world.card.cancel(squarePaymentId)).kind !== 'canceled') return false;
  }
  return true;
}

/** What Square holds or has taken for this order, newest first, and no attempt that we know accounts for. */
async function findHolds(
  world: PaymentWorld,
  stream: OrderStream,
  driver: Drive,
): Promise<readonly CardPayment[] | 'unknown'> {
  const listed = await world.card.listForOrder({
    orderId: stream.orderId,
    since: minutesBefore(startedAt(stream, driver)),
  });
  if (listed.kind === 'unknown') return 'unknown';
  const known = new Set(
    [...paymentStateOf(stream).attempts.values()].map(({ authorization }) => authorization?.squarePaymentId),
  );
  const alive = listed.payments.filter(
    ({ status, squarePaymentId }) => status !== 'canceled' && status !== 'failed' && !known.has(squarePaymentId),
  );
  return alive.some(({ status }) => status === 'pending') ? 'unknown' : alive;
}

async function finishHold(world: PaymentWorld, stream: OrderStream, driver: Drive): Promise<Driven> {
  if (!isOld(world, stream, driver)) {
    const looked = await lookAtHold(world, stream, driver);
    return looked.status === 'settled' ? looked : takeHeldMoney(world, stream, driver);
  }
  const { authorization } = attemptOf(stream, driver.paymentId);
  if (authorization === undefined) return { stream, status: 'settled' };
  const canceled = await world.card.cancel(authorization.squarePaymentId);
  if (canceled.kind === 'canceled') return voidAttempt(world, stream, { ...driver, reason: 'AuthorizationExpired' });
  return lookAtHold(world, stream, driver);
}

function isOld(world: PaymentWorld, stream: OrderStream, driver: Drive): boolean {
  return world.now().getTime() - Date.parse(startedAt(stream, driver)) > finishWithinMinutes * 60_000;
}

/** Square stamps by its own clock, which may be behind ours. */
function minutesBefore(instant: string): string {
  return new Date(Date.parse(instant) - 5 * 60_000).toISOString();
}

function startedAt(stream: OrderStream, { paymentId }: Drive): string {
  const started = stream.events.find(({ event }) => event.type === 'PaymentStarted' && event.paymentId === paymentId);
  if (started === undefined) throw new Error(`Payment ${paymentId} was never started`);
  return started.occurredAt;
}
