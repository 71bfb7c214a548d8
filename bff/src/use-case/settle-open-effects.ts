import { closeEffect, type LeasedEffect, leaseDueEffects, parkOldEffects, releaseEffect } from '../ledger/effects.ts';
import { type Driven, effectLeaseSeconds } from './drive-attempt.ts';
import { settleOpenRefund } from './drive-refund.ts';
import type { PaymentWorld } from './record-payment.ts';
import { settleOpenAttempt } from './settle-open-attempt.ts';

const mostAtOnce = 4;

/**
 * Goes on with every effect that nobody is driving any more. Runs on any number of processes.
 * @returns how many effects were taken up.
 */
export async function settleOpenEffects(world: PaymentWorld): Promise<number> {
  for (const key of await parkOldEffects(world.sql)) {
    world.log.fatal({ effect: key }, 'an effect has been unknown for a day and waits for a person');
  }
  const effects = await leaseDueEffects(world.sql, { most: mostAtOnce, leaseSeconds: effectLeaseSeconds });
  await Promise.all(effects.map((effect) => settle(world, effect)));
  return effects.length;
}

async function settle(world: PaymentWorld, effect: LeasedEffect): Promise<void> {
  try {
    const driven = await drive(world, effect);
    if (driven.status === 'settled') {
      await closeEffect(world.sql, effect.key);
      world.log.info({ effect: effect.key, orderId: effect.orderId }, 'an open effect was settled');
      return;
    }
    await releaseEffect(world.sql, effect.key, Math.min(2 ** effect.tries, longestWaitSeconds[effect.kind]));
  } catch (error) {
    // The lease ends by itself, and then somebody tries again.
    world.log.error({ err: error, effect: effect.key }, 'an open effect could not be settled');
  }
}

/** Somebody waits for an unknown answer; a bank takes its days, and a webhook tells sooner. */
const longestWaitSeconds = { authorize: 60, complete: 60, refund: 60, follow_refund: 3600 } as const;

function drive(world: PaymentWorld, effect: LeasedEffect): Promise<Driven> {
  const { refundId } = effect;
  return refundId === undefined ? settleOpenAttempt(world, effect) : settleOpenRefund(world, { ...effect, refundId });
}
