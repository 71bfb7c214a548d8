import type { VoidReason } from '@kilim/domain/order/events';
import type { IdempotencyKey, PaymentId } from '@kilim/domain/order/ids';
import type { Actor, NewEffect } from '../ledger/append.ts';
import { effectKey, leaseSeconds } from '../ledger/effects.ts';
import type { Hold } from '../ledger/hold-effect.ts';
import type { OrderStream } from '../ledger/read.ts';
import type { AuthorizeOutcome, CardPayment } from '../square/card-processor.ts';
import { attemptOf, captureOf, recordAuthorization, recordPayment } from './record-payment.ts';
import type { World } from './world.ts';

export type Drive = {
  readonly paymentId: PaymentId;
  readonly actor: Actor;
  readonly requestId: string | undefined;
};

/** May ask Square to move money, as long as it holds the attempt's effect. */
export type HoldingDrive = Drive & { readonly hold: Hold };

/**
 * `settled`: the stream says how the attempt ended. `unknown`: the effect stays open, and a worker asks Square again.
 */
export type Driven = {
  readonly stream: OrderStream;
  readonly status: 'settled' | 'unknown';
  /** Square's word for a state that settles nothing, if it named one. */
  readonly word?: string | undefined;
};

/** Open until the stream says how the attempt ended. */
export function chargeEffect(paymentId: PaymentId): NewEffect {
  return { key: effectKey(paymentId, 'charge'), paymentId, kind: 'charge', waitSeconds: leaseSeconds };
}

export function lostHold(world: World, stream: OrderStream, { paymentId }: Drive): Driven {
  world.log.warn({ paymentId }, 'another process has taken over this payment');
  return { stream, status: 'unknown' };
}

export async function afterAuthorization(
  world: World,
  stream: OrderStream,
  { outcome, ...drive }: HoldingDrive & { readonly outcome: AuthorizeOutcome },
): Promise<Driven> {
  if (outcome.kind === 'unavailable') return voidAttempt(world, stream, { ...drive, reason: 'CredentialsRefused' });
  if (outcome.kind === 'unknown') {
    world.log.warn(
      { paymentId: drive.paymentId, detail: outcome.detail },
      'the outcome of an authorisation is unknown',
    );
    return { stream, status: 'unknown' };
  }
  if (outcome.kind === 'declined') {
    const { stream: recorded } = await recordPayment(world, stream, {
      ...drive,
      command: { type: 'RecordDecline', paymentId: drive.paymentId, code: outcome.code, category: outcome.category },
      closesEffect: true,
    });
    return { stream: recorded, status: 'settled' };
  }
  return adoptHold(world, stream, { ...drive, payment: outcome.payment });
}

/**
 * `PaymentAuthorized` is the intention to complete: from then on the attempt is void only when Square says that the
 * hold is gone. A hold that comes too late is cancelled.
 */
export async function adoptHold(
  world: World,
  stream: OrderStream,
  { payment, ...drive }: HoldingDrive & { readonly payment: CardPayment },
): Promise<Driven> {
  const { paymentId } = drive;
  const recorded = await recordAuthorization(world, stream, { ...drive, payment });
  if (recorded.rejection === undefined) return takeHeldMoney(world, recorded.stream, drive);

  world.log.error(
    { paymentId, rejection: recorded.rejection.code },
    'a hold does not fit its attempt and is cancelled',
  );
  const canceled = await world.card.cancel(payment.squarePaymentId);
  if (canceled.kind === 'unknown') return { stream: recorded.stream, status: 'unknown' };
  if (recorded.rejection.code !== 'AmountDiffers') return { stream: recorded.stream, status: 'settled' };
  return voidAttempt(world, recorded.stream, { ...drive, reason: 'AmountDiffers' });
}

export async function takeHeldMoney(world: World, stream: OrderStream, drive: HoldingDrive): Promise<Driven> {
  const { authorization, status } = attemptOf(stream, drive.paymentId);
  if (status !== 'authorized' || authorization === undefined) return { stream, status: 'settled' };
  if (!(await drive.hold.isHeld())) return lostHold(world, stream, drive);
  const completed = await world.card.complete(authorization.squarePaymentId);
  if (completed.kind === 'completed') return recordCapture(world, stream, { ...drive, payment: completed.payment });
  if (completed.kind === 'refused') {
    world.log.warn(
      { paymentId: drive.paymentId, code: completed.code },
      'completing was refused; looking at the payment',
    );
    return lookAtHold(world, stream, drive);
  }
  world.log.warn({ paymentId: drive.paymentId, detail: completed.detail }, 'the outcome of a completion is unknown');
  return { stream, status: 'unknown', word: completed.word };
}

export async function lookAtHold(world: World, stream: OrderStream, drive: Drive): Promise<Driven> {
  const { authorization } = attemptOf(stream, drive.paymentId);
  if (authorization === undefined) return { stream, status: 'settled' };
  const looked = await world.card.get(authorization.squarePaymentId);
  if (looked.kind !== 'found') {
    world.log.warn({ paymentId: drive.paymentId, answer: looked.kind }, 'an authorised payment could not be looked up');
    return { stream, status: 'unknown', word: looked.kind === 'unknown' ? looked.word : 'NOT_FOUND' };
  }
  switch (looked.payment.status) {
    case 'completed':
      return recordCapture(world, stream, { ...drive, payment: looked.payment });
    case 'canceled':
    case 'failed':
      return voidAttempt(world, stream, { ...drive, reason: 'HoldReleased' });
    default:
      return { stream, status: 'unknown', word: looked.payment.status.toUpperCase() };
  }
}

async function recordCapture(
  world: World,
  stream: OrderStream,
  { payment, ...drive }: Drive & { readonly payment: CardPayment },
): Promise<Driven> {
  const recorded = await recordPayment(world, stream, {
    ...drive,
    command: captureOf(drive.paymentId, payment),
    closesEffect: true,
  });
  if (recorded.rejection !== undefined) {
    // The money is taken and the ledger refuses the capture: a person must look. The effect stays open and keeps
    // reporting.
    world.log.fatal({ paymentId: drive.paymentId, rejection: recorded.rejection.code }, 'a capture cannot be recorded');
    return { stream: recorded.stream, status: 'unknown' };
  }
  return { stream: recorded.stream, status: 'settled' };
}

type Void = Drive & { readonly reason: VoidReason };

/** `unknown`: an authorisation was recorded in between, and the attempt continues. */
export async function voidAttempt(world: World, stream: OrderStream, { reason, ...drive }: Void): Promise<Driven> {
  const { stream: recorded, rejection } = await recordPayment(world, stream, {
    ...drive,
    command: { type: 'RecordVoid', paymentId: drive.paymentId, reason },
    closesEffect: true,
  });
  return { stream: recorded, status: rejection?.code === 'AttemptMovedOn' ? 'unknown' : 'settled' };
}

export function squareKeyOf(stream: OrderStream, paymentId: PaymentId): IdempotencyKey {
  return attemptOf(stream, paymentId).idempotencyKey;
}
