import { allowLongStatements, type Sql } from '../database/database.ts';
import type { Job } from './job.ts';

/** Counting so many events takes a few seconds. */
const mostEvents = 100_000;
const longestCountSeconds = 15;

/**
 * Keeps the counts of days up to date, so that lists and figures have few events left to count. Any
 * number of processes may do it at the same time.
 */
export function countingDays(sql: Sql, timeZone: string): Job {
  // In a busy shop there is always another event. Only a full batch is followed by the next without a pause.
  const run = async () => {
    const events = await countDays(sql, timeZone);
    return events < mostEvents ? 0 : events;
  };
  return { name: 'count-days', pollSeconds: 10, run };
}

/** @returns how many events were counted. When there were any, there may be more. */
export async function countDays(sql: Sql, timeZone: string, most: number = mostEvents): Promise<number> {
  return await sql.begin(async (transaction) => {
    await allowLongStatements(transaction, longestCountSeconds);
    const [counted] = await transaction<{ events: number }[]>`select ledger.count_days(${timeZone}, ${most}) as events`;
    return counted?.events ?? 0;
  });
}
