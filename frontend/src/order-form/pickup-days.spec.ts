import type { Day } from '@kilim/domain/day';
import { daysOfPickup, type PickupPlan } from '@kilim/domain/pickup-plan';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settingsOf } from '../shared/settings.ts';
import { dayText, planOf, todayIn } from './pickup-days.ts';

const timeZone = 'America/Los_Angeles';
const unset = planOf(settingsOf({}));
const offeredAt = (instant: string, zone: string, plan: PickupPlan = unset) =>
  daysOfPickup(plan, todayIn(zone, new Date(instant)), []);

test.each([
  ['in the shop’s time zone', '2026-11-24T05:00:00Z', timeZone, '2026-11-24', '2026-11-28'],
  ['when the clocks go back', '2026-10-31T12:00:00Z', timeZone, '2026-11-01', '2026-11-05'],
  ['in the repeated hour', '2026-11-01T09:30:00Z', timeZone, '2026-11-02', '2026-11-06'],
  ['when the clocks go forward', '2027-03-14T10:00:00Z', timeZone, '2027-03-15', '2027-03-19'],
  ['where midnight is skipped', '2026-09-06T04:00:00Z', 'America/Santiago', '2026-09-07', '2026-09-11'],
  ['a minute before the year ends', '2027-01-01T07:59:00Z', timeZone, '2027-01-01', '2027-01-05'],
  ['a minute later', '2027-01-01T08:00:00Z', timeZone, '2027-01-02', '2027-01-06'],
  ['before a leap day', '2028-02-27T20:00:00Z', timeZone, '2028-02-28', '2028-03-03'],
])('until a plan is set, the five days after today are offered %s', (_, instant, ...[zone, first, last]) => {
  const days = offeredAt(instant, zone);
  expect([days.length, days[0], days.at(-1)]).toEqual([5, first, last]);
});

test('a day reads as in a calendar', () => {
  expect(dayText('2026-11-24')).toBe('Tuesday, November 24');
});

test('a plan that is not readable offers every day', () => {
  expect(planOf(settingsOf({ pickupPlan: { zipCodes: 'all' } }))).toEqual(unset);
  const closedDays = [{ from: '2026-11-25', to: '2026-11-26' }];
  const plan = planOf(settingsOf({ pickupPlan: { ...unset, zipCodes: ['900'], closedDays } }));
  expect(offeredAt('2026-11-24T05:00:00Z', timeZone, plan)).toEqual(['2026-11-24', '2026-11-27', '2026-11-28']);
});

const zones = [
  ...[timeZone, 'America/Santiago', 'America/St_Johns', 'Europe/London', 'Asia/Tokyo', 'Asia/Kathmandu'],
  ...['Australia/Lord_Howe', 'Pacific/Apia', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Africa/Cairo', 'UTC'],
];

test('today is the day of the shop, at every instant and in every zone', () => {
  const instants = fc.date({ min: new Date('2024-01-01'), max: new Date('2037-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(instants, fc.constantFrom(...zones), (instant, zone) => {
      const today = instant.toLocaleString('sv-SE', { timeZone: zone }).slice(0, 'yyyy-mm-dd'.length) as Day;
      expect(todayIn(zone, instant)).toBe(today);
    }),
    { numRuns: 1000 },
  );
});
