import type { EventRow } from './event-row.ts';
import { type HashText, noHash } from './hash-text.ts';

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
  const heads = new Map<string, { readonly version: number; readonly hash: HashText }>();
  const suspicious = new Set<string>();
  return {
    follow: ({ streamId, version, hash, previousHash, fault }) => {
      const last = heads.get(streamId) ?? { version: 0, hash: noHash };
      const follows = version === last.version + 1 && previousHash === last.hash;
      if (!follows || fault !== undefined) suspicious.add(streamId);
      heads.set(streamId, { version, hash });
    },
    streams: () => heads.size,
    suspicious: () => [...suspicious].sort(),
  };
}
