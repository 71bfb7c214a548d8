import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { thinOut } from './thin-out.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function opened() {
  const written: unknown[] = [];
  const thinned = thinOut();
  return { written, tell: (kind: string) => thinned(kind, (more) => written.push({ kind, ...more })) };
}

test('the first line of a kind is written at once, and the others of its minute are counted at its end', () => {
  const { written, tell } = opened();
  for (let time = 0; time < 1000; time += 1) tell('a');
  tell('b');
  expect(written).toEqual([{ kind: 'a' }, { kind: 'b' }]);
  vi.advanceTimersByTime(60_000);
  expect(written.slice(2)).toEqual([{ kind: 'a', leftOut: 999 }]);
  tell('a');
  expect(written.slice(3)).toEqual([{ kind: 'a' }]);
});

test('strangers with a thousand networks write about two hundred lines a minute', () => {
  const { written, tell } = opened();
  for (let time = 0; time < 10_000; time += 1) tell(`network ${time % 1000}`);
  vi.advanceTimersByTime(60_000);
  expect(written).toHaveLength(202);
});
