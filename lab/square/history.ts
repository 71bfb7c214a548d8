import { z } from 'zod';
import { newDispute } from './disputes.ts';
import { moved, newPayment } from './payment-object.ts';
import { countRefund, newRefund } from './refunds.ts';
import { createPaymentBody } from './request-body.ts';
import type { PaymentRecord } from './state.ts';
import { goodCard } from './test-cards.ts';
import { disputeStates, type Money } from './wire.ts';
import type { World } from './world.ts';

const instant = z.iso.datetime();
const amount = z.int().min(1);
const refundTakesMs = 3 * 24 * 60 * 60 * 1000;

export const historySchema = z.object({
  payments: z.array(
    z.object({
      id: z.string(),
      idempotencyKey: z.string(),
      orderId: z.string(),
      amount,
      card: z.object({ brand: z.string(), lastFour: z.string() }),
      at: instant,
    }),
  ),
  refunds: z.array(
    z.object({
      id: z.string(),
      idempotencyKey: z.string(),
      paymentId: z.string(),
      amount,
      at: instant,
      /** Absent: pending, and completed three days after it was asked for. */
      ended: z.object({ at: instant, as: z.enum(['COMPLETED', 'FAILED']) }).optional(),
    }),
  ),
  disputes: z.array(
    z.object({
      id: z.string(),
      paymentId: z.string(),
      amount,
      reason: z.string(),
      state: z.enum(disputeStates),
      openedAt: instant,
      updatedAt: instant,
    }),
  ),
});
export type History = z.output<typeof historySchema>;

/**
 * Sends no webhooks, because the ledger knows all this. Refunds and disputes name told payments. The money was paid out
 * already.
 */
export function recordHistory(world: World, { payments, refunds, disputes }: History): void {
  const { unsettled } = world.store.state;
  const before = new Set(unsettled.keys());
  for (const payment of payments) recordPayment(world, payment);
  for (const refund of refunds) recordRefund(world, refund);
  for (const dispute of disputes) recordDispute(world, dispute);
  const settles = [...unsettled.keys()].filter((name) => !before.has(name));
  world.store.commit([{ type: 'paid-out-earlier', settles }]);
}

function recordPayment(
  world: World,
  { id, idempotencyKey, orderId, card, ...taken }: History['payments'][number],
): void {
  const then = worldAt(world, taken.at);
  const body = createPaymentBody.parse({
    source_id: 'told',
    idempotency_key: idempotencyKey,
    amount_money: dollars(taken.amount),
    reference_id: orderId,
  });
  const held = newPayment(then, body, { ...goodCard, brand: card.brand, number: card.lastFour });
  const payment = moved(then, { ...held, id }, 'COMPLETED');
  world.store.commit([{ type: 'payment', what: 'told', payment, idempotencyKey, outcome: goodCard.outcome }]);
}

function recordRefund(world: World, { id, idempotencyKey, at, ended, ...told }: History['refunds'][number]): void {
  const record = knownPayment(world, told.paymentId);
  const status = ended?.as ?? 'PENDING';
  const made = newRefund(worldAt(world, at), record, { amount_money: dollars(told.amount), status });
  const refund = { ...made, id, updated_at: ended?.at ?? at };
  const completesAt = new Date(Date.parse(at) + refundTakesMs).toISOString();
  const settles = ended === undefined ? { settles: { at: completesAt, as: 'COMPLETED' } as const } : {};
  const [counted] = countRefund(worldAt(world, refund.updated_at), record, refund);
  world.store.commit([{ type: 'refund', what: 'told', refund, idempotencyKey, ...settles }, counted]);
}

function recordDispute(
  world: World,
  { id, paymentId, openedAt, updatedAt, ...told }: History['disputes'][number],
): void {
  const { payment } = knownPayment(world, paymentId);
  const opened = newDispute(worldAt(world, openedAt), payment, told);
  const amount_money = dollars(told.amount);
  world.store.commit([
    { type: 'dispute', dispute: { ...opened, id, dispute_id: id, amount_money, updated_at: updatedAt } },
  ]);
}

function knownPayment({ store }: World, id: string): PaymentRecord {
  const record = store.state.payments.get(id);
  if (record === undefined) throw new Error(`The history does not tell the payment ${id}`);
  return record;
}

function worldAt(world: World, at: string): World {
  return { ...world, clock: { ...world.clock, now: () => new Date(at) } };
}

function dollars(cents: number): Money {
  return { amount: cents, currency: 'USD' };
}
