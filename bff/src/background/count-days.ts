import { allowLongStatements, type Sql } from '../database/database.ts';
import type { World } from '../server/world.ts';
import { type Repeated, repeat } from './repeat.ts';

const everySeconds = 10;
/** Some seconds' work at most. */
const mostEvents = 100_000;
const longestCountSeconds = 15;

/**
 * Keeps the counts of days close behind the ledger, so that lists and figures have little to count themselves. Any number of processes
 * may do it: they stay out of each other's way.
 */
export function startCountingDays({ sql, log }: Pick<World, 'sql' | 'log'>, timeZone: string): Repeated {
  return repeat(log, { what: 'new events of the days', everySeconds, round: () => countDays(sql, timeZone) });
}

/** @returns how many events were counted: as long as there are any, there may be more. */
export async function countDays(sql: Sql, timeZone: string, most: number = mostEvents): Promise<number> {
  return await sql.begin(async (transaction) => {
    await allowLongStatements(transaction, longestCountSeconds);
    const [counted] = await transaction<{ events: number }[]>`select ledger.count_days(${timeZone}, ${most}) as events`;
    return counted?.events ?? 0;
  });
}
