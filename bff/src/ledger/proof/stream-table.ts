import type { Bytes } from '../../database/copy/bytes.ts';

/**
 * Numbers streams by their names, in a hash table of bytes. A ledger has millions, for which
 * strings in a `Map` would take three times the memory and most of a verification's time.
 */
export type StreamTable = {
  /** The number of a stream from zero on; a new name gets the next number. */
  readonly numberOf: (streamId: Bytes) => number;
  readonly size: () => number;
};

/** Table, offsets and names grow by this factor. At most half of the table is used. */
const growth = 2;
const fewStreams = 1024;
const usualName = 'order-018bf867-4780-7453-a0e1-55d05857f353'.length;

export function createStreamTable(): StreamTable {
  /** One more than the number of a stream; zero in an empty slot. */
  let table = new Int32Array(growth * fewStreams);
  /**
   * The hash of each stream's name, and the start of the name. One more offset marks the end of the
   * last name.
   */
  let hashes = new Int32Array(fewStreams);
  let starts = new Float64Array(fewStreams + 1);
  let names = Buffer.alloc(fewStreams * usualName);
  let size = 0;

  const isNamed = (number: number, { buffer, at, end }: Bytes) => {
    const start = starts[number] ?? 0;
    if ((starts[number + 1] ?? 0) - start !== end - at) return false;
    for (let index = end - at - 1; index >= 0; index -= 1)
      if (names[start + index] !== buffer[at + index]) return false;
    return true;
  };
  const freePlaceOf = (hash: number) => {
    let place = hash & (table.length - 1);
    while (table[place] !== 0) place = (place + 1) & (table.length - 1);
    return place;
  };
  const makeRoom = (bytes: number) => {
    const end = (starts[size] ?? 0) + bytes;
    if (end > names.length) names = grown(names, Buffer.alloc(growth * end));
    if (size < hashes.length) return;
    hashes = grown(hashes, new Int32Array(growth * size));
    starts = grown(starts, new Float64Array(growth * size + 1));
    table = new Int32Array(growth * table.length);
    for (let number = 0; number < size; number += 1) table[freePlaceOf(hashes[number] ?? 0)] = number + 1;
  };
  const add = (hash: number, { buffer, at, end }: Bytes) => {
    makeRoom(end - at);
    const start = starts[size] ?? 0;
    buffer.copy(names, start, at, end);
    hashes[size] = hash;
    starts[size + 1] = start + end - at;
    table[freePlaceOf(hash)] = size + 1;
    size += 1;
    return size - 1;
  };
  return {
    numberOf: (streamId) => {
      const hash = hashOf(streamId);
      for (let place = hash & (table.length - 1); ; place = (place + 1) & (table.length - 1)) {
        const number = (table[place] ?? 0) - 1;
        if (number < 0) return add(hash, streamId);
        if (hashes[number] === hash && isNamed(number, streamId)) return number;
      }
    },
    size: () => size,
  };
}

export function grown<Values extends Int32Array | Float64Array | Buffer>(values: Values, larger: Values): Values {
  larger.set(values);
  return larger;
}

/** FNV-1a, with its better high bits mixed into the low bits. */
function hashOf({ buffer, at, end }: Bytes): number {
  let hash = 0x811c9dc5 | 0;
  for (let index = at; index < end; index += 1) hash = Math.imul(hash ^ (buffer[index] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}
