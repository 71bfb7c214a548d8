import { allowLongStatements, type Sql } from '../database/database.ts';
import type { World } from '../server/world.ts';
import { type Repeated, repeat } from './repeat.ts';

const everySeconds = 10;
/** Counting so many events takes a few seconds. */
const mostEvents = 100_000;
const longestCountSeconds = 15;

/**
 * Keeps the counts of days up to date, so that lists and figures have few events left to count. Any
 * number of processes may do it at the same time.
 */
export function startCountingDays({ sql, log }: Pick<World, 'sql' | 'log'>, timeZone: string): Repeated {
  // In a busy shop there is always another event. Only a full batch is followed by the next without a pause.
  const round = async () => {
    const events = await countDays(sql, timeZone);
    return events < mostEvents ? 0 : events;
  };
  return repeat(log, { what: 'uncounted events', everySeconds, round });
}

/** @returns how many events were counted. When there were any, there may be more. */
export async function countDays(sql: Sql, timeZone: string, most: number = mostEvents): Promise<number> {
  return await sql.begin(async (transaction) => {
    await allowLongStatements(transaction, longestCountSeconds);
    const [counted] = await transaction<{ events: number }[]>`select ledger.count_days(${timeZone}, ${most}) as events`;
    return counted?.events ?? 0;
  });
}
