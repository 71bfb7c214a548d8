/** Runs the work, or lets it wait until one of the running pieces has ended. */
export type LimitConcurrency = <Answer>(work: () => Promise<Answer>) => Promise<Answer>;

/** Too much work is waiting: the caller would give up before its turn. */
export class TooBusy extends Error {}

/**
 * Work that depends on other work must wait for it before it calls.
 * @param mostWaiting when more pieces wait, further ones fail with `TooBusy`.
 */
export function limitConcurrency(most: number, mostWaiting = 50): LimitConcurrency {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) {
      if (waiting.length >= mostWaiting) throw new TooBusy('Too much work is waiting for its turn.');
      // The ending piece hands its place over directly, so a later caller cannot take it.
      await new Promise<void>((turn) => waiting.push(turn));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
