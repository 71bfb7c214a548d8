import { describe, expect, test } from 'vitest';
import { arrivalOf, instantOf } from './reported-instant.ts';

const now = new Date('2026-11-01T07:00:07.000Z');
const placed = '2026-11-01T06:29:00.000Z';

describe('the instant of a fact is', () => {
  test.each<[string, string | undefined, string | undefined, string]>([
    ['the one that Square reports', '2026-11-01T06:30:02.000Z', placed, '2026-11-01T06:30:02.000Z'],
    [
      'the one of Square also from minutes before the order, by skewed clocks',
      '2026-11-01T06:15:00Z',
      placed,
      '2026-11-01T06:15:00.000Z',
    ],
    [
      'the one of Square for a refund that is found a year later',
      '2025-11-02T07:00:00Z',
      undefined,
      '2025-11-02T07:00:00.000Z',
    ],
    ['now, when Square reports none', undefined, placed, now.toISOString()],
    ['now, when it cannot be read', 'soon', placed, now.toISOString()],
    ['now, when it lies in the future', '2026-11-01T07:00:08.000Z', placed, now.toISOString()],
    ['now, when it lies before the order', '2026-11-01T06:13:59.000Z', placed, now.toISOString()],
    ['now, when it lies long ago', '2025-09-01T07:00:00Z', undefined, now.toISOString()],
  ])('%s', (...[, at, notBefore, expected]) => {
    expect(instantOf({ at, notBefore }, now).toISOString()).toBe(expected);
  });
});

test.each([
  ['2026-11-03T20:00:00.000Z', '2026-11-03T20:00:00.000Z'],
  ['2026-10-29T19:00:00.000Z', '2026-10-29T19:00:00.000Z'],
  ['2026-11-09T20:00:00.000Z', now.toISOString()],
  ['2024-11-09T20:00:00.000Z', now.toISOString()],
])('a payout that arrives at %s is dated %s: at most a week ahead', (noon, expected) => {
  expect(arrivalOf(new Date(noon), now).toISOString()).toBe(expected);
});
