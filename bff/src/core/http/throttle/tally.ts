import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../../runtime/logger.ts';

type Due = {
  readonly key: string;
  readonly times: number;
  readonly forgetAfterSeconds: number;
  readonly write: (sum: number) => Promise<unknown>;
};

export type Tally = {
  readonly add: (due: Due) => void;
  readonly unwritten: (key: string) => number;
};

const gatherForMs = 100;
/** More keys mean a flood from everywhere; then each process relies on its own counts. */
const mostDue = 1000;

/**
 * Writes counts in the background, one statement at a time, whatever the number of requests. Counts that an outage held
 * up are written with the next ones.
 */
export function startTally(log: Logger): Tally {
  const due = new Map<string, Due & { readonly until: number }>();
  let isWriting = false;
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
  const writeAll = async () => {
    for (const [key, next] of due) {
      due.delete(key);
      if (next.until < performance.now()) continue;
      try {
        await next.write(next.times);
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'limits hold for this process only until the database is back');
        isFailing = true;
        add(next);
        return;
      }
    }
  };
  const writeSoon = async () => {
    if (isWriting) return;
    isWriting = true;
    await setTimeout(gatherForMs, undefined, { ref: false });
    await writeAll();
    isWriting = false;
  };

  return {
    add: (next) => {
      add(next);
      void writeSoon();
    },
    unwritten: (key) => waitingOf(key)?.times ?? 0,
  };
}
