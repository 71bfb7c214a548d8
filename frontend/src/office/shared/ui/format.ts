/** The last 8 characters, with dots (specification, section 2.5). */
export function shortOrderId(id: string): string {
  return `${id.slice(-8)}...`;
}

const dayOptions = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const timeOptions = { ...dayOptions, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

/** In the business's time zone, not the browser's. */
export function dayText(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { ...dayOptions, timeZone }).format(new Date(instant));
}

export function timeText(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { ...timeOptions, timeZone }).format(new Date(instant));
}

const shortOptions = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;

/** `Nov 24, 1:05 PM`, with another year. */
export function shortTimeText(instant: string, timeZone: string): string {
  const yearOf = (date: Date) => new Intl.DateTimeFormat('en-US', { year: 'numeric', timeZone }).format(date);
  const date = new Date(instant);
  const year = yearOf(date) === yearOf(new Date()) ? {} : ({ year: 'numeric' } as const);
  return new Intl.DateTimeFormat('en-US', { ...shortOptions, ...year, timeZone }).format(date);
}

/** `3:41 PM` */
export function clockText(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone }).format(instant);
}

/** As `<input type="date">` has it: `2026-11-21`. */
export function isoDay(instant: Date, timeZone: string): string {
  // Swedish dates have the format of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(instant);
}

export function calendarDayText(day: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** `13199.74` as `13,199.74`, with all its digits. */
export function decimalText(text: string): string {
  const [whole, part] = text.split('.');
  const grouped = Number(whole).toLocaleString('en-US');
  return part === undefined ? grouped : `${grouped}.${part}`;
}
