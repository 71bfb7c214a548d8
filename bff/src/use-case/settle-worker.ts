import type { PaymentWorld } from './record-payment.ts';
import { settleOpenAttempts } from './settle-open-attempts.ts';

export type SettleWorker = { readonly stop: () => Promise<void> };

/** Looks for open attempts at once and then every few seconds, until it is stopped. A round that fails is tried again. */
export function startSettleWorker(world: PaymentWorld, intervalSeconds: number): SettleWorker {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();

  const run = async () => {
    try {
      while (!stopped && (await settleOpenAttempts(world)) > 0);
    } catch (error) {
      world.log.error({ err: error }, 'open attempts could not be looked for');
    }
    if (!stopped) {
      timer = setTimeout(() => {
        round = run();
      }, intervalSeconds * 1000);
    }
  };
  round = run();

  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
