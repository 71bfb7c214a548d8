import type { PaymentId } from '@kilim/domain/order/ids';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import { findOrderByPayment } from '../queries/find-order.ts';
import { lookAtHold } from './drive-attempt.ts';
import { attemptOf } from './record-payment.ts';
import type { World } from './world.ts';

/** When the ledger only has a hold, Square is asked, and its answer is recorded first. */
export async function verifyPayment(
  world: World,
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
