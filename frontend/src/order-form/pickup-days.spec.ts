import { pickupDayError } from '@kilim/domain/contact';
import { type Day, dayAfter, dayBefore, daysFrom } from '@kilim/domain/day';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysOfPickup, todayIn } from './pickup-days.ts';

const timeZone = 'America/Los_Angeles';
const offeredAt = (instant: string, zone = timeZone) =>
  daysOfPickup(todayIn(zone, new Date(instant))).map(({ day }) => day);

test('pickup is offered on the five days after today, in the shop’s time zone', () => {
  const days = daysOfPickup(todayIn(timeZone, new Date('2026-11-24T05:00:00Z')));
  expect(days.map(({ day }) => day)).toEqual(['2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27', '2026-11-28']);
  expect(days[0]?.text).toBe('Tuesday, November 24');
});

test.each([
  ['when the clocks go back', '2026-10-31T12:00:00Z', timeZone, '2026-11-01', '2026-11-05'],
  ['in the repeated hour', '2026-11-01T09:30:00Z', timeZone, '2026-11-02', '2026-11-06'],
  ['when the clocks go forward', '2027-03-14T10:00:00Z', timeZone, '2027-03-15', '2027-03-19'],
  ['where midnight is skipped', '2026-09-06T04:00:00Z', 'America/Santiago', '2026-09-07', '2026-09-11'],
  ['a minute before the year ends', '2027-01-01T07:59:00Z', timeZone, '2027-01-01', '2027-01-05'],
  ['a minute later', '2027-01-01T08:00:00Z', timeZone, '2027-01-02', '2027-01-06'],
  ['before a leap day', '2028-02-27T20:00:00Z', timeZone, '2028-02-28', '2028-03-03'],
])('no day is missing or twice %s', (_, instant, ...[zone, first, last]) => {
  const days = offeredAt(instant, zone);
  expect([days.length, days[0], days.at(-1)]).toEqual([5, first, last]);
});

const zones = [
  ...[timeZone, 'America/Santiago', 'America/St_Johns', 'Europe/London', 'Asia/Tokyo', 'Asia/Kathmandu'],
  ...['Australia/Lord_Howe', 'Pacific/Apia', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Africa/Cairo', 'UTC'],
];

test('at every instant and in every zone, the offered days follow today and the server accepts them, and no older one', () => {
  const instants = fc.date({ min: new Date('2024-01-01'), max: new Date('2037-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(instants, fc.constantFrom(...zones), (instant, zone) => {
      const today = instant.toLocaleString('sv-SE', { timeZone: zone }).slice(0, 'yyyy-mm-dd'.length) as Day;
      const days = offeredAt(instant.toISOString(), zone);
      expect(days.map((day) => daysFrom(today, day as Day))).toEqual([1, 2, 3, 4, 5]);
      // A payment may come after midnight.
      for (const serverToday of [today, dayAfter(today)]) {
        expect(days.map((day) => pickupDayError(day, serverToday))).toEqual(days.map(() => undefined));
      }
      expect(pickupDayError(dayBefore(today), today)).toBeDefined();
      expect(pickupDayError(days[0] ?? '', dayAfter(dayAfter(today)))).toBeDefined();
    }),
    { numRuns: 1000 },
  );
});
