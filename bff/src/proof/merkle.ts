import { hash } from 'node:crypto';
import { type HashText, writeHash } from './hash-text.ts';

/**
 * The Merkle tree of RFC 6962, section 2.1, built leaf by leaf with memory for its height. Different prefixes of leaves
 * and inner nodes keep one from replacing the other.
 */
export type MerkleTree = {
  /** A leaf also has one character for each byte. */
  readonly add: (leaf: string) => void;
  readonly size: () => number;
  readonly root: () => Buffer;
};

export function createMerkleTree(): MerkleTree {
  /** Complete subtrees, the largest first: one for each binary 1 in the number of leaves. */
  const subtrees: HashText[] = [];
  let size = 0;
  return {
    add: (leaf) => {
      let subtree = hashOf(0, leaf, '');
      // Like a binary carry: two subtrees of the same size make one of twice the size.
      for (let carry = size; carry % 2 === 1; carry = Math.floor(carry / 2)) {
        subtree = hashOf(1, subtrees.pop() ?? '', subtree);
      }
      subtrees.push(subtree);
      size += 1;
    },
    size: () => size,
    root: () => {
      const last = subtrees.at(-1) ?? hash('sha256', '', 'binary');
      return Buffer.from(
        subtrees.slice(0, -1).reduceRight((right, left) => hashOf(1, left, right), last),
        'latin1',
      );
    },
  };
}

/** Leaves and pairs of hashes have these lengths, so the buffers are reused. */
const [ofHash, ofPair] = [Buffer.alloc(1 + 32), Buffer.alloc(1 + 2 * 32)];

function hashOf(prefix: 0 | 1, left: string, right: string): HashText {
  const length = 1 + left.length + right.length;
  const usual = right === '' ? ofHash : ofPair;
  const hashed = usual.length === length ? usual : Buffer.alloc(length);
  hashed[0] = prefix;
  writeHash(left, hashed, 1);
  writeHash(right, hashed, 1 + left.length);
  return hash('sha256', hashed, 'binary');
}
