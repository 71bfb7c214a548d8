import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStreamTable } from './stream-table.ts';

function bytesOf(name: string) {
  const buffer = Buffer.from(`order-${name}-order`);
  return { buffer, at: 'order-'.length, end: buffer.length - '-order'.length };
}

test('a stream keeps its number when others are added', () => {
  const table = createStreamTable();
  const names = Array.from({ length: 20_000 }, (_, index) => `stream-${index * 7919}`);
  for (const time of [1, 2]) {
    expect(names.map((name) => table.numberOf(bytesOf(name)))).toEqual(names.map((_, index) => index));
    expect(table.size(), `time ${time}`).toBe(20_000);
  }
});

test('names are distinguished byte by byte', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 200 }), (names) => {
      const table = createStreamTable();
      const known = new Map<string, number>();
      for (const name of names) {
        if (!known.has(name)) known.set(name, known.size);
        expect(table.numberOf(bytesOf(name))).toBe(known.get(name));
      }
      expect(table.size()).toBe(known.size);
    }),
  );
});
