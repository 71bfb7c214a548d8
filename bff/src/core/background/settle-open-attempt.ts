import type { OpenEffect } from '../ledger/effects.ts';
import type { Hold } from '../ledger/hold-effect.ts';
import { type OrderStream, readOrder } from '../ledger/read.ts';
import type { CardPayment } from '../square/card-processor.ts';
import {
  adoptHold,
  type Driven,
  type HoldingDrive,
  lookAtHold,
  lostHold,
  squareKeyOf,
  takeHeldMoney,
  voidAttempt,
} from '../use-case/drive-attempt.ts';
import { attemptOf, paymentStateOf } from '../use-case/record-payment.ts';
import type { World } from '../use-case/world.ts';

/** Within this time the customer may still be waiting. Later, the hold is cancelled. */
const finishWithinMinutes = 15;

/** Continues an attempt without an owner: the process died, or an answer was lost. */
export async function settleOpenAttempt(world: World, effect: OpenEffect, hold: Hold): Promise<Driven> {
  const stream = await readOrder(world.sql, effect.orderId);
  const driver: HoldingDrive = { paymentId: effect.paymentId, actor: 'settle-worker', requestId: undefined, hold };
  const { status } = attemptOf(stream, effect.paymentId);
  if (status === 'started') return resolveAuthorization(world, stream, driver);
  if (status === 'authorized') return finishHold(world, stream, driver);
  return { stream, status: 'settled' };
}

/**
 * It is unknown whether the card holds the money, and the token is gone. If Square shows the hold, the order continues
 * with it. Otherwise the hold is cancelled by its key and looked up once more. Then the attempt is void, unless its
 * first owner has recorded the authorisation.
 */
async function resolveAuthorization(world: World, stream: OrderStream, driver: HoldingDrive): Promise<Driven> {
  const before = await findHolds(world, stream, driver);
  if (!before.ok)
    return giveUpWithoutSquare(world, stream, { ...driver, isRefused: before.isRefused, word: before.word });
  // An operator may have completed the hold in Square's dashboard.
  const taken = before.holds.find(({ status }) => status === 'completed');
  if (taken !== undefined) {
    const others = before.holds.filter((hold) => hold !== taken && hold.status === 'approved');
    if (!(await cancelAll(world, driver, others))) return { stream, status: 'unknown' };
    return adoptHold(world, stream, { ...driver, payment: taken });
  }
  const wanted = wantedHold(world, stream, { ...driver, holds: before.holds });
  if (wanted !== undefined) return adoptHold(world, stream, { ...driver, payment: wanted });

  if (!(await driver.hold.isHeld())) return lostHold(world, stream, driver);
  const canceled = await world.card.cancelByIdempotencyKey(squareKeyOf(stream, driver.paymentId));
  if (canceled.kind === 'unknown') return { stream, status: 'unknown' };
  const after = await findHolds(world, stream, driver);
  if (!after.ok) return { stream, status: 'unknown', word: after.word };
  // A request that was on its way has arrived at Square.
  const late = wantedHold(world, stream, { ...driver, holds: after.holds });
  if (late !== undefined) return adoptHold(world, stream, { ...driver, payment: late });
  if (!(await cancelAll(world, driver, after.holds))) return { stream, status: 'unknown' };
  const ended = await voidAttempt(world, stream, { ...driver, reason: 'AuthorizationUnknown' });
  return ended.status === 'settled' ? ended : finishHold(world, ended.stream, driver);
}

/**
 * An attempt that has only started may end: without `PaymentAuthorized` no hold becomes a charge, and it expires within
 * the hour.
 */
async function giveUpWithoutSquare(
  world: World,
  stream: OrderStream,
  { isRefused, word, ...driver }: HoldingDrive & { readonly isRefused: boolean; readonly word: string | undefined },
): Promise<Driven> {
  if (!isRefused) return { stream, status: 'unknown', word };
  return voidAttempt(world, stream, { ...driver, reason: 'CredentialsRefused' });
}

/** The hold certainly belongs to this attempt, and the customer may still be waiting. */
function wantedHold(
  world: World,
  stream: OrderStream,
  { holds, ...driver }: HoldingDrive & { readonly holds: readonly CardPayment[] },
): CardPayment | undefined {
  const [hold, ...more] = holds;
  if (hold?.status !== 'approved' || more.length > 0) return undefined;
  return mayBelongToAnother(stream, driver) || isOld(world, stream, driver) ? undefined : hold;
}

/**
 * Square does not say which key made a hold. An earlier attempt that was given up may have reached Square after all.
 * Its customer was told that nothing was charged, so its card must not pay for this one.
 */
function mayBelongToAnother(stream: OrderStream, { paymentId }: HoldingDrive): boolean {
  return [...paymentStateOf(stream).attempts.values()].some(
    (attempt) => attempt.paymentId !== paymentId && attempt.status === 'voided' && attempt.authorization === undefined,
  );
}

async function cancelAll(world: World, { hold }: HoldingDrive, payments: readonly CardPayment[]): Promise<boolean> {
  for (const { squarePaymentId } of payments) {
    if (!(await hold.isHeld())) return false;
    if ((await world.card.cancel(squarePaymentId)).kind !== 'canceled') return false;
  }
  return true;
}

type FoundHolds =
  | { readonly ok: true; readonly holds: readonly CardPayment[] }
  /** Square refuses the server's credentials, so waiting does not help. */
  | { readonly ok: false; readonly isRefused: boolean; readonly word: string | undefined };

/** Newest first, without those of the order's other attempts. */
async function findHolds(world: World, stream: OrderStream, driver: HoldingDrive): Promise<FoundHolds> {
  const listed = await world.card.listForOrder({
    orderId: stream.orderId,
    since: minutesBefore(startedAt(stream, driver)),
  });
  if (listed.kind === 'unknown') {
    return { ok: false, isRefused: listed.refusedCredentials !== undefined, word: listed.word };
  }
  const { attempts, orphans } = paymentStateOf(stream);
  const known = new Set([
    ...[...attempts.values()].map(({ authorization }) => authorization?.squarePaymentId),
    // Orphan payments go back to the customer, and pay for no later attempt.
    ...orphans,
  ]);
  const holds = listed.payments.filter(
    ({ status, squarePaymentId }) => status !== 'canceled' && status !== 'failed' && !known.has(squarePaymentId),
  );
  return holds.some(({ status }) => status === 'pending')
    ? { ok: false, isRefused: false, word: 'PENDING' }
    : { ok: true, holds };
}

async function finishHold(world: World, stream: OrderStream, driver: HoldingDrive): Promise<Driven> {
  if (!isOld(world, stream, driver)) {
    const looked = await lookAtHold(world, stream, driver);
    return looked.status === 'settled' ? looked : takeHeldMoney(world, stream, driver);
  }
  const { authorization } = attemptOf(stream, driver.paymentId);
  if (authorization === undefined) return { stream, status: 'settled' };
  if (!(await driver.hold.isHeld())) return lostHold(world, stream, driver);
  const canceled = await world.card.cancel(authorization.squarePaymentId);
  if (canceled.kind === 'canceled') return voidAttempt(world, stream, { ...driver, reason: 'AuthorizationExpired' });
  return lookAtHold(world, stream, driver);
}

function isOld(world: World, stream: OrderStream, driver: HoldingDrive): boolean {
  return world.now().getTime() - Date.parse(startedAt(stream, driver)) > finishWithinMinutes * 60_000;
}

/** Square's clock may be behind the server's. */
function minutesBefore(instant: string): string {
  return new Date(Date.parse(instant) - 5 * 60_000).toISOString();
}

function startedAt(stream: OrderStream, { paymentId }: HoldingDrive): string {
  const started = stream.events.find(({ event }) => event.type === 'PaymentStarted' && event.paymentId === paymentId);
  if (started === undefined) throw new Error(`Payment ${paymentId} was never started`);
  return started.occurredAt;
}
