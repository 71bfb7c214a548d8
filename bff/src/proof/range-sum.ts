import { createHash } from 'node:crypto';
import type { HashText } from './hash-text.ts';
import { createMerkleTree } from './merkle.ts';

export type SealedRange = {
  readonly events: number;
  readonly root: Buffer;
  readonly places: string;
  readonly macs: number;
};

export type RangeSum = {
  /** @param place epoch (2 bytes), transaction (8), position (8) and request hash (32), one character for each byte. */
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
