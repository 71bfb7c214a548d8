import { hash } from 'node:crypto';

/**
 * The Merkle tree of RFC 6962, section 2.1, built leaf by leaf in the memory of its height: leaves and inner nodes are hashed under
 * different prefixes, so that none can be passed off as the other.
 */
export type MerkleTree = {
  readonly add: (leaf: Uint8Array) => void;
  readonly size: () => number;
  readonly root: () => Buffer;
};

export function createMerkleTree(): MerkleTree {
  /** Complete subtrees, the largest first; their sizes are the binary digits of the number of leaves. */
  const subtrees: { readonly leaves: number; readonly hash: Buffer }[] = [];
  let size = 0;
  return {
    add: (leaf) => {
      size += 1;
      let subtree = { leaves: 1, hash: hashOf(0, leaf) };
      for (let last = subtrees.at(-1); last?.leaves === subtree.leaves; last = subtrees.at(-1)) {
        subtrees.pop();
        subtree = { leaves: last.leaves * 2, hash: hashOf(1, last.hash, subtree.hash) };
      }
      subtrees.push(subtree);
    },
    size: () => size,
    root: () => {
      const last = subtrees.at(-1);
      if (last === undefined) return hash('sha256', '', 'buffer');
      return subtrees.slice(0, -1).reduceRight((right, left) => hashOf(1, left.hash, right), last.hash);
    },
  };
}

function hashOf(prefix: 0 | 1, ...parts: readonly Uint8Array[]): Buffer {
  return hash('sha256', Buffer.concat([Buffer.of(prefix), ...parts]), 'buffer');
}
