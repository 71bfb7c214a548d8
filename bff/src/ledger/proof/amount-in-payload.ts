import { type Bytes, textOf } from '../../database/copy/bytes.ts';
import { knowNames } from '../../database/copy/known-names.ts';
import { eachPlainMember, type Member } from '../../database/copy/plain-json.ts';
import { payoutCodec } from '../codecs/payout.ts';

/** The types whose column does not say what stands under `amount`. */
const types = knowNames(['OrderPlaced', 'PayoutEntriesRecorded']);
const [orderPlaced, payoutEntriesRecorded] = [0, 1];
const amountNames = ['amount', 'total'] as const;
const names = knowNames(amountNames);

/** What the typed column must say, read from the stored payload alone, whatever type and version it has. */
export function amountInPayload({ type, payload }: { readonly type: Bytes; readonly payload: Bytes }): number | null {
  const known = types.find(type);
  // The only type whose column says something that stands nowhere in the payload: what its entries add up to.
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

/** Which of the names is looked for, and what was found under it: null for nothing, undefined for what is no plain number. */
let wanted = 0;
let found: number | null | undefined = null;

function lookAt(buffer: Buffer, { nameAt, nameEnd, valueAt, valueEnd }: Member): void {
  if (names.find({ buffer, at: nameAt, end: nameEnd }) !== wanted) return;
  // Of two members with one name the last one counts.
  found = digitsAt(buffer, valueAt, valueEnd);
}

const [zero, nine] = [48, 57];
/** So many digits are exact, and more than any amount has. */
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
