import { allowLongStatements, type Sql } from '../database/database.ts';
import { type Job, minute } from './job.ts';
import { type Seen, settledNewest } from './look.ts';

/** A few seconds of work. */
const mostEvents = 100_000;
const longestCountSeconds = 15;

/** Keeps few events for lists and figures to count. Any number of processes may do it. */
export function countingDays(sql: Sql, timeZone: string): Job {
  let counted: string | undefined;
  const run = async (_: unknown, seen?: Seen) => {
    const events = await countDays(sql, timeZone);
    // A busy shop always has another event, so only a full batch is followed without a pause.
    if (events >= mostEvents) return events;
    counted = settledNewest(seen);
    return 0;
  };
  return {
    name: 'count-days',
    limitSeconds: 15 * minute,
    meaning: 'Lists and figures become slow, because days are not counted.',
    pollSeconds: 10,
    isIdle: ({ newest }) => newest === counted,
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
