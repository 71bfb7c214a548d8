import {
  closeEffect,
  type OpenEffect,
  parkOldEffects,
  parkUnproven,
  readOpenEffects,
  releaseEffect,
  takeEffect,
} from '../ledger/effects.ts';
import { type Hold, whileHolding } from '../ledger/hold-effect.ts';
import { type DrivenRefund, settleOpenRefund } from '../use-case/drive-refund.ts';
import type { World } from '../use-case/world.ts';
import { settleOpenAttempt } from './settle-open-attempt.ts';
import type { WorkQueue } from './work-queue.ts';

/** Effects without an owner: it stopped its signs of life, or released the effect. */
export function effectQueue(world: World): WorkQueue<OpenEffect> {
  return {
    name: 'settle-effects',
    readOpen: readOpenEffects,
    take: takeEffect,
    work: (effect) => whileHolding(world, effect, (hold) => settle(world, effect, hold)),
  };
}

export async function parkForPeople(world: World): Promise<void> {
  for (const key of await parkOldEffects(world.sql)) {
    world.log.fatal({ effect: key }, 'an effect has been unknown for a day and waits for a person');
  }
}

async function settle(world: World, effect: OpenEffect, hold: Hold): Promise<void> {
  const driven = await drive(world, effect, hold);
  if (driven.status === 'settled') {
    await closeEffect(world.sql, hold);
    world.log.info({ effect: effect.key, orderId: effect.orderId }, 'an open effect was settled');
    return;
  }
  if (driven.status === 'unproven') {
    await parkUnproven(world.sql, hold);
    const about = { effect: effect.key, orderId: effect.orderId };
    world.log.error(about, 'no server with this signing key requested this refund: it is not sent to Square');
    return;
  }
  const seconds = Math.min(2 ** effect.fence, longestWaitSeconds[effect.kind]);
  await releaseEffect(world.sql, hold, { seconds, word: driven.word });
}

/** A bank takes days, and a webhook reports its decision. */
const longestWaitSeconds = { charge: 60, refund: 60, follow_refund: 3600 } as const;

function drive(world: World, effect: OpenEffect, hold: Hold): Promise<DrivenRefund> {
  const { refundId } = effect;
  return refundId === undefined
    ? settleOpenAttempt(world, effect, hold)
    : settleOpenRefund(world, { ...effect, refundId }, hold);
}
