/** Runs work when a place is free. At most so many pieces of work run at the same time. */
export type AtMost = <Answer>(work: () => Promise<Answer>) => Promise<Answer>;

/** Too much work waits already: a client would stop listening before its answer. */
export class TooBusy extends Error {}

/**
 * Limits how much work runs at the same time. The rest waits in the order in which it came, so work
 * that depends on other work must wait for that before it asks for a place.
 * @param most how much runs at the same time.
 * @param mostWaiting more waiting work fails with `TooBusy`.
 */
export function atMost(most: number, mostWaiting = 50): AtMost {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) {
      if (waiting.length >= mostWaiting) throw new TooBusy('Too many are waiting for their turn.');
      // Finished work passes its place on, so no later caller can take it.
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
