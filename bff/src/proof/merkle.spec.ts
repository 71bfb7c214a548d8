import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMerkleTree } from './merkle.ts';

/** Of the tests of Certificate Transparency. */
const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];

function rootOf(items: readonly Uint8Array[]): string {
  const tree = createMerkleTree();
  for (const item of items) tree.add(Buffer.from(item).toString('latin1'));
  return tree.root().toString('hex');
}

test.each([
  [0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [1, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  [2, 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
  [3, 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
  [5, '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
  [8, '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
])('the root of %i leaves is the one that Certificate Transparency publishes', (count, root) => {
  expect(rootOf(leaves.slice(0, count).map((leaf) => Buffer.from(leaf, 'hex')))).toBe(root);
});

/** RFC 6962 literally: split at the largest power of two below the number of leaves. */
function recursiveRoot(items: readonly Uint8Array[]): Buffer {
  const [only] = items;
  if (only === undefined) return createHash('sha256').digest();
  if (items.length === 1) return createHash('sha256').update(Buffer.of(0)).update(only).digest();
  let split = 1;
  while (split * 2 < items.length) split *= 2;
  return createHash('sha256')
    .update(Buffer.of(1))
    .update(recursiveRoot(items.slice(0, split)))
    .update(recursiveRoot(items.slice(split)))
    .digest();
}

test('building leaf by leaf makes the tree of the standard', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 4 }), { maxLength: 70 }), (items) => {
      expect(rootOf(items)).toBe(recursiveRoot(items).toString('hex'));
    }),
  );
});
