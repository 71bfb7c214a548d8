import type { Day } from '@kilim/domain/accounting/day';

/** The calendar day in a time zone at an instant. */
export function dayIn(timeZone: string, instant: Date): Day {
  // Sweden writes dates in the form of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(instant) as Day;
}
