import { createHmac } from 'node:crypto';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { countsIn } from '../../database/counting-client.ts';
import type { Sql } from '../../database/database.ts';
import { withinMs } from '../../runtime/deadline.ts';
import type { Logger } from '../../runtime/logger.ts';
import { startTally } from './tally.ts';

/** The period begins with the first time. */
export type Limit = {
  /** Also the prefix of the limit's keys in the database. */
  readonly name: string;
  readonly most: number;
  readonly perSeconds: number;
};

export type Wait = { readonly limit: string; readonly seconds: number };

/**
 * Each process decides by its count in memory, and adds it to the database's count shortly afterwards. So a limit is
 * exact in one process. Several can exceed it by concurrent requests, and during a database outage each has the whole
 * limit.
 */
export type Counter = {
  /** Counts nothing when the limit is reached. */
  readonly count: (who: string) => Promise<Wait | undefined>;
  /** Over all processes: for rare requests like password attempts. */
  readonly countEverywhere: (who: string) => Promise<Wait | undefined>;
  readonly giveBack: (who: string) => Promise<void>;
};

export type Counters = { readonly counter: (limit: Limit) => Counter };

export type CountersOptions = {
  /** A separate small pool: counting must not delay payments. */
  readonly sql: Sql;
  readonly log: Logger;
  /** Hides the client in the database's keys. All processes need the same secret to share counts. */
  readonly secret: string;
  readonly factor: number;
};

type CountingOptions = CountersOptions & { readonly store: ReturnType<typeof countsIn> };

/** Later, the request counts in this process only. */
const answerWithinMs = 500;

export function createCounters(options: CountersOptions): Counters {
  const tally = startTally(options.log);
  const store = countsIn(options.sql);
  let isFirst = true;
  return {
    counter: (limit) => {
      const counts = startCounts({ ...options, store }, limit, isFirst);
      isFirst = false;
      const keyOf = (who: string) => `${limit.name}:${who}`;
      const addToDatabase = async (who: string, times: number) => {
        const total = await counts.everywhere(who, times);
        await counts.adopt(who, total, tally.unwritten(keyOf(who)));
        return total;
      };
      const addToTally = (who: string, times: number) =>
        tally.add({
          key: keyOf(who),
          times,
          forgetAfterSeconds: limit.perSeconds,
          write: (sum) => addToDatabase(who, sum),
        });
      const count = async (who: string) => {
        const wait = await counts.here(who);
        // A refused request is not counted, but asks the database whether the limit still holds.
        addToTally(who, wait === undefined ? 1 : 0);
        return wait;
      };
      return {
        count,
        countEverywhere: async (who) => {
          const wait = await counts.here(who);
          if (wait !== undefined) return wait;
          try {
            return counts.waitAfter(await addToDatabase(who, 1));
          } catch (error) {
            options.log.warn({ err: error, limit: limit.name }, 'a limit was checked in this process only');
            return undefined;
          }
        },
        giveBack: async (who) => {
          await counts.giveBackHere(who);
          addToTally(who, -1);
        },
      };
    },
  };
}

/** The two counts of one limit: this process's in memory, and the shared one in the database. */
function startCounts(
  { store, secret, factor }: CountingOptions,
  { name, most, perSeconds }: Limit,
  deletesOld: boolean,
) {
  const points = Math.max(1, Math.round(most * factor));
  const ours = new RateLimiterMemory({ points, duration: perSeconds });
  const shared = new RateLimiterPostgres({
    ...store,
    points,
    duration: perSeconds,
    keyPrefix: name,
    clearExpiredByTimeout: deletesOld,
  });
  const hidden = (who: string) => createHmac('sha256', secret).update(who).digest('base64url').slice(0, 22);
  const waitAfter = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Wait | undefined =>
    consumedPoints > points ? { limit: name, seconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) } : undefined;
  const giveBackHere = async (who: string) => void (await ours.reward(who, 1));
  return {
    waitAfter,
    giveBackHere,
    here: async (who: string) => {
      const wait = waitAfter(await counted(ours.consume(who, 1)));
      if (wait !== undefined) await giveBackHere(who);
      return wait;
    },
    /** @throws when the database does not answer in time. */
    everywhere: (who: string, times: number) => withinMs(answerWithinMs, counted(shared.consume(hidden(who), times))),
    /** Shared count plus own unwritten requests. */
    adopt: async (who: string, { consumedPoints, msBeforeNext }: RateLimiterRes, unwritten: number) => {
      if (msBeforeNext > 0) await ours.set(who, consumedPoints + unwritten, msBeforeNext / 1000);
    },
  };
}

/** The package throws its result when the limit is exceeded. */
async function counted(counting: Promise<RateLimiterRes>): Promise<RateLimiterRes> {
  try {
    return await counting;
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  }
}
