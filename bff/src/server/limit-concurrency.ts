/** Runs work, at most so many pieces at once; the others wait their turn. */
export type AtMost = <Answer>(work: () => Promise<Answer>) => Promise<Answer>;

/** Too many are waiting already: whoever comes now would be answered when nobody listens any more. */
export class TooBusy extends Error {}

const mostWaiting = 50;

/** For what costs a lot of memory or processor time, so that a crowd of requests cannot take all of it. */
export function atMost(most: number): AtMost {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) {
      if (waiting.length >= mostWaiting) throw new TooBusy('Too many are waiting for their turn.');
      // Whoever ends hands its place on, so that nobody who comes later takes it.
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
