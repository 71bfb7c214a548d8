import type { Bytes } from '../database/copy/bytes.ts';
import { knowNames } from '../database/copy/known-names.ts';
import { eachPlainMember, type Member } from '../database/copy/plain-json.ts';

/** Finds top-level texts of payloads by groups of names. */
export type PayloadTexts = {
  /** Reads a payload, which may be empty, and forgets the one before. */
  readonly read: (payload: Bytes) => void;
  /** The first text in the group's order, without quotation marks. An empty one does not count. */
  readonly find: (group: number) => Bytes | undefined;
  /** Whether the flag is true. */
  readonly isFlagged: () => boolean;
};

type FoundText = { buffer: Buffer; at: number; end: number };

const quote = 34;
const letterT = 116;

/** @param groups at most 30 names in all. */
export function createPayloadTexts(groups: readonly (readonly string[])[], flag: string): PayloadTexts {
  const names = [...new Set(groups.flat()), flag];
  const known = knowNames(names);
  const flagBit = 1 << (names.length - 1);
  /** The bits of each group's names; the lowest bit is the first name. */
  const bitsOf = groups.map((group) => group.reduce((bits, name) => bits | (1 << names.indexOf(name)), 0));
  const texts = names.map((): FoundText => ({ buffer: Buffer.alloc(0), at: 0, end: 0 }));
  let found = 0;

  const keep = (buffer: Buffer, { nameAt, nameEnd, valueAt, valueEnd }: Member) => {
    const place = known.find({ buffer, at: nameAt, end: nameEnd });
    const text = texts[place];
    if (text === undefined) return;
    const bit = 1 << place;
    const isThere = bit === flagBit ? buffer[valueAt] === letterT : buffer[valueAt] === quote && valueEnd > valueAt + 2;
    // The last of two members with the same name counts.
    found = isThere ? found | bit : found & ~bit;
    text.buffer = buffer;
    text.at = valueAt + 1;
    text.end = valueEnd - 1;
  };
  const parse = ({ buffer, at, end }: Bytes) => {
    const fields = JSON.parse(buffer.toString('utf8', at, end)) as Readonly<Record<string, unknown>>;
    found = fields[flag] === true ? flagBit : 0;
    for (const [place, name] of names.entries()) {
      const value = fields[name];
      if (typeof value !== 'string' || value === '' || name === flag) continue;
      const bytes = Buffer.from(value);
      texts[place] = { buffer: bytes, at: 0, end: bytes.length };
      found |= 1 << place;
    }
  };
  return {
    read: (payload) => {
      found = 0;
      if (payload.end > payload.at && !eachPlainMember(payload, keep)) parse(payload);
    },
    find: (group) => {
      const hits = found & (bitsOf[group] ?? 0);
      return hits === 0 ? undefined : texts[lowestBit(hits)];
    },
    isFlagged: () => (found & flagBit) !== 0,
  };
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
