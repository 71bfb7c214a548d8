import { type ClusterLook, lifeNow } from '../database/cluster.ts';
import { onlyRow, type Sql } from '../database/database.ts';
import { withinMs } from '../runtime/deadline.ts';

/** What the jobs of a process wait for, in one statement. */
export type Seen = ClusterLook & {
  /** By a monotonic clock, before the question; milliseconds. */
  readonly askedAt: number;
  readonly hasEffects: boolean;
  readonly hasHints: boolean;
  readonly hasMails: boolean;
  /** Of the settings; 0 when none were saved. */
  readonly settingsVersion: number;
  /** Changes with each migration. */
  readonly schema: string;
  /** Changes with each event and each entry of the security log. */
  readonly newest: string;
  /** No transaction is under way that could still commit something older than `newest`. */
  readonly isSettled: boolean;
  /** Until each periodic job is due, by the database's clock. */
  readonly secondsToJob: Readonly<Record<string, number>>;
};

export type Look = {
  /** Jobs that ask at the same moment share an answer. Undefined: the look failed. */
  readonly now: () => Promise<Seen | undefined>;
  /** The next question is not answered with what was seen before. */
  readonly forget: () => void;
};

const sharedForMs = 100;
const answerWithinMs = 3000;

export function openLook(sql: Sql): Look {
  let last: { readonly seen: Promise<Seen>; readonly askedAt: number; isUnderWay: boolean } | undefined;
  const ask = (askedAt: number) => {
    const asked = { seen: withinMs(answerWithinMs, look(sql, askedAt)), askedAt, isUnderWay: true };
    last = asked;
    asked.seen
      .catch(() => undefined)
      .finally(() => {
        asked.isUnderWay = false;
      });
    return asked.seen;
  };
  return {
    now: () => {
      const at = performance.now();
      const isFresh = last !== undefined && (last.isUnderWay || at - last.askedAt < sharedForMs);
      // After a failed look, each job asks the database itself.
      return (isFresh && last !== undefined ? last.seen : ask(at)).catch(() => undefined);
    },
    forget: () => {
      last = undefined;
    },
  };
}

async function look(sql: Sql, askedAt: number): Promise<Seen> {
  const askedAtMs = Date.now();
  const seen = await onlyRow(sql<Omit<Seen, 'askedAt' | 'askedAtMs'>[]>`
    select has_effects as "hasEffects", has_hints as "hasHints", has_mails as "hasMails",
      settings_version as "settingsVersion", schema, newest, is_settled as "isSettled", seconds_to_job as "secondsToJob",
      ${lifeNow(sql)} as life, extract(epoch from clock_timestamp())::float8 * 1000 as "databaseMs"
    from ledger.look_for_work()`);
  return { ...seen, askedAt, askedAtMs };
}

/** For work that has read all events of this moment. Undefined: an older event may still be committed. */
export function settledNewest(seen: Seen | undefined): string | undefined {
  return seen?.isSettled === true ? seen.newest : undefined;
}

/** False: the job's row need not be asked. `ledger.take_job` decides. */
export function isPerhapsDue(seen: Seen | undefined, name: string, everySeconds: number): boolean {
  const { [name]: seconds = 0 } = seen?.secondsToJob ?? {};
  return seconds <= 0 || seconds > everySeconds;
}
