import { textOf } from '../../database/copy/bytes.ts';
import { amountInPayload } from './amount-in-payload.ts';
import type { EventRow } from './event-row.ts';
import { hashBytes, writeHash } from './hash-text.ts';
import { createStreamTable, grown } from './stream-table.ts';

/** Follows the chains of all streams together, through events in ledger order. */
export type StreamHeads = {
  readonly follow: (event: EventRow) => void;
  readonly streams: () => number;
  /**
   * Streams whose events are not in version order: they are wrong, or an older transaction appended
   * after a younger one. They must be checked in version order.
   */
  readonly suspicious: () => readonly string[];
};

export function createStreamHeads(): StreamHeads {
  const streams = createStreamTable();
  /** The last version of each stream and its hash; zeros before the first event. */
  let versions = new Int32Array(1024);
  let hashes = Buffer.alloc(versions.length * hashBytes);
  const suspicious = new Set<string>();
  return {
    follow: (event) => {
      const stream = streams.numberOf(event.streamId);
      if (stream === versions.length) {
        versions = grown(versions, new Int32Array(2 * versions.length));
        hashes = grown(hashes, Buffer.alloc(2 * hashes.length));
      }
      const hashAt = stream * hashBytes;
      const follows = event.version === (versions[stream] ?? 0) + 1 && isLast(event, hashes, hashAt);
      if (!(follows && isSelfConsistent(event))) suspicious.add(textOf(event.streamId));
      versions[stream] = event.version;
      // If the stored hash differs, the stream is suspicious already.
      writeHash(event.computedHash, hashes, hashAt);
    },
    streams: streams.size,
    suspicious: () => [...suspicious].sort(),
  };
}

function isLast({ previousHash }: EventRow, hashes: Buffer, hashAt: number): boolean {
  const { buffer, at } = previousHash;
  for (let index = 0; index < hashBytes; index += 1) if (buffer[at + index] !== hashes[hashAt + index]) return false;
  return true;
}

function isSelfConsistent(event: EventRow): boolean {
  return event.hash === event.computedHash && event.amountCents === amountInPayload(event);
}
