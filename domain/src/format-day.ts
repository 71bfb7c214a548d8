import type { PickupWindow } from './contact.ts';
import { type Day, parseDay, weekdayOf } from './day.ts';

// A file of its own: the order form does not need it.

const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'],
  ...['September', 'October', 'November', 'December'],
];

/** `April 1, 2027` */
export function formatDay(day: Day): string {
  const [year] = day.split('-');
  return `${monthAndDate(day)}, ${Number(year)}`;
}

/** `2027-04`: `April 2027` */
export function formatMonth(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return `${monthNames[(number ?? 1) - 1]} ${year}`;
}

/** `Friday, November 27` */
export function formatWeekday(day: Day): string {
  const weekday = weekdayOf(day);
  return `${weekday.slice(0, 1).toUpperCase()}${weekday.slice(1)}, ${monthAndDate(day)}`;
}

function monthAndDate(day: Day): string {
  const [, month, date] = day.split('-').map(Number);
  return `${monthNames[(month ?? 1) - 1]} ${date}`;
}

/** `Friday, November 27, morning` */
export function formatPickup({ day, window }: { readonly day: Day; readonly window: PickupWindow }): string {
  return `${formatWeekday(day)}, ${window}`;
}

const windows = { morning: 'in the morning', afternoon: 'in the afternoon', evening: 'in the evening' };

type PickupTime = { readonly day?: string | undefined; readonly window?: PickupWindow | undefined };

/**
 * `Friday, November 27, in the morning`
 * @returns undefined without a day and a window.
 */
export function formatPickupTime({ day, window }: PickupTime): string | undefined {
  const parsed = parseDay(day ?? '');
  if (parsed === undefined && window === undefined) return undefined;
  const dayText = parsed === undefined ? 'any day' : formatWeekday(parsed);
  return window === undefined ? dayText : `${dayText}, ${windows[window]}`;
}
