import type { Day } from '@kilim/domain/day';

/** Building one takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

export function dayIn(timeZone: string, instant: Date): Day {
  let format = formats.get(timeZone);
  if (format === undefined) {
    // Sweden writes dates in the form of ISO 8601.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
    formats.set(timeZone, format);
  }
  return format.format(instant) as Day;
}
