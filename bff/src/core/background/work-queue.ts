import type { Sql } from '../database/database.ts';
import { createWatch, type Watched } from '../ledger/watch.ts';
import { withinMs } from '../runtime/deadline.ts';
import type { Logger } from '../runtime/logger.ts';

/** Of any number of processes one works on each item. */
export type WorkQueue<Item extends Watched> = {
  readonly name: string;
  readonly readOpen: (sql: Sql) => Promise<readonly Item[]>;
  /** @returns undefined when another process was first. */
  readonly take: (sql: Sql, seen: Item) => Promise<Item | undefined>;
  readonly work: (item: Item) => Promise<void>;
};

export type Workers = {
  /**
   * Does not wait for the items.
   * @returns how many items were started.
   * @throws when the database does not answer in time.
   */
  readonly startDue: () => Promise<number>;
  /** Undefined when one has succeeded since, or none is open. */
  readonly failure: () => unknown;
  readonly finished: () => Promise<void>;
};

type WorkersOptions = {
  readonly sql: Sql;
  readonly log: Logger;
  readonly onRoom?: () => void;
};

const mostAtOnce = 4;
const answerWithinMs = 3000;
/** Longer work is given up. After its lease a process takes it again. */
const longestWorkMs = 90_000;

/** A slow item does not delay the others. */
export function createWorkers<Item extends Watched>(
  queue: WorkQueue<Item>,
  { sql, log, onRoom }: WorkersOptions,
): Workers {
  const watch = createWatch();
  const underWay = new Map<string, Promise<void>>();
  let due: readonly Item[] = [];
  let failure: unknown;

  const start = (item: Item) => {
    const working = withinMs(longestWorkMs, queue.work(item))
      .then(() => {
        failure = undefined;
      })
      .catch((error: unknown) => {
        failure = error;
        log.error({ err: error, key: item.key, job: queue.name }, 'work on an item failed');
      })
      .finally(() => {
        underWay.delete(item.key);
        onRoom?.();
      });
    underWay.set(item.key, working);
  };

  return {
    startDue: async () => {
      if (due.length === 0) {
        const open = await withinMs(answerWithinMs, queue.readOpen(sql));
        if (open.length === 0) failure = undefined;
        due = watch.due(open);
      }
      due = due.filter(({ key }) => !underWay.has(key));
      const next = due.slice(0, mostAtOnce - underWay.size);
      due = due.slice(next.length);
      for (const item of next) {
        const taken = await withinMs(answerWithinMs, queue.take(sql, item));
        if (taken !== undefined) start(taken);
      }
      return next.length;
    },
    failure: () => failure,
    finished: async () => {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
  };
}
