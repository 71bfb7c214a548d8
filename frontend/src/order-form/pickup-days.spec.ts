import { expect, test } from 'vitest';
import { daysOfPickup } from './pickup-days.ts';

const timeZone = 'America/Los_Angeles';

test('pickup is offered on the five days after today, in the shop’s time zone', () => {
  const days = daysOfPickup(new Date('2026-11-24T05:00:00Z'), timeZone);
  expect(days.map(({ day }) => day)).toEqual(['2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27', '2026-11-28']);
  expect(days[0]?.text).toBe('Tuesday, November 24');
});

test('no day is missing or twice when the clocks change', () => {
  const days = daysOfPickup(new Date('2026-10-31T12:00:00Z'), timeZone);
  expect(days.map(({ day }) => day)).toEqual(['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05']);
});
