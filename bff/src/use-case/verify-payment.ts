import type { PaymentId } from '@kilim/domain/order/ids';
import { repeatWhileAway } from '../database.ts';
import { lookAtHold } from './drive-attempt.ts';
import { findOrderByPayment } from './find-order.ts';
import { attemptOf, type PaymentWorld } from './record-payment.ts';

/**
 * Whether a payment is taken. What the ledger says is the answer; when it only knows of a hold, Square is asked, and what Square
 * says is recorded before it is told.
 */
export async function verifyPayment(
  world: PaymentWorld,
  paymentId: PaymentId,
): Promise<'COMPLETED' | 'PENDING' | 'FAILED' | undefined> {
  const found = await repeatWhileAway(() => findOrderByPayment(world.sql, paymentId));
  if (found === undefined) return undefined;
  const { status } = attemptOf(found.stream, paymentId);
  if (status !== 'authorized') return told[status];
  const looked = await lookAtHold(world, found.stream, { paymentId, actor: 'settle-worker', requestId: undefined });
  return told[attemptOf(looked.stream, paymentId).status];
}

const told = {
  started: 'PENDING',
  authorized: 'PENDING',
  captured: 'COMPLETED',
  declined: 'FAILED',
  voided: 'FAILED',
} as const;
