import { expect, test } from 'vitest';
import { tierOffers, tiers } from '../catalog.ts';
import type { Day } from '../day.ts';
import { dueDay, turnaroundDays } from './due.ts';

test.each(tiers)('%s is due after the days that its features promise', (tier) => {
  expect(tierOffers[tier].features).toContain(`${turnaroundDays[tier]}-day turnaround`);
});

test('days go on into the next month', () => {
  expect(dueDay('premium', '2026-11-29' as Day)).toBe('2026-12-02');
  expect(dueDay('economy', '2026-12-28' as Day)).toBe('2027-01-04');
});
