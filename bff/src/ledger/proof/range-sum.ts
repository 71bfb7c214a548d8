import { createHash } from 'node:crypto';
import type { HashText } from './hash-text.ts';
import { createMerkleTree } from './merkle.ts';

/** What a checkpoint seals of its range. */
export type SealedRange = {
  readonly events: number;
  /** The root of the Merkle tree over the events' hashes. */
  readonly root: Buffer;
  /** The SHA-256 over the events' places, in base64. */
  readonly places: string;
  /** How many events have a MAC. */
  readonly macs: number;
};

/** For the events of one range, in ledger order. */
export type RangeSum = {
  /**
   * @param place epoch (2 bytes), transaction (8), position (8) and request hash (32), one character
   * for each byte.
   */
  readonly add: (hash: HashText, place: string, hasMac: boolean) => void;
  readonly end: () => SealedRange;
};

export function createRangeSum(): RangeSum {
  const tree = createMerkleTree();
  const places = createHash('sha256');
  let macs = 0;
  return {
    add: (hash, place, hasMac) => {
      tree.add(hash);
      places.update(place, 'latin1');
      if (hasMac) macs += 1;
    },
    end: () => ({ events: tree.size(), root: tree.root(), places: places.digest('base64'), macs }),
  };
}
