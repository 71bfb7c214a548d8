import type { Closing, Horizon } from './books.ts';
import { type Day, dayAfter } from './day.ts';

/**
 * The instant at which a day begins, in Coordinated Universal Time and without a zone:
 * `2026-10-31T07:00:00`. As text it sorts before or at every ISO 8601 instant of its day.
 */
export type DayStart = { readonly day: Day; readonly startsAt: string };

/** The days of one time zone, up to an instant (`undefined`: without an end). */
export type Stretch = {
  readonly starts: readonly DayStart[];
  readonly closing: Pick<Closing, 'through' | 'endsAt'> | undefined;
};

/**
 * The consecutive days of the business. Closed days keep the beginnings that they were closed with. After them the next
 * day begins, even if the time zone has changed, so no instant moves into or out of a closed period.
 */
export function calendarOf(stretches: readonly Stretch[]): readonly DayStart[] {
  const days: DayStart[] = [];
  let from: DayStart | undefined;
  for (const { starts, closing } of stretches) {
    const begin = from;
    if (begin !== undefined) days.push(begin);
    for (const start of starts) {
      if (begin !== undefined && (start.startsAt <= begin.startsAt || start.day <= begin.day)) continue;
      if (closing === undefined || start.day <= closing.through) days.push(start);
    }
    if (closing !== undefined) from = { day: dayAfter(closing.through), startsAt: startText(closing.endsAt) };
  }
  return days;
}

/**
 * Tells the day of an instant, as ISO 8601 in Coordinated Universal Time. Instants that are asked for one after the
 * other mostly lie in one day.
 * @throws RangeError for an instant before the first day.
 */
export function createDayFinder(days: readonly DayStart[]): (instant: string) => Day {
  let found = 0;
  const isIn = (index: number, instant: string) => {
    const next = days[index + 1];
    return (days[index]?.startsAt ?? instant) <= instant && (next === undefined || instant < next.startsAt);
  };
  return (instant) => {
    if (!isIn(found, instant)) found = lastStartedBy(days, instant);
    const day = days[found]?.day;
    if (day === undefined) throw new RangeError(`No day is known for ${instant}`);
    return day;
  };
}

function lastStartedBy(days: readonly DayStart[], instant: string): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle]?.startsAt ?? instant) <= instant) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * The day on which an event is posted: its own day, unless that was closed before the event was
 * written. Later events never change it, so a closed period stays as it is.
 */
export function postingDay(
  day: Day,
  writtenAt: Horizon,
  closings: readonly Pick<Closing, 'through' | 'horizon'>[],
): Day {
  const closed = closings.findLast(({ horizon }) => !isBefore(writtenAt, horizon));
  return closed === undefined || day > closed.through ? day : dayAfter(closed.through);
}

/** Whether a place in the ledger is before another one. */
export function isBefore(first: Horizon, second: Horizon): boolean {
  if (first.epoch !== second.epoch) return first.epoch < second.epoch;
  // Decimal numbers without leading zeros: the longer one is the larger.
  if (first.xid.length !== second.xid.length) return first.xid.length < second.xid.length;
  return first.xid < second.xid;
}

function startText(instant: string): string {
  return instant.slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
}

/** Which events stand in a range of posting days, as conditions on when they happened and when they were written. */
export type Window = {
  /** Excludes events that happened at this instant or later. */
  readonly endsAt: string;
  /** Excludes events written from here on: they are late for the whole range. */
  readonly writtenBefore: Horizon | undefined;
  /** Includes events that happened at this instant or later ... */
  readonly startsAt: string;
  /** ... and, of what happened earlier, what was written from here on: it is late, and posted in the range. */
  readonly orWrittenFrom: Horizon | undefined;
};

/** The window that holds exactly the events that `postingDay` puts between two days. */
export function windowOf(
  { from, to }: { readonly from: Day; readonly to: Day },
  days: readonly DayStart[],
  closings: readonly Pick<Closing, 'through' | 'horizon'>[],
): Window {
  const startOf = (wanted: Day) => days.find(({ day }) => day >= wanted)?.startsAt;
  const endsAt = startOf(dayAfter(to));
  const startsAt = startOf(from);
  if (endsAt === undefined || startsAt === undefined) throw new RangeError(`The calendar ends before ${to}`);
  return {
    startsAt,
    endsAt,
    writtenBefore: closings.find(({ through }) => through >= to)?.horizon,
    orWrittenFrom: closings.find(({ through }) => dayAfter(through) >= from)?.horizon,
  };
}
