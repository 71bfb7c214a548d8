import { latestPickupDays } from '@kilim/domain/contact';

export type DayOfPickup = {
  /** `2026-11-25` */
  readonly day: string;
  /** `Wednesday, November 25` */
  readonly text: string;
};

/** In the shop's time zone, from tomorrow. */
export function daysOfPickup(now: Date, timeZone: string): readonly DayOfPickup[] {
  const iso = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const words = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long', month: 'long', day: 'numeric' });
  // Counting days at noon in UTC needs no daylight-saving time.
  const today = Date.parse(`${iso.format(now)}T12:00:00Z`);
  return Array.from({ length: latestPickupDays }, (_, index) => {
    const at = new Date(today + (index + 1) * 24 * 60 * 60 * 1000);
    return { day: at.toISOString().slice(0, 10), text: words.format(at) };
  });
}
