import type { Brand } from './brand.ts';

/** `2026-11-21`: sorts as text. */
export type Day = Brand<string, 'Day'>;

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof weekdays)[number];

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** @returns undefined unless it is a day of the years 1900 to 2099. */
export function parseDay(text: string): Day | undefined {
  const match = /^((?:19|20)\d\d)-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  return day >= 1 && day <= lengthOfMonth(year, month) ? (text as Day) : undefined;
}

export function dayAfter(day: Day): Day {
  const [year, month, date] = partsOf(day);
  if (date < lengthOfMonth(year, month)) return dayOf(year, month, date + 1);
  return month < 12 ? dayOf(year, month + 1, 1) : dayOf(year + 1, 1, 1);
}

export function dayBefore(day: Day): Day {
  const [year, month, date] = partsOf(day);
  return date > 1 ? dayOf(year, month, date - 1) : lastMonthEnd(day);
}

/** Includes both days. */
export function daysBetween(from: Day, to: Day): readonly Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = dayAfter(day)) days.push(day);
  return days;
}

/** Negative when the second day is before the first. */
export function daysFrom(first: Day, second: Day): number {
  return dayNumber(second) - dayNumber(first);
}

export function weekdayOf(day: Day): Weekday {
  return weekdays[(dayNumber(day) + 1) % 7] ?? 'monday';
}

/** The last day of the month before. */
export function lastMonthEnd(day: Day): Day {
  const [year, month] = partsOf(day);
  const [ofYear, ofMonth] = month === 1 ? [year - 1, 12] : [year, month - 1];
  return dayOf(ofYear, ofMonth, lengthOfMonth(ofYear, ofMonth));
}

export function firstOfMonth(day: Day): Day {
  return `${monthOf(day)}-01` as Day;
}

/** `2026-11` */
export function monthOf(day: Day): string {
  return day.slice(0, 'yyyy-mm'.length);
}

export function laterOf(first: Day, second: Day): Day {
  return first > second ? first : second;
}

function partsOf(day: Day): readonly [year: number, month: number, date: number] {
  return [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8, 10))];
}

function dayOf(year: number, month: number, date: number): Day {
  return `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}` as Day;
}

function lengthOfMonth(year: number, month: number): number {
  if (month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)) return 29;
  return daysOfMonths[month - 1] ?? 0;
}

/** Consecutive days have consecutive numbers. The year begins in March, so that a leap day comes last. */
function dayNumber(day: Day): number {
  const [year, month, date] = partsOf(day);
  const ofYear = month > 2 ? year : year - 1;
  const leapDays = divideDown(ofYear, 4) - divideDown(ofYear, 100) + divideDown(ofYear, 400);
  const ofMonth = divideDown(153 * ((month + 9) % 12) + 2, 5);
  return ofYear * 365 + leapDays + ofMonth + date;
}

function divideDown(numerator: number, denominator: number): number {
  return (numerator - (numerator % denominator)) / denominator;
}
