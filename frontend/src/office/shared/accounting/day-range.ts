import { parseDay } from '@kilim/domain/day';

/** Both days included: `2026-11-21`. */
export type DayRange = { readonly from: string; readonly to: string };

/** In the address, so that it survives the way back and a link can carry it. */
export type RangeSearch = { readonly from?: string; readonly to?: string };
export type ReportSearch = RangeSearch & { readonly report?: string; readonly account?: string };

/** Last month when the address has no valid range. */
export function rangeOf(search: RangeSearch, today: string): DayRange {
  const from = parseDay(search.from ?? '');
  const to = parseDay(search.to ?? '');
  if (from === undefined || to === undefined) return presetsOn(today).lastMonth;
  return from <= to ? { from, to } : { from: to, to: from };
}

/** From the name of an export's file: `kilim-takings-2026-10-01-to-2026-10-15.csv`. */
export function rangeOfFile(fileName: string): DayRange | undefined {
  const [, from, to] = /-(\d{4}-\d\d-\d\d)-to-(\d{4}-\d\d-\d\d)\.\w+$/.exec(fileName) ?? [];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Moving the start behind the end moves the end too. */
export function startingAt(from: string, { to }: DayRange): DayRange {
  return from <= to ? { from, to } : { from, to: from };
}

/** Moving the end before the start moves the start too. */
export function endingAt(to: string, { from }: DayRange): DayRange {
  return from <= to ? { from, to } : { from: to, to };
}

export const presetNames = ['thisMonth', 'lastMonth', 'thisQuarter', 'lastQuarter', 'thisYear', 'lastYear'] as const;
export type PresetName = (typeof presetNames)[number];

export function presetsOn(today: string): Readonly<Record<PresetName, DayRange>> {
  const year = Number(today.slice(0, 4));
  const month = Number(today.slice(5, 7));
  const quarter = Math.ceil(month / 3);
  return {
    thisMonth: monthsFrom(year, month, 1),
    lastMonth: monthsFrom(year, month - 1, 1),
    thisQuarter: monthsFrom(year, (quarter - 1) * 3 + 1, 3),
    lastQuarter: monthsFrom(year, (quarter - 2) * 3 + 1, 3),
    thisYear: monthsFrom(year, 1, 12),
    lastYear: monthsFrom(year - 1, 1, 12),
  };
}

export function todayIn(timeZone: string): string {
  // Swedish dates have the format of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date());
}

/** `Oct 31, 2026` */
export function fullDayText(day: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** A month below 1 lies in the year before. */
export function monthsFrom(year: number, month: number, count: number): DayRange {
  const dayText = (instant: number) => new Date(instant).toISOString().slice(0, 'yyyy-mm-dd'.length);
  return { from: dayText(Date.UTC(year, month - 1, 1)), to: dayText(Date.UTC(year, month - 1 + count, 0)) };
}
