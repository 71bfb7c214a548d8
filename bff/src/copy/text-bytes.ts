import { type CopiedRow, readInteger, readLength } from './copied-row.ts';

// Text that is made of values of rows as bytes, without a string of each of them: what goes over all events does it many millions of times.

/** The first `length` bytes of the buffer are the text. */
export type TextBytes = { buffer: Buffer; length: number };

export function createTextBytes(capacity: number): TextBytes {
  return { buffer: Buffer.allocUnsafeSlow(capacity), length: 0 };
}

/** The functions below do not look whether there is room. */
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

/** Below this a loop is faster than a call. */
const fewBytes = 64;

/** A value of a text column, as it is. */
export function appendValue(text: TextBytes, row: CopiedRow): void {
  const length = readLength(row);
  const { buffer, length: to } = text;
  const { bytes, at } = row;
  if (length < fewBytes) for (let index = 0; index < length; index += 1) buffer[to + index] = bytes[at + index] ?? 0;
  else bytes.copy(buffer, to, at, at + length);
  row.at += length;
  text.length += length;
}

/**
 * A whole number, with so much added to it, in decimal digits; nothing for nothing.
 * @returns what stands in the row.
 */
export function appendInteger(text: TextBytes, row: CopiedRow, more: number): number | null {
  const { at } = row;
  const stored = readInteger(row);
  if (stored === null) return null;
  const value = stored + more;
  if (value >= 0 && value <= Number.MAX_SAFE_INTEGER) appendDigits(text, value);
  // Negative numbers are rare, and those that are so large (or instants that are infinite) are somebody's doing.
  else if (Number.isSafeInteger(value)) appendString(text, String(value));
  else appendString(text, String(row.bytes.readBigInt64BE(at + 4) + BigInt(more)));
  return stored;
}

const zero = 48;
const oneHalf = 100_000_000;

/** In halves, since arithmetic is faster on numbers of 32 bits. */
function appendDigits(text: TextBytes, value: number): void {
  const high = Math.floor(value / oneHalf);
  if (high > 0) appendDigits(text, high);
  appendPadded(text, value - high * oneHalf, high > 0 ? 8 : 1);
}

/** A number below 2^31, with zeros in front of it when it has fewer digits. */
export function appendPadded(text: TextBytes, value: number, leastDigits: number): void {
  let digits = leastDigits;
  for (let limit = 10 ** leastDigits; limit <= value; limit *= 10) digits += 1;
  const { buffer, length } = text;
  let rest = value;
  for (let at = length + digits - 1; at >= length; at -= 1) {
    const next = (rest / 10) | 0;
    buffer[at] = zero + rest - next * 10;
    rest = next;
  }
  text.length += digits;
}

const hexDigits = Buffer.from('0123456789abcdef');
const dash = 45;

/** Bytes in hexadecimal digits. */
export function appendHex(text: TextBytes, row: CopiedRow): void {
  const length = readLength(row);
  for (let index = 0; index < length; index += 1) appendHexByte(text, row.bytes[row.at + index] ?? 0);
  row.at += length;
}

/** A UUID as PostgreSQL writes it. */
export function appendId(text: TextBytes, row: CopiedRow): void {
  const length = readLength(row);
  for (let index = 0; index < length; index += 1) {
    if (index === 4 || index === 6 || index === 8 || index === 10) appendByte(text, dash);
    appendHexByte(text, row.bytes[row.at + index] ?? 0);
  }
  row.at += length;
}

function appendHexByte(text: TextBytes, byte: number): void {
  text.buffer[text.length++] = hexDigits[byte >> 4] ?? 0;
  text.buffer[text.length++] = hexDigits[byte & 15] ?? 0;
}
