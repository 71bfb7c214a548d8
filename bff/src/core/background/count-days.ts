import { allowLongStatements, type Sql } from '../database/database.ts';
import { type Job, minute } from './job.ts';

/** A few seconds of work. */
const mostEvents = 100_000;
const longestCountSeconds = 15;

/** Keeps few events for lists and figures to count. Any number of processes may do it. */
export function countingDays(sql: Sql, timeZone: string): Job {
  // A busy shop always has another event, so only a full batch is followed without a pause.
  const run = async () => {
    const events = await countDays(sql, timeZone);
    return events < mostEvents ? 0 : events;
  };
  return {
    name: 'count-days',
    limitSeconds: 15 * minute,
    meaning: 'Lists and figures become slow, because days are not counted.',
    pollSeconds: 10,
    run,
  };
}

export async function countDays(sql: Sql, timeZone: string, most: number = mostEvents): Promise<number> {
  return await sql.begin(async (transaction) => {
    await allowLongStatements(transaction, longestCountSeconds);
    const [counted] = await transaction<{ events: number }[]>`select ledger.count_days(${timeZone}, ${most}) as events`;
    return counted?.events ?? 0;
  });
}
