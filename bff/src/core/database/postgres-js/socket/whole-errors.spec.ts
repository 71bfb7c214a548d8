import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createErrorCollector } from './whole-errors.ts';

function message(type: string, length: number): Buffer {
  const bytes = Buffer.alloc(5 + length, type);
  bytes.writeInt32BE(4 + length, 1);
  return bytes;
}

const messages = fc.array(fc.record({ type: fc.constantFrom('E', 'D', 'Z', 'd', 'T'), length: fc.nat({ max: 40 }) }), {
  maxLength: 12,
});

test('all bytes pass in order, and each error in one piece, wherever the packets end', () => {
  fc.assert(
    fc.property(messages, fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (sent, sizes) => {
      const all = Buffer.concat(sent.map(({ type, length }) => message(type, length)));
      const collect = createErrorCollector();
      const passed: Buffer[] = [];
      for (let at = 0, packet = 0; at < all.length; packet += 1) {
        const size = sizes[packet % sizes.length] ?? 1;
        passed.push(collect(all.subarray(at, at + size)));
        at += size;
      }
      expect(Buffer.concat(passed)).toEqual(all);
      const ends = new Set(passed.map((_, index) => Buffer.concat(passed.slice(0, index + 1)).length));
      let start = 0;
      for (const { type, length } of sent) {
        const end = start + 5 + length;
        if (type === 'E') expect([...ends].filter((at) => at > start && at < end)).toEqual([]);
        start = end;
      }
    }),
  );
});

test('a message longer than any error passes as it arrives', () => {
  const collect = createErrorCollector();
  const long = message('E', 70_000);
  expect(collect(long.subarray(0, 1000))).toHaveLength(1000);
  expect(collect(long.subarray(1000))).toHaveLength(long.length - 1000);
});
