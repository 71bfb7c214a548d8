import { amountInPayload } from './amount-in-payload.ts';
import type { EventRow } from './event-row.ts';
import type { HashText } from './merkle.ts';

/** Follows the chains of all streams at once, through events in the order in which the ledger is read. */
export type StreamHeads = {
  readonly follow: (event: EventRow) => void;
  readonly streams: () => number;
  /**
   * Streams whose events did not come one after the other as they should. Something is wrong with them, or they were appended to by a
   * transaction that is older than the one before it: they have to be looked at in the order of their versions.
   */
  readonly suspicious: () => readonly string[];
};

/** Before the first event of a stream. */
export const noHash: HashText = '\0'.repeat(32);

export function createStreamHeads(): StreamHeads {
  const heads = new Map<string, { version: number; hash: HashText }>();
  const suspicious = new Set<string>();
  return {
    follow: (event) => {
      const { streamId, version, hash } = event;
      const head = heads.get(streamId);
      const follows = version === (head?.version ?? 0) + 1 && event.previousHash === (head?.hash ?? noHash);
      if (!(follows && isSelfConsistent(event))) suspicious.add(streamId);
      if (head === undefined) heads.set(streamId, { version, hash });
      else {
        head.version = version;
        head.hash = hash;
      }
    },
    streams: () => heads.size,
    suspicious: () => [...suspicious].sort(),
  };
}

function isSelfConsistent({ hash, computedHash, amountCents, type, payload }: EventRow): boolean {
  return hash === computedHash && amountCents === amountInPayload(type, payload);
}
