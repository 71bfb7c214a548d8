/** The last 8 characters of an id, followed by dots (specification, section 2.5). */
export function shortOrderId(id: string): string {
  return `${id.slice(-8)}...`;
}

const dayOptions = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const timeOptions = { ...dayOptions, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

/** Days and times in the time zone of the business, not of the browser. */
export function dayText(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { ...dayOptions, timeZone }).format(new Date(instant));
}

export function timeText(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { ...timeOptions, timeZone }).format(new Date(instant));
}

/** `3:41:05 PM` */
export function clockText(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { timeStyle: 'medium', timeZone }).format(instant);
}

/** A calendar day (`2026-11-21`) in words. */
export function calendarDayText(day: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** Square's names of cards (`AMERICAN_EXPRESS`) as people write them. */
export function cardBrandText(brand: string): string {
  return brand
    .toLowerCase()
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(' ');
}
