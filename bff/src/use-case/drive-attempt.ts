import type { IdempotencyKey, PaymentId } from '@kilim/domain/order/ids';
import type { AuthorizeOutcome, CardPayment } from '../card/card-processor.ts';
import type { Actor, NewEffect } from '../ledger/append.ts';
import { effectKey } from '../ledger/effects.ts';
import type { OrderStream } from '../ledger/read.ts';
import { attemptOf, type PaymentWorld, recordPayment } from './record-payment.ts';

/**
 * How long an effect belongs to whoever opened or leased it. Longer than the calls it stands for, and short enough that an order
 * whose process died is settled within a minute.
 */
export const effectLeaseSeconds = 30;

/** One attempt, and who is driving it on. */
export type Drive = {
  readonly paymentId: PaymentId;
  readonly actor: Actor;
  readonly requestId: string | undefined;
};

/** `settled`: the stream tells how the attempt ended. `unknown`: the effect stays open and somebody asks Square again. */
export type Driven = { readonly stream: OrderStream; readonly status: 'settled' | 'unknown' };

export function openedEffect(paymentId: PaymentId, kind: NewEffect['kind']): NewEffect {
  return { key: effectKey(paymentId, kind), paymentId, kind, leaseSeconds: effectLeaseSeconds };
}

/** Records the answer to an authorisation and, when the card holds the money, takes it. */
export async function afterAuthorization(
  world: PaymentWorld,
  stream: OrderStream,
  { outcome, ...drive }: Drive & { readonly outcome: AuthorizeOutcome },
): Promise<Driven> {
  if (outcome.kind === 'unknown') {
    world.log.warn({ paymentId: drive.paymentId, detail: outcome.detail }, 'authorisation unknown');
    return { stream, status: 'unknown' };
  }
  if (outcome.kind === 'declined') {
    const { stream: recorded } = await recordPayment(world, stream, {
      ...drive,
      command: { type: 'RecordDecline', paymentId: drive.paymentId, code: outcome.code, category: outcome.category },
      closeEffects: [effectKey(drive.paymentId, 'authorize')],
    });
    return { stream: recorded, status: 'settled' };
  }
  return adoptHold(world, stream, { ...drive, payment: outcome.payment });
}

/** Records that the card holds the money, and takes it. A hold that nobody wants any more is let go. */
export async function adoptHold(
  world: PaymentWorld,
  stream: OrderStream,
  { payment, ...drive }: Drive & { readonly payment: CardPayment },
): Promise<Driven> {
  const { paymentId } = drive;
  const recorded = await recordPayment(world, stream, {
    ...drive,
    command: {
      type: 'RecordAuthorization',
      paymentId,
      squarePaymentId: payment.squarePaymentId,
      amount: payment.amount,
      cardBrand: payment.card.brand,
      cardLastFour: payment.card.lastFour,
    },
    closeEffects: [effectKey(paymentId, 'authorize')],
    openEffects: [openedEffect(paymentId, 'complete')],
  });
  if (recorded.rejection === undefined) return takeHeldMoney(world, recorded.stream, drive);

  world.log.error({ paymentId, rejection: recorded.rejection.code }, 'a hold does not fit its attempt and is let go');
  const canceled = await world.card.cancel(payment.squarePaymentId);
  if (canceled.kind === 'unknown') return { stream: recorded.stream, status: 'unknown' };
  if (recorded.rejection.code !== 'AmountDiffers') return { stream: recorded.stream, status: 'settled' };
  return voidAttempt(world, recorded.stream, { ...drive, reason: 'AmountDiffers' });
}

/** Completes an authorised attempt and records the capture. */
export async function takeHeldMoney(world: PaymentWorld, stream: OrderStream, drive: Drive): Promise<Driven> {
  const { authorization, status } = attemptOf(stream, drive.paymentId);
  if (status !== 'authorized' || authorization === undefined) return { stream, status: 'settled' };
  const completed = await world.card.complete(authorization.squarePaymentId);
  if (completed.kind === 'completed') return recordCapture(world, stream, { ...drive, payment: completed.payment });
  if (completed.kind === 'refused') {
    world.log.warn(
      { paymentId: drive.paymentId, code: completed.code },
      'completing was refused; looking at the payment',
    );
    return lookAtHold(world, stream, drive);
  }
  world.log.warn({ paymentId: drive.paymentId, detail: completed.detail }, 'completion unknown');
  return { stream, status: 'unknown' };
}

/** What Square says of an authorised payment decides: taken, still held, or gone. */
export async function lookAtHold(world: PaymentWorld, stream: OrderStream, drive: Drive): Promise<Driven> {
  const { authorization } = attemptOf(stream, drive.paymentId);
  if (authorization === undefined) return { stream, status: 'settled' };
  const looked = await world.card.get(authorization.squarePaymentId);
  if (looked.kind !== 'found') {
    world.log.warn({ paymentId: drive.paymentId, answer: looked.kind }, 'an authorised payment could not be looked up');
    return { stream, status: 'unknown' };
  }
  switch (looked.payment.status) {
    case 'completed':
      return recordCapture(world, stream, { ...drive, payment: looked.payment });
    case 'canceled':
    case 'failed':
      return voidAttempt(world, stream, { ...drive, reason: 'HoldReleased' });
    default:
      return { stream, status: 'unknown' };
  }
}

async function recordCapture(
  world: PaymentWorld,
  stream: OrderStream,
  { payment, ...drive }: Drive & { readonly payment: CardPayment },
): Promise<Driven> {
  const { url, number } = payment.receipt;
  const recorded = await recordPayment(world, stream, {
    ...drive,
    command: {
      type: 'RecordCapture',
      paymentId: drive.paymentId,
      amount: payment.amount,
      capturedAt: payment.updatedAt,
      ...(url === undefined ? {} : { receiptUrl: url }),
      ...(number === undefined ? {} : { receiptNumber: number }),
    },
    closeEffects: [effectKey(drive.paymentId, 'complete')],
  });
  if (recorded.rejection !== undefined) {
    // The money is taken and the ledger will not have it: a person must look. The effect stays open and keeps reporting.
    world.log.fatal({ paymentId: drive.paymentId, rejection: recorded.rejection.code }, 'a capture cannot be recorded');
    return { stream: recorded.stream, status: 'unknown' };
  }
  return { stream: recorded.stream, status: 'settled' };
}

type Void = Drive & {
  readonly reason: 'AuthorizationUnknown' | 'AuthorizationExpired' | 'HoldReleased' | 'AmountDiffers';
};

/** Ends an attempt that took no money. */
export async function voidAttempt(
  world: PaymentWorld,
  stream: OrderStream,
  { reason, ...drive }: Void,
): Promise<Driven> {
  const recorded = await recordPayment(world, stream, {
    ...drive,
    command: { type: 'RecordVoid', paymentId: drive.paymentId, reason },
    closeEffects: [effectKey(drive.paymentId, 'authorize'), effectKey(drive.paymentId, 'complete')],
  });
  return { stream: recorded.stream, status: 'settled' };
}

/** The key under which Square knows the attempt: the browser's own. */
export function squareKeyOf(stream: OrderStream, paymentId: PaymentId): IdempotencyKey {
  return attemptOf(stream, paymentId).idempotencyKey;
}
