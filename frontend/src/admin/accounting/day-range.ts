import { isDay } from '@kilim/domain/accounting/day';

/** Days of the business, both included: `2026-11-21`. */
export type DayRange = { readonly from: string; readonly to: string };

/** It lives in the address, so that it survives the way back and can be sent to somebody. */
export type RangeSearch = { readonly from?: string; readonly to?: string };

/** Takes what makes sense; otherwise the month that is over, which accountants ask for most. */
export function rangeOf({ from, to }: RangeSearch, today: string): DayRange {
  if (isDay(from) && isDay(to)) return from <= to ? { from, to } : { from: to, to: from };
  return presetsOn(today).lastMonth;
}

/** A first day behind the last one takes that along. */
export function startingAt(from: string, { to }: DayRange): DayRange {
  return from <= to ? { from, to } : { from, to: from };
}

/** A last day before the first one takes that along. */
export function endingAt(to: string, { from }: DayRange): DayRange {
  return from <= to ? { from, to } : { from: to, to };
}

export const presetNames = ['thisMonth', 'lastMonth', 'lastQuarter', 'thisYear', 'lastYear'] as const;
export type PresetName = (typeof presetNames)[number];

/** The stretches of time that accountants ask for, as seen from a day. */
export function presetsOn(today: string): Readonly<Record<PresetName, DayRange>> {
  const year = Number(today.slice(0, 4));
  const month = Number(today.slice(5, 7));
  const quarter = Math.ceil(month / 3);
  return {
    thisMonth: monthsFrom(year, month, 1),
    lastMonth: monthsFrom(year, month - 1, 1),
    lastQuarter: monthsFrom(year, (quarter - 2) * 3 + 1, 3),
    thisYear: monthsFrom(year, 1, 12),
    lastYear: monthsFrom(year - 1, 1, 12),
  };
}

/** The day that it is now in the shop. */
export function todayIn(timeZone: string): string {
  // Swedish dates are written as ISO 8601 writes them.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date());
}

/** `Oct 31, 2026` */
export function fullDayText(day: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** A month below 1 is one of the year before. */
function monthsFrom(year: number, month: number, count: number): DayRange {
  const dayText = (instant: number) => new Date(instant).toISOString().slice(0, 'yyyy-mm-dd'.length);
  return { from: dayText(Date.UTC(year, month - 1, 1)), to: dayText(Date.UTC(year, month - 1 + count, 0)) };
}
