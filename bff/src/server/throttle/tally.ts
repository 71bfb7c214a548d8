import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../logger.ts';

/** Something that was counted here and is to be counted in the database. */
type Due = {
  readonly key: string;
  readonly times: number;
  /** After this it would count for a time that is over. */
  readonly forgetAfterSeconds: number;
  readonly tell: (sum: number) => Promise<unknown>;
};

export type Tally = {
  readonly add: (due: Due) => void;
  /** How much of a key waits to be told. */
  readonly untold: (key: string) => number;
};

/** What happens in between is told in one statement. */
const gatherForMs = 100;
/** More different keys at once are a flood from everywhere, in which this process's own counts must do. */
const mostDue = 1000;

/**
 * Tells the database what was counted, beside the requests and never in their way: one statement at a time, however many requests there
 * are. What could not be told, because the database is away, is told with what comes next.
 */
export function startTally(log: Logger): Tally {
  const due = new Map<string, Due & { readonly until: number }>();
  let isTelling = false;
  let isFailing = false;

  const waitingOf = (key: string) => {
    const waiting = due.get(key);
    return waiting === undefined || waiting.until < performance.now() ? undefined : waiting;
  };
  const add = (next: Due) => {
    const waiting = waitingOf(next.key);
    if (!due.has(next.key) && due.size >= mostDue) return;
    const until = waiting?.until ?? performance.now() + next.forgetAfterSeconds * 1000;
    due.set(next.key, { ...next, times: next.times + (waiting?.times ?? 0), until });
  };
  const tellAll = async () => {
    for (const [key, next] of due) {
      due.delete(key);
      if (next.until < performance.now()) continue;
      try {
        await next.tell(next.times);
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'limits hold for this process only until the database counts again');
        isFailing = true;
        add(next);
        return;
      }
    }
  };
  const tellSoon = async () => {
    if (isTelling) return;
    isTelling = true;
    await setTimeout(gatherForMs, undefined, { ref: false });
    await tellAll();
    isTelling = false;
  };

  return {
    add: (next) => {
      add(next);
      void tellSoon();
    },
    untold: (key) => waitingOf(key)?.times ?? 0,
  };
}
