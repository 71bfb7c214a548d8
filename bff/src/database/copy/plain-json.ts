import type { Bytes } from './bytes.ts';

// Stored payloads are JSON without white space, and almost never have an escape. Full scans search
// their bytes, because parsing would dominate their time.

/**
 * The bounds of a member's name and value. A name is without its quotation marks, a text value with
 * them.
 */
export type Member = { nameAt: number; nameEnd: number; valueAt: number; valueEnd: number };

const [quote, comma, colon, backslash] = [34, 44, 58, 92];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];
const space = 32;

const member: Member = { nameAt: 0, nameEnd: 0, valueAt: 0, valueEnd: 0 };

/**
 * Calls `found` for each top-level member of an object in order. The argument is valid only during
 * the call.
 * @returns false when the text, which must be JSON, is no object, or has white space or an escape.
 */
export function eachPlainMember({ buffer, at, end }: Bytes, found: (buffer: Buffer, member: Member) => void): boolean {
  if (buffer[at] !== openBrace) return false;
  let index = at;
  do {
    member.nameAt = index + 2;
    // An empty object ends here.
    if (buffer[index + 1] !== quote) return index + 2 === end && buffer[index + 1] === closeBrace;
    member.nameEnd = endOfText(buffer, member.nameAt);
    member.valueAt = member.nameEnd + 2;
    if (member.nameEnd < 0 || buffer[member.nameEnd + 1] !== colon) return false;
    index = endOfValue(buffer, member.valueAt);
    if (index < 0) return false;
    member.valueEnd = index;
    found(buffer, member);
  } while (buffer[index] === comma);
  return index + 1 === end;
}

/** The position of the closing quotation mark, or -1 if the text has an escape. */
function endOfText(buffer: Buffer, at: number): number {
  for (let index = at; ; index += 1) {
    const byte = buffer[index] ?? backslash;
    if (byte === quote) return index;
    if (byte === backslash) return -1;
  }
}

/** The meaning of a byte outside of texts. Most bytes have none. */
const [nothing, beginsText, opens, closes, separates, isBlank] = [0, 1, 2, 3, 4, 5];
const meanings = new Uint8Array(256);
meanings.fill(isBlank, 0, space + 1);
meanings[quote] = beginsText;
meanings[openBrace] = opens;
meanings[openBracket] = opens;
meanings[closeBrace] = closes;
meanings[closeBracket] = closes;
meanings[comma] = separates;

/** The position after a value, or -1 if it is not plain. */
function endOfValue(buffer: Buffer, at: number): number {
  let depth = 0;
  for (let index = at; ; index += 1) {
    const meaning = meanings[buffer[index] ?? space] ?? isBlank;
    if (meaning === nothing) continue;
    if (meaning === beginsText) {
      index = endOfText(buffer, index + 1);
      if (index < 0) return -1;
    } else if (meaning === opens) depth += 1;
    else if (meaning === isBlank) return -1;
    else if (depth === 0) return index;
    else if (meaning === closes) depth -= 1;
  }
}
