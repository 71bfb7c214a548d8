import { expect, test } from 'vitest';
import { limitConcurrency } from './limit-concurrency.ts';

test('only so much work runs at the same time, in the order in which it came, and failed work gives its place to the next', async () => {
  const inTurn = limitConcurrency(2);
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string) =>
    inTurn(
      () =>
        new Promise<string>((resolve, reject) => {
          begun.push(name);
          ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
        }),
    );
  const done = ['a', 'b', 'c', 'd'].map(work);
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b']);
  ends.get('b')?.(new Error('b fails'));
  await expect(done[1]).rejects.toThrow('b fails');
  expect(begun).toEqual(['a', 'b', 'c']);
  ends.get('c')?.();
  expect(await done[2]).toBe('c');
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  for (const end of ends.values()) end();
  expect(await Promise.all([done[0], done[3]])).toEqual(['a', 'd']);
});
