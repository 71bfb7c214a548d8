import { type Day, dayAfter } from '../day.ts';
import type { Closing, Horizon } from './books.ts';

/**
 * The first instant of a day in UTC, without a zone: as text it sorts before or at every ISO 8601 instant of its day.
 */
export type DayStart = { readonly day: Day; readonly startsAt: string };

/** The days of one time zone, up to an instant (`undefined`: without an end). */
export type Stretch = {
  readonly starts: readonly DayStart[];
  readonly closing: Pick<Closing, 'through' | 'endsAt'> | undefined;
};

/** Closed days keep their beginnings, even if the time zone has changed, so no instant moves into or out of them. */
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
 * Remembers the last day, because neighbouring events mostly share one.
 * @throws RangeError before the first day.
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

/** The event's own day, unless that was closed before the event was written. Later events never change it. */
export function postingDay(
  day: Day,
  writtenAt: Horizon,
  closings: readonly Pick<Closing, 'through' | 'horizon'>[],
): Day {
  const closed = closings.findLast(({ horizon }) => !isBefore(writtenAt, horizon));
  return closed === undefined || day > closed.through ? day : dayAfter(closed.through);
}

export function isBefore(first: Horizon, second: Horizon): boolean {
  if (first.epoch !== second.epoch) return first.epoch < second.epoch;
  // Decimal numbers without leading zeros.
  if (first.xid.length !== second.xid.length) return first.xid.length < second.xid.length;
  return first.xid < second.xid;
}

function startText(instant: string): string {
  return instant.slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
}

/** The events of a range of posting days, as conditions on when they happened and when they were written. */
export type Window = {
  /** Excludes events from this instant on. */
  readonly endsAt: string;
  /** Excludes events written from here on: they are late. */
  readonly writtenBefore: Horizon | undefined;
  /** Includes events from this instant on ... */
  readonly startsAt: string;
  /** ... and earlier ones written from here on: they are late, and posted in the range. */
  readonly orWrittenFrom: Horizon | undefined;
};

/** Holds exactly the events that `postingDay` puts between two days. */
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
