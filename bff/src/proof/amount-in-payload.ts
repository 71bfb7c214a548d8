import { decodePayoutEvent, encodePayoutEvent } from '../ledger/stored-payout-event.ts';
import type { Bytes } from './event-row.ts';

/** What the typed column must say, read from the stored payload alone, whatever type and version it has. */
export function amountInPayload(type: string, payload: Bytes): number | null {
  // The only type whose column says something that stands nowhere in the payload: what its entries add up to.
  if (type === 'PayoutEntriesRecorded') return amountOfEntries(textOf(payload));
  const name = type === 'OrderPlaced' ? 'total' : 'amount';
  const amount = wholeNumberAt(payload, name);
  return amount === undefined ? parsedNumberAt(payload, name) : amount;
}

function amountOfEntries(payload: string): number | null {
  try {
    const stored = { type: 'PayoutEntriesRecorded', schemaVersion: 1, payload };
    return encodePayoutEvent(decodePayoutEvent(stored)).amountCents;
  } catch {
    return null;
  }
}

function parsedNumberAt(payload: Bytes, name: string): number | null {
  const fields: unknown = JSON.parse(textOf(payload));
  if (typeof fields !== 'object' || fields === null) return null;
  const stated = (fields as Readonly<Record<string, unknown>>)[name];
  return Number.isSafeInteger(stated) ? (stated as number) : null;
}

function textOf({ buffer, at, end }: Bytes): string {
  return buffer.toString('utf8', at, end);
}

const [quote, comma, zero, nine, colon, backslash] = [34, 44, 48, 57, 58, 92];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];
const space = 32;
/** So many digits are exact, and more than any amount has. */
const mostDigits = 15;

/**
 * The number that stands at the top of an object under this name, as `JSON.parse` would find it, without making anything of the rest: that
 * would be a good part of the time that verifying takes.
 * @returns null when there is none, undefined when the text is not plain enough to be sure.
 */
function wholeNumberAt({ buffer, at, end }: Bytes, name: string): number | null | undefined {
  let depth = 0;
  let found: number | null = null;
  for (let index = at; index < end; index += 1) {
    const byte = buffer[index] ?? 0;
    if (byte === quote) {
      const nameAt = index + 1;
      index = endOfText(buffer, nameAt);
      if (index < 0) return undefined;
      // A text before a colon is a name. Of two that are the same the last one counts.
      const isName = depth === 1 && buffer[index + 1] === colon && index - nameAt === name.length;
      if (isName && buffer.toString('latin1', nameAt, index) === name) {
        const number = digitsAt(buffer, index + 2);
        if (number === undefined) return undefined;
        found = number;
      }
    } else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) depth -= 1;
    // White space is nothing that we write, and could stand between a name and its colon.
    else if (byte <= space) return undefined;
  }
  return found;
}

/** Where the quotation mark stands that ends a text; less than nothing when something in it is escaped. */
function endOfText(buffer: Buffer, at: number): number {
  for (let index = at; ; index += 1) {
    const byte = buffer[index] ?? backslash;
    if (byte === quote) return index;
    if (byte === backslash) return -1;
  }
}

function digitsAt(buffer: Buffer, at: number): number | undefined {
  let number = 0;
  for (let index = at; index <= at + mostDigits; index += 1) {
    const byte = buffer[index] ?? 0;
    if (byte >= zero && byte <= nine) number = number * 10 + byte - zero;
    else return index > at && (byte === comma || byte === closeBrace) ? number : undefined;
  }
  return undefined;
}
