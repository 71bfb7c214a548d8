import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countdown } from './countdown.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a countdown ends when its time has run out', () => {
  let ended = 0;
  const run = countdown(5000, () => (ended += 1));
  run();
  vi.advanceTimersByTime(4999);
  expect(ended).toBe(0);
  vi.advanceTimersByTime(1);
  expect(ended).toBe(1);
});

test('a paused countdown keeps its remaining time', () => {
  let ended = 0;
  const run = countdown(5000, () => (ended += 1));
  const pause = run();
  vi.advanceTimersByTime(3000);
  pause();
  vi.advanceTimersByTime(60_000);
  expect(ended).toBe(0);
  run();
  vi.advanceTimersByTime(1999);
  expect(ended).toBe(0);
  vi.advanceTimersByTime(1);
  expect(ended).toBe(1);
});
