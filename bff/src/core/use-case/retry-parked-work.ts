import { parseOrderId, parsePaymentId, parseRefundId } from '@kilim/domain/order/ids';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import { closeEffect, releaseEffect, reopenEffect } from '../ledger/effects.ts';
import { whileHolding } from '../ledger/hold-effect.ts';
import { readOrder } from '../ledger/read.ts';
import { concludeAttempt } from './conclude-attempt.ts';
import type { Driven } from './drive-attempt.ts';
import { driveRefund, endUnproven } from './drive-refund.ts';
import type { World } from './world.ts';

export type Retrying = { readonly by: string; readonly requestId: string | undefined };

/**
 * A payment is only looked up. A refund that Square does not have is asked for again, or ends when no server requested
 * it.
 * @returns `unknown` when Square did not answer: the work is parked again. Undefined when nothing with this key is
 *   parked.
 */
export async function retryParkedWork(
  world: World,
  key: string,
  { by, requestId }: Retrying,
): Promise<Driven['status'] | undefined> {
  const parked = await repeatWhileAway(() => findParked(world, key));
  if (parked === undefined) return undefined;
  const { orderId, paymentId, refundId } = parked;
  const drive = { actor: `admin:${by}`, requestId } as const;
  if (refundId === undefined) {
    const driven = await concludeAttempt(world, { ...drive, orderId, paymentId });
    return driven?.status;
  }
  const fencing = await reopenEffect(world.sql, key);
  if (fencing === undefined) return undefined;
  return await whileHolding(world, fencing, async (hold) => {
    const stream = await readOrder(world.sql, orderId);
    const asked = await driveRefund(world, stream, { ...drive, refundId, hold, isFirstTry: false });
    const driven = asked.status === 'unproven' ? await endUnproven(world, asked.stream, { ...drive, refundId }) : asked;
    if (driven.status === 'settled') await closeEffect(world.sql, fencing);
    else await releaseEffect(world.sql, fencing, { seconds: 0, word: driven.word });
    return driven.status;
  });
}

async function findParked({ sql }: World, key: string) {
  const [row] = await sql<{ order_id: string; payment_id: string; refund_id: string | null }[]>`
    select order_id, payment_id, refund_id from ledger.effect where key = ${key} and state = 'parked'`;
  if (row === undefined) return undefined;
  const [orderId, paymentId] = [parseOrderId(row.order_id), parsePaymentId(row.payment_id)];
  if (orderId === undefined || paymentId === undefined) throw new Error(`The effect ${key} names no order`);
  return { orderId, paymentId, refundId: row.refund_id === null ? undefined : parseRefundId(row.refund_id) };
}
