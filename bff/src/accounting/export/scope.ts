import type { Books, Horizon } from '@kilim/domain/accounting/books';
import {
  calendarOf,
  createDayFinder,
  type DayStart,
  postingDay,
  type Window,
  windowOf,
} from '@kilim/domain/accounting/calendar';
import type { Day } from '@kilim/domain/day';
import type { Sql } from '../../core/database/database.ts';
import { readBooks } from '../../core/ledger/read.ts';

/** Both ends are included. */
export type DayRange = { readonly from: Day; readonly to: Day };

export type Scope = DayRange & {
  readonly books: Books;
  readonly timeZone: string;
  readonly window: Window;
  readonly daysOf: (place: EventPlace) => { readonly day: Day; readonly postedOn: Day };
};

/** ISO 8601 in Coordinated Universal Time, and the place in the ledger. */
export type EventPlace = Horizon & { readonly occurredAt: string };

export async function openScope(sql: Sql, timeZone: string, range: DayRange): Promise<Scope> {
  const books = await readBooks(sql);
  const { closings } = books;
  const days = await readCalendar(sql, { books, timeZone, last: range.to });
  const dayOf = createDayFinder(days);
  return {
    ...range,
    books,
    timeZone,
    window: windowOf(range, days, closings),
    daysOf: ({ occurredAt, epoch, xid }) => {
      const day = dayOf(occurredAt);
      return { day, postedOn: closings.length === 0 ? day : postingDay(day, { epoch, xid }, closings) };
    },
  };
}

/** A day before every event. */
export const firstDay = '2000-01-01' as Day;

export function dayOfInstant({ daysOf }: Pick<Scope, 'daysOf'>, at: Date): Day {
  return daysOf({ occurredAt: at.toISOString(), epoch: 0, xid: '0' }).day;
}

type CalendarRequest = { readonly books: Books; readonly timeZone: string; readonly last: Day };

/** PostgreSQL knows the beginning of each day, including days of 23 and 25 hours. */
async function readCalendar(sql: Sql, { books, timeZone, last }: CalendarRequest): Promise<readonly DayStart[]> {
  const { closings } = books;
  const zones = [...new Set([...closings.map((closing) => closing.timeZone), timeZone])];
  const byZone = new Map<string, readonly DayStart[]>();
  for (const zone of zones) byZone.set(zone, await readStarts(sql, zone, last));
  return calendarOf([
    ...closings.map((closing) => ({ starts: byZone.get(closing.timeZone) ?? [], closing })),
    { starts: byZone.get(timeZone) ?? [], closing: undefined },
  ]);
}

async function readStarts(sql: Sql, timeZone: string, last: Day): Promise<readonly DayStart[]> {
  return await sql<DayStart[]>`
    select day::date::text as day,
      to_char(ledger.start_of_day(day::date, ${timeZone}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') as "startsAt"
    from generate_series(${firstDay}::text::date, ${last}::text::date + 2, interval '1 day') as series (day)
    order by day`;
}
