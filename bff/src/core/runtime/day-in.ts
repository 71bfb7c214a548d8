import type { Day } from '@kilim/domain/day';

export function dayIn(timeZone: string, instant: Date): Day {
  // Sweden writes dates in the form of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(instant) as Day;
}
