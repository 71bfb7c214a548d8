import type { EventRow } from './event-row.ts';
import { type HashText, noHash } from './hash-text.ts';

/** Follows all streams together, in ledger order. */
export type StreamHeads = {
  readonly follow: (event: EventRow) => void;
  readonly streams: () => number;
  /** Events are not in version order: wrong, or an older transaction appended after a younger one. */
  readonly suspicious: () => readonly string[];
};

export function createStreamHeads(): StreamHeads {
  const heads = new Map<string, { version: number; hash: HashText }>();
  const suspicious = new Set<string>();
  return {
    follow: ({ streamId, version, hash, previousHash, fault }) => {
      const head = heads.get(streamId) ?? { version: 0, hash: noHash };
      if (head.version === 0) heads.set(streamId, head);
      const follows = version === head.version + 1 && previousHash === head.hash;
      if (!follows || fault !== undefined) suspicious.add(streamId);
      head.version = version;
      head.hash = hash;
    },
    streams: () => heads.size,
    suspicious: () => [...suspicious].sort(),
  };
}
