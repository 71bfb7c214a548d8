import { isDatabaseAway, isTemporary } from '../database/failures.ts';
import type { Logger } from '../runtime/logger.ts';

export type Repeated = {
  readonly wake: () => void;
  /** By a monotonic clock; seconds. */
  readonly secondsSinceRound: () => number;
  readonly stop: () => Promise<void>;
};

export type Work = {
  readonly what: string;
  /** At most. */
  readonly everySeconds: number;
  /** @returns how much work was found. The next round begins without a pause while there is any. */
  readonly round: () => Promise<number>;
  readonly onReturn?: () => void;
};

/** Rounds of all work begin at the same moments, so that they can share a look at the database. */
const beatMs = 1000;

function msUntilNext(everySeconds: number): number {
  const at = performance.now();
  return Math.max(0, Math.floor((at + everySeconds * 1000) / beatMs) * beatMs - at);
}

/** For a round that keeps failing for the same reason. */
const logEveryMs = 60_000;

/** A failed round is tried again. */
export function repeat(log: Logger, work: Work): Repeated {
  let stopped = false;
  let woken = false;
  let wasAway = false;
  let hasFailed = false;
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
      hasFailed = false;
      logged = undefined;
      succeededAt = performance.now();
    } catch (error) {
      // On a busy machine a start misses the answers of its first connections.
      if (!hasFailed && isTemporary(error)) log.warn(`polling for ${work.what} failed: the database did not answer`);
      else logFailure(error);
      hasFailed = true;
      wasAway ||= isDatabaseAway(error);
    }
    if (!stopped) timer = setTimeout(start, woken ? 0 : msUntilNext(work.everySeconds));
  };
  const start = () => {
    timer = undefined;
    running = run();
  };
  start();

  return {
    wake: () => {
      woken = true;
      // A running round reads the flag at its end.
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
