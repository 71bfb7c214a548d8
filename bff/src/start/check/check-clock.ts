import { onlyRow, type Sql } from '../../core/database/database.ts';
import type { Diagnosis } from '../../core/runtime/diagnosis.ts';

/** In milliseconds since 1970. The database was asked between `before` and `after`. */
export type ClockSample = { readonly before: number; readonly after: number; readonly database: number };

/** A machine whose clock is synchronised is off by milliseconds. */
const warningSeconds = 2;
/**
 * Dates need the clock: the server dates events, and the database their recording. With a larger difference, orders
 * near midnight fall on the wrong day and into the wrong period.
 */
const errorSeconds = 30;

export async function sampleClock(sql: Sql): Promise<ClockSample> {
  const before = Date.now();
  const row = await onlyRow(sql<{ database: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as database`);
  const after = Date.now();
  return { before, after, database: row.database };
}

/** The time of the answer counts as unknown. */
export function judgeClock({ before, after, database }: ClockSample): readonly Diagnosis[] {
  const isAhead = database > after;
  const seconds = Math.max(before - database, database - after, 0) / 1000;
  if (seconds <= warningSeconds) return [];
  return [
    {
      level: seconds > errorSeconds ? 'error' : 'warning',
      problem: `the clock of the database is ${seconds.toFixed(1)} s ${isAhead ? 'ahead of' : 'behind'} the clock of this machine.`,
      remedy: 'Synchronise both machines with NTP (chrony or systemd-timesyncd).',
    },
  ];
}
