import { isDatabaseAway } from '../database/failures.ts';
import type { Logger } from '../runtime/logger.ts';

export type Repeated = {
  /** Polls now, because there is work. */
  readonly wake: () => void;
  /** How long ago the last round succeeded, by a monotonic clock. */
  readonly secondsSinceRound: () => number;
  readonly stop: () => Promise<void>;
};

export type Work = {
  /** For the log: the name of the job. */
  readonly what: string;
  readonly everySeconds: number;
  /** @returns how much work was found. The next round begins without a pause while there is any. */
  readonly round: () => Promise<number>;
  /** Called when the database is back after it was away. */
  readonly onReturn?: () => void;
};

/** A round that fails again and again for the same reason is logged so often. */
const logEveryMs = 60_000;

/** Polls every few seconds. A failed round is tried again. */
export function repeat(log: Logger, work: Work): Repeated {
  let stopped = false;
  let woken = false;
  let wasAway = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let succeededAt = performance.now();
  let logged: { readonly error: string; readonly at: number } | undefined;

  const logFailure = (error: unknown) => {
    const at = performance.now();
    if (logged?.error === String(error) && at - logged.at < logEveryMs) return;
    logged = { error: String(error), at };
    log.error({ err: error }, `polling for ${work.what} failed`);
  };

  const run = async () => {
    woken = false;
    try {
      while (!stopped && (await work.round()) > 0);
      if (wasAway) work.onReturn?.();
      wasAway = false;
      logged = undefined;
      succeededAt = performance.now();
    } catch (error) {
      wasAway ||= isDatabaseAway(error);
      logFailure(error);
    }
    if (!stopped) timer = setTimeout(start, woken ? 0 : work.everySeconds * 1000);
  };
  const start = () => {
    timer = undefined;
    running = run();
  };
  start();

  return {
    wake: () => {
      woken = true;
      // A timer runs between two rounds. A running round reads the flag at its end.
      if (timer === undefined || stopped) return;
      clearTimeout(timer);
      start();
    },
    secondsSinceRound: () => (performance.now() - succeededAt) / 1000,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
