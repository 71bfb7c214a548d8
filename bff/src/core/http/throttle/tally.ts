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
const mostAtOnce = 100;

/**
 * Writes counts in the background, many in a statement, and one statement at a time. Counts that an outage held
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
    while (due.size > 0) {
      const next = [...due.values()].slice(0, mostAtOnce);
      for (const { key } of next) due.delete(key);
      const valid = next.filter(({ until }) => until >= performance.now());
      const results = valid.map((each) =>
        each.write(each.times).then(
          () => [],
          (error: unknown) => [{ each, error }],
        ),
      );
      const failures = (await Promise.all(results)).flat();
      const [first] = failures;
      if (first !== undefined && !isFailing)
        log.warn({ err: first.error }, 'limits hold for this process only until the database is back');
      isFailing = first !== undefined;
      for (const { each } of failures) add(each);
      if (isFailing) return;
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
