import { type Bytes, bytesOf } from './bytes.ts';
import { appendByte, appendBytes, appendPadded, createTextBytes, type TextBytes } from './text-bytes.ts';

const microsecondsPerDay = 86_400_000_000;
const millisecondsTo2000 = 946_684_800_000;
const [dot, colon, letterZ] = [46, 58, 90];

/**
 * Converts ISO 8601 to PostgreSQL's microseconds since the year 2000. Drops fractions of a
 * millisecond.
 */
export function microsecondsOf(instant: string): number {
  return (Date.parse(instant) - millisecondsTo2000) * 1000;
}

/** Consecutive instants are mostly on the same day. */
let known: { readonly day: number; readonly date: Bytes } = { day: Number.NaN, date: bytesOf('') };

/**
 * Appends ISO 8601 from microseconds since the year 2000, without trailing zeros in the fraction.
 */
export function appendInstant(text: TextBytes, microseconds: number): void {
  const day = Math.floor(microseconds / microsecondsPerDay);
  if (day !== known.day) known = { day, date: dateOf(day) };
  appendBytes(text, known.date);
  const ofDay = microseconds - day * microsecondsPerDay;
  const seconds = Math.floor(ofDay / 1_000_000) | 0;
  const minutes = (seconds / 60) | 0;
  appendPadded(text, (minutes / 60) | 0, 2);
  appendByte(text, colon);
  appendPadded(text, minutes % 60, 2);
  appendByte(text, colon);
  appendPadded(text, seconds % 60, 2);
  appendFraction(text, (ofDay - seconds * 1_000_000) | 0);
  appendByte(text, letterZ);
}

const scratch = createTextBytes(32);

/** The same as a string. */
export function instantOf(microseconds: number): string {
  scratch.length = 0;
  appendInstant(scratch, microseconds);
  return scratch.buffer.toString('latin1', 0, scratch.length);
}

/** `2026-11-21T`. */
function dateOf(day: number): Bytes {
  const midnight = new Date(millisecondsTo2000 + (day * microsecondsPerDay) / 1000).toISOString();
  return bytesOf(midnight.slice(0, -'00:00:00.000Z'.length));
}

function appendFraction(text: TextBytes, microseconds: number): void {
  if (microseconds === 0) return;
  // Most instants are whole milliseconds.
  let [digits, rest] = microseconds % 1000 === 0 ? [3, (microseconds / 1000) | 0] : [6, microseconds];
  for (; rest % 10 === 0; rest = (rest / 10) | 0) digits -= 1;
  appendByte(text, dot);
  appendPadded(text, rest, digits);
}
