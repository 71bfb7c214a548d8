import { isDatabaseAway } from '../database/failures.ts';
import type { Logger } from '../server/logger.ts';

/** Work that is looked for again and again until it is stopped. */
export type Repeated = {
  /** There is something to do: look now. */
  readonly wake: () => void;
  /** How long ago the last round ended well, by a monotonic clock. */
  readonly secondsSinceRound: () => number;
  readonly stop: () => Promise<void>;
};

export type Work = {
  /** For the log: 'open effects'. */
  readonly what: string;
  readonly everySeconds: number;
  /** @returns how much was found; while there is any, it is asked again at once. */
  readonly round: () => Promise<number>;
  /** The database is there again after it was away. */
  readonly onReturn?: () => void;
};

/** Looks at once and then every few seconds. A round that fails is tried again. */
export function repeat(log: Logger, work: Work): Repeated {
  let stopped = false;
  let woken = false;
  let wasAway = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let endedWellAt = performance.now();

  const run = async () => {
    woken = false;
    try {
      while (!stopped && (await work.round()) > 0);
      if (wasAway) work.onReturn?.();
      wasAway = false;
      endedWellAt = performance.now();
    } catch (error) {
      wasAway ||= isDatabaseAway(error);
      log.error({ err: error }, `polling for ${work.what} failed`);
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
      // Between two rounds there is a timer; during one, the flag is seen at its end.
      if (timer === undefined || stopped) return;
      clearTimeout(timer);
      start();
    },
    secondsSinceRound: () => (performance.now() - endedWellAt) / 1000,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
