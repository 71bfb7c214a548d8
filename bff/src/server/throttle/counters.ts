import { createHmac } from 'node:crypto';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Sql } from '../../database/database.ts';
import { withinMs } from '../deadline.ts';
import type { Logger } from '../logger.ts';
import { clientOver } from './counting-client.ts';
import { startTally } from './tally.ts';

/** How often somebody may do something in a stretch of time, which begins with the first time. */
export type Limit = {
  /** Shown to operators, and the beginning of its keys in the database. */
  readonly name: string;
  readonly most: number;
  readonly perSeconds: number;
};

/** The limit that was met, and when to come back. */
export type Wait = { readonly limit: string; readonly seconds: number };

/**
 * Counts what one address, order or shop does. Each process has its own count, which decides at once and without the database; a moment
 * later it is told to the database, and becomes that of all processes. So a limit holds exactly in one process, among several it may be
 * passed by what they do in the same moment, and while the database is away each process has its own.
 */
export type Counter = {
  /** Counts once, unless that is too often. */
  readonly count: (who: string) => Promise<Wait | undefined>;
  /** The same, over all processes before it answers: for what happens seldom and is guessed at, as passwords are. */
  readonly countEverywhere: (who: string) => Promise<Wait | undefined>;
  /** What was counted does not count after all. */
  readonly giveBack: (who: string) => Promise<void>;
};

export type Counters = { readonly counter: (limit: Limit) => Counter };

export type CountersOptions = {
  /** A small pool of its own: counting must not stand in the way of payments. */
  readonly sql: Sql;
  readonly log: Logger;
  /** Hides from who reads the database whom a key stands for. The same on all processes, or they do not count together. */
  readonly secret: string;
  /** Every limit, times this. */
  readonly factor: number;
};

/** A count that takes longer counts for this process only. */
const answerWithinMs = 500;

export function createCounters(options: CountersOptions): Counters {
  const tally = startTally(options.log);
  let isFirst = true;
  return {
    counter: (limit) => {
      const counts = startCounts(options, limit, isFirst);
      isFirst = false;
      const keyOf = (who: string) => `${limit.name}:${who}`;
      const catchUp = async (who: string, times: number) => {
        const total = await counts.everywhere(who, times);
        await counts.takeOver(who, total, tally.untold(keyOf(who)));
        return total;
      };
      const tell = (who: string, times: number) =>
        tally.add({
          key: keyOf(who),
          times,
          forgetAfterSeconds: limit.perSeconds,
          tell: (sum) => catchUp(who, sum),
        });
      const count = async (who: string) => {
        const wait = await counts.here(who);
        // Who is refused is not counted, and this process looks whether it is still so.
        tell(who, wait === undefined ? 1 : 0);
        return wait;
      };
      return {
        count,
        countEverywhere: async (who) => {
          const wait = await counts.here(who);
          if (wait !== undefined) return wait;
          try {
            return counts.waitAfter(await catchUp(who, 1));
          } catch (error) {
            options.log.warn({ err: error, limit: limit.name }, 'a limit holds for this process only');
            return undefined;
          }
        },
        giveBack: async (who) => {
          await counts.giveBackHere(who);
          tell(who, -1);
        },
      };
    },
  };
}

/** The two counts of one limit: this process's, and that of all in the database. */
function startCounts({ sql, secret, factor }: CountersOptions, { name, most, perSeconds }: Limit, deletesOld: boolean) {
  const points = Math.max(1, Math.round(most * factor));
  const ours = new RateLimiterMemory({ points, duration: perSeconds });
  const shared = new RateLimiterPostgres({
    ...{ points, duration: perSeconds, keyPrefix: name },
    ...{ storeType: 'client', storeClient: clientOver(sql) },
    ...{ schemaName: 'kilim', tableName: 'throttle', tableCreated: true, clearExpiredByTimeout: deletesOld },
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
    /** From now on this process counts on from what all have counted, and what it has not told yet. */
    takeOver: async (who: string, { consumedPoints, msBeforeNext }: RateLimiterRes, untold: number) => {
      if (msBeforeNext > 0) await ours.set(who, consumedPoints + untold, msBeforeNext / 1000);
    },
  };
}

/** The package throws what it counted when that is too much. */
async function counted(counting: Promise<RateLimiterRes>): Promise<RateLimiterRes> {
  try {
    return await counting;
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  }
}
