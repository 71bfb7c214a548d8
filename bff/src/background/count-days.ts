import { allowLongStatements, type Sql } from '../database/database.ts';
import type { Job } from './job.ts';

/** Counting so many events takes a few seconds. */
const mostEvents = 100_000;
const longestCountSeconds = 15;

/** Counts days, so that lists and figures have few events left to count. Any number of processes may do it. */
export function countingDays(sql: Sql, timeZone: string): Job {
  // A busy shop always has another event, so only a full batch is followed without a pause.
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
