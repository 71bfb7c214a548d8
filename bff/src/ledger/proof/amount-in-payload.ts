import { type Bytes, textOf } from '../../database/copy/bytes.ts';
import { knowNames } from '../../database/copy/known-names.ts';
import { eachPlainMember, type Member } from '../../database/copy/plain-json.ts';
import { payoutCodec } from '../codecs/payout.ts';

/** The types whose amount is not under `amount`. */
const types = knowNames(['OrderPlaced', 'PayoutEntriesRecorded']);
const [orderPlaced, payoutEntriesRecorded] = [0, 1];
const amountNames = ['amount', 'total'] as const;
const names = knowNames(amountNames);

/** The amount that the typed column must hold, from the stored payload alone, for any type and version. */
export function amountInPayload({ type, payload }: { readonly type: Bytes; readonly payload: Bytes }): number | null {
  const known = types.find(type);
  // The only amount that is not in the payload: a sum of the entries.
  if (known === payoutEntriesRecorded) return amountOfEntries(textOf(payload));
  const name = known === orderPlaced ? 1 : 0;
  wanted = name;
  found = null;
  const isSure = eachPlainMember(payload, lookAt) && found !== undefined;
  return isSure ? found : parsedNumberAt(payload, amountNames[name]);
}

function amountOfEntries(payload: string): number | null {
  try {
    const stored = { type: 'PayoutEntriesRecorded', schemaVersion: 1, payload };
    return payoutCodec.encode(payoutCodec.decode(stored)).amountCents;
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

/**
 * The wanted name, and the value under it: null for none, undefined for anything but a plain
 * number.
 */
let wanted = 0;
let found: number | null | undefined = null;

function lookAt(buffer: Buffer, { nameAt, nameEnd, valueAt, valueEnd }: Member): void {
  if (names.find({ buffer, at: nameAt, end: nameEnd }) !== wanted) return;
  // The last of two members with the same name counts.
  found = digitsAt(buffer, valueAt, valueEnd);
}

const [zero, nine] = [48, 57];
/** This number of digits is exact, and more than any amount has. */
const mostDigits = 15;

function digitsAt(buffer: Buffer, at: number, end: number): number | undefined {
  if (end - at > mostDigits) return undefined;
  let number = 0;
  for (let index = at; index < end; index += 1) {
    const byte = buffer[index] ?? 0;
    if (byte < zero || byte > nine) return undefined;
    number = number * 10 + byte - zero;
  }
  return number;
}
