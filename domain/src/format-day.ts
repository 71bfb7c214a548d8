import type { Day } from './day.ts';

// A file of its own: customers' pages do not need it.

const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'],
  ...['September', 'October', 'November', 'December'],
];

/** `April 1, 2027` */
export function formatDay(day: Day): string {
  const [year, month, date] = day.split('-').map(Number);
  return `${monthNames[(month ?? 1) - 1]} ${date}, ${year}`;
}
