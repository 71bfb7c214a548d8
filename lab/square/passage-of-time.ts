import { movePayment } from './payments.ts';
import { endPayout, payOut, payoutDueAt } from './payouts.ts';
import { settleRefund } from './refunds.ts';
import type { World } from './world.ts';

const longestTimerMs = 2 ** 31 - 1;

export type Alarm = { readonly ring: () => void; readonly stop: () => void };

/** Holds that expire, payments and refunds that get decided, payouts. */
export function startAlarm(world: World): Alarm {
  let timer: NodeJS.Timeout | undefined;
  const setTimer = () => {
    clearTimeout(timer);
    let next = payoutDueAt(world);
    // Square pays out no balance of zero, so it stays due: check only once a second.
    if (next <= world.clock.now().getTime()) next = world.clock.now().getTime() + 1000;
    for (const at of world.store.state.due.values()) next = Math.min(next, at);
    if (next === Number.POSITIVE_INFINITY) return;
    const waitMs = Math.min(Math.max(next - world.clock.now().getTime(), 0), longestTimerMs);
    timer = setTimeout(ring, waitMs).unref();
  };
  const ring = () => {
    settleDue(world);
    setTimer();
  };
  world.store.onCommit(setTimer);
  ring();
  return { ring, stop: () => clearTimeout(timer) };
}

function settleDue(world: World): void {
  const now = world.clock.now().getTime();
  for (const [id, at] of world.store.state.due) if (at <= now) settle(world, id);
  if (payoutDueAt(world) <= now) payOut(world);
}

function settle(world: World, id: string): void {
  const { payments, refunds, payouts } = world.store.state;
  const payment = payments.get(id);
  if (payment !== undefined) {
    const onDelay = payment.payment.delay_action === 'COMPLETE' ? 'COMPLETED' : 'CANCELED';
    movePayment(world, payment, payment.payment.status === 'PENDING' ? 'APPROVED' : onDelay);
  }
  const settles = refunds.get(id)?.settles;
  if (settles !== undefined) settleRefund(world, id, settles.as);
  const arrives = payouts.get(id)?.arrives;
  if (arrives !== undefined) endPayout(world, id, arrives.as);
}
