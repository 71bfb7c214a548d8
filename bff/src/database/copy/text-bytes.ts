import type { Bytes } from './bytes.ts';
import { type CopiedRow, readInteger, readLength } from './copied-row.ts';

// Builds text from the values of rows as bytes, without a string for each value.

/** The first `length` bytes of the buffer are the text. */
export type TextBytes = { buffer: Buffer; length: number };

export function createTextBytes(capacity: number): TextBytes {
  return { buffer: Buffer.allocUnsafeSlow(capacity), length: 0 };
}

/** The functions below do not check the capacity. */
export function makeRoom(text: TextBytes, bytes: number): void {
  if (text.length + bytes <= text.buffer.length) return;
  const larger = Buffer.allocUnsafeSlow(2 * (text.length + bytes));
  text.buffer.copy(larger, 0, 0, text.length);
  text.buffer = larger;
}

export function appendByte(text: TextBytes, byte: number): void {
  text.buffer[text.length++] = byte;
}

export function appendString(text: TextBytes, string: string): void {
  text.length += text.buffer.write(string, text.length);
}

/** For a line of any length; makes room for it. */
export function appendLine(text: TextBytes, line: string): void {
  makeRoom(text, mostBytesOfCharacter * line.length);
  appendString(text, line);
}

/** UTF-8 bytes for one UTF-16 code unit. */
const mostBytesOfCharacter = 3;

/** Below this a loop is faster than a call. */
const fewBytes = 64;

export function appendBytes(text: TextBytes, { buffer: bytes, at, end }: Bytes): void {
  const { buffer, length: to } = text;
  const length = end - at;
  if (length < fewBytes) for (let index = 0; index < length; index += 1) buffer[to + index] = bytes[at + index] ?? 0;
  else bytes.copy(buffer, to, at, end);
  text.length += length;
}

/** A value of a text column, unchanged. */
export function appendValue(text: TextBytes, row: CopiedRow): void {
  const length = readLength(row);
  appendBytes(text, { buffer: row.bytes, at: row.at, end: row.at + length });
  row.at += length;
}

/**
 * Appends a whole number plus `more` in decimal digits, and nothing for null.
 * @returns the number in the row.
 */
export function appendInteger(text: TextBytes, row: CopiedRow, more: number): number | null {
  const { at } = row;
  const stored = readInteger(row);
  if (stored === null) return null;
  const value = stored + more;
  if (value >= 0 && value <= Number.MAX_SAFE_INTEGER) appendDigits(text, value);
  // Negative numbers are rare; unsafe integers and infinite instants never occur in normal use.
  else if (Number.isSafeInteger(value)) appendString(text, String(value));
  else appendString(text, String(row.bytes.readBigInt64BE(at + 4) + BigInt(more)));
  return stored;
}

const zero = 48;
const oneHalf = 100_000_000;

/** A whole number from 0 to 2^53, in two halves, because 32-bit arithmetic is faster. */
export function appendDigits(text: TextBytes, value: number): void {
  const high = Math.floor(value / oneHalf);
  if (high > 0) appendDigits(text, high);
  const low = value - high * oneHalf;
  let digits = high > 0 ? 8 : 1;
  if (high === 0) for (let limit = 10; limit <= low; limit *= 10) digits += 1;
  appendPadded(text, low, digits);
}

/** A number below 2^31, padded to this number of digits. */
export function appendPadded(text: TextBytes, value: number, digits: number): void {
  const { buffer, length } = text;
  let rest = value;
  for (let at = length + digits - 1; at >= length; at -= 1) {
    const next = (rest / 10) | 0;
    buffer[at] = zero + rest - next * 10;
    rest = next;
  }
  text.length += digits;
}

/** Bytes in hexadecimal digits. */
export function appendHex(text: TextBytes, row: CopiedRow): void {
  const length = readLength(row);
  appendHexBytes(text, { buffer: row.bytes, at: row.at, end: row.at + length });
  row.at += length;
}

const dash = 45;
/** The ends of a UUID's groups. */
const groups = [4, 6, 8, 10, 16];

/** A UUID as PostgreSQL writes it. */
export function appendId(text: TextBytes, row: CopiedRow): void {
  const length = readLength(row);
  for (let group = 0, at = 0; at < length; group += 1) {
    if (group > 0) appendByte(text, dash);
    const end = groups[group] ?? length;
    appendHexBytes(text, { buffer: row.bytes, at: row.at + at, end: row.at + end });
    at = end;
  }
  row.at += length;
}

const hexDigits = Uint8Array.from(Buffer.from('0123456789abcdef'));

function appendHexBytes(text: TextBytes, { buffer: bytes, at, end }: Bytes): void {
  const { buffer } = text;
  let to = text.length;
  for (let index = at; index < end; index += 1) {
    const byte = bytes[index] ?? 0;
    buffer[to] = hexDigits[byte >> 4] ?? 0;
    buffer[to + 1] = hexDigits[byte & 15] ?? 0;
    to += 2;
  }
  text.length = to;
}
