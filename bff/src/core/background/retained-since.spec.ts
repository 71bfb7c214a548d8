import { expect, test } from 'vitest';
import { retainedSince } from './expire-contacts.ts';

test.each([
  ['2026-11-23T10:00:00.000Z', 24, '2024-11-23T10:00:00.000Z'],
  ['2026-03-31T10:00:00.000Z', 13, '2025-02-28T10:00:00.000Z'],
  ['2026-01-15T00:00:00.000Z', 3, '2025-10-15T00:00:00.000Z'],
])('before %s, %i months begin at %s', (now, months, since) => {
  expect(retainedSince(new Date(now), months).toISOString()).toBe(since);
});
