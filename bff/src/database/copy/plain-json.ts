import type { Bytes } from './bytes.ts';

// Stored payloads are JSON without white space, and hardly ever with anything escaped. What goes over all events looks into them byte by byte:
// parsing each would be a good part of its time.

/** Where the name and the value of a member stand. A name is without its quotation marks, a text as value with them. */
export type Member = { nameAt: number; nameEnd: number; valueAt: number; valueEnd: number };

const [quote, comma, colon, backslash] = [34, 44, 58, 92];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];
const space = 32;

const member: Member = { nameAt: 0, nameEnd: 0, valueAt: 0, valueEnd: 0 };

/**
 * Calls `found` for each member at the top of an object, in their order; what it is given is gone with the next call.
 * @returns whether that was all of them. If not, the text is no object, or not plain enough to be sure: white space, something escaped. It must be JSON.
 */
export function eachPlainMember({ buffer, at, end }: Bytes, found: (buffer: Buffer, member: Member) => void): boolean {
  if (buffer[at] !== openBrace) return false;
  let index = at;
  do {
    member.nameAt = index + 2;
    // An object without members ends here.
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

/** Where the quotation mark stands that ends a text; less than nothing when something in it is escaped. */
function endOfText(buffer: Buffer, at: number): number {
  for (let index = at; ; index += 1) {
    const byte = buffer[index] ?? backslash;
    if (byte === quote) return index;
    if (byte === backslash) return -1;
  }
}

/** What a byte outside of texts means. Most bytes are of numbers and words, and mean nothing here. */
const [nothing, beginsText, opens, closes, separates, isBlank] = [0, 1, 2, 3, 4, 5];
const meanings = new Uint8Array(256);
meanings.fill(isBlank, 0, space + 1);
meanings[quote] = beginsText;
meanings[openBrace] = opens;
meanings[openBracket] = opens;
meanings[closeBrace] = closes;
meanings[closeBracket] = closes;
meanings[comma] = separates;

/** Behind the last byte of a value; less than nothing when it is not plain. */
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
