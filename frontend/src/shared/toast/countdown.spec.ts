import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countdown } from './countdown.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('it ends once its time has run out', () => {
  let ended = 0;
  const run = countdown(5000, () => (ended += 1));
  run();
  vi.advanceTimersByTime(4999);
  expect(ended).toBe(0);
  vi.advanceTimersByTime(1);
  expect(ended).toBe(1);
});

test('time that it is held does not count, and what is left is kept', () => {
  let ended = 0;
  const run = countdown(5000, () => (ended += 1));
  const hold = run();
  vi.advanceTimersByTime(3000);
  hold();
  vi.advanceTimersByTime(60_000);
  expect(ended).toBe(0);
  run();
  vi.advanceTimersByTime(1999);
  expect(ended).toBe(0);
  vi.advanceTimersByTime(1);
  expect(ended).toBe(1);
});
