import { appendByte, appendPadded, appendString, type TextBytes } from './text-bytes.ts';

const microsecondsPerDay = 86_400_000_000;
const millisecondsTo2000 = 946_684_800_000;
const [dot, colon, letterZ] = [46, 58, 90];

/** Instants that follow each other mostly lie on one day. */
let known = { day: Number.NaN, date: '' };

/** As ISO 8601 has it, from microseconds since the year 2000: no more digits of a second than it takes. */
export function appendInstant(text: TextBytes, microseconds: number): void {
  const day = Math.floor(microseconds / microsecondsPerDay);
  if (day !== known.day) known = { day, date: dateOf(day) };
  appendString(text, known.date);
  const ofDay = microseconds - day * microsecondsPerDay;
  const seconds = Math.floor(ofDay / 1_000_000);
  appendPadded(text, Math.floor(seconds / 3600), 2);
  appendByte(text, colon);
  appendPadded(text, Math.floor(seconds / 60) % 60, 2);
  appendByte(text, colon);
  appendPadded(text, seconds % 60, 2);
  appendFraction(text, ofDay - seconds * 1_000_000);
  appendByte(text, letterZ);
}

/** `2026-11-21T`. */
function dateOf(day: number): string {
  return new Date(millisecondsTo2000 + (day * microsecondsPerDay) / 1000)
    .toISOString()
    .slice(0, -'00:00:00.000Z'.length);
}

function appendFraction(text: TextBytes, microseconds: number): void {
  if (microseconds === 0) return;
  let [digits, rest] = [6, microseconds];
  for (; rest % 10 === 0; rest /= 10) digits -= 1;
  appendByte(text, dot);
  appendPadded(text, rest, digits);
}
