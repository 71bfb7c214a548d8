import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Day, daysBetween } from '../day.ts';
import type { Horizon } from './books.ts';
import { calendarOf, createDayFinder, type DayStart, postingDay, windowOf } from './calendar.ts';

/** In UTC. */
const daysAt = (hour: string): readonly DayStart[] =>
  daysBetween('2026-10-01' as Day, '2026-12-31' as Day).map((day) => ({ day, startsAt: `${day}T${hour}:00:00` }));

const inLosAngeles = daysAt('07');
const inHonolulu = daysAt('10');
const inNewYork = daysAt('04');
const october = { through: '2026-10-31' as Day, endsAt: '2026-11-01T07:00:00.000Z', horizon: { epoch: 1, xid: '900' } };
const november = {
  through: '2026-11-30' as Day,
  endsAt: '2026-12-01T07:00:00.000Z',
  horizon: { epoch: 1, xid: '1200' },
};

describe('the day of an instant', () => {
  const dayOf = createDayFinder(inLosAngeles);

  test('begins with its first instant, in any order of calls', () => {
    expect(dayOf('2026-10-31T07:00:00Z')).toBe('2026-10-31');
    expect(dayOf('2026-10-31T06:59:59.999999Z')).toBe('2026-10-30');
    expect(dayOf('2026-10-31T07:00:00.000001Z')).toBe('2026-10-31');
    expect(dayOf('2026-12-31T23:00:00Z')).toBe('2026-12-31');
    expect(dayOf('2026-10-01T07:00:00.000Z')).toBe('2026-10-01');
  });

  test('is unknown before the first day', () => {
    expect(() => createDayFinder(inLosAngeles)('2026-09-01T00:00:00Z')).toThrow(RangeError);
  });

  test.each([
    ['west', inHonolulu],
    ['east', inNewYork],
  ])('that was closed stays what it was when the business moves %s, and no instant is lost', (_, elsewhere) => {
    const days = calendarOf([
      { starts: inLosAngeles, closing: october },
      { starts: elsewhere, closing: undefined },
    ]);
    const moved = createDayFinder(days);
    expect(moved('2026-11-01T06:59:59Z')).toBe('2026-10-31');
    expect(moved('2026-11-01T07:00:00Z')).toBe('2026-11-01');
    expect(moved('2026-11-02T12:00:00Z')).toBe('2026-11-02');
    expect(days.map(({ day }) => day)).toEqual(daysBetween('2026-10-01' as Day, '2026-12-31' as Day));
    expect(days.map(({ startsAt }) => startsAt)).toEqual(days.map(({ startsAt }) => startsAt).toSorted());
  });
});

describe('the day of posting', () => {
  const closings = [october, november];

  test('is the day itself for an event written before the day was closed', () => {
    expect(postingDay('2026-10-20' as Day, { epoch: 1, xid: '899' }, closings)).toBe('2026-10-20');
  });

  test('is the first day that was open when a late event was written', () => {
    expect(postingDay('2026-10-20' as Day, { epoch: 1, xid: '900' }, closings)).toBe('2026-11-01');
    expect(postingDay('2026-10-20' as Day, { epoch: 1, xid: '1200' }, closings)).toBe('2026-12-01');
    expect(postingDay('2026-12-24' as Day, { epoch: 1, xid: '1200' }, closings)).toBe('2026-12-24');
  });

  test('handles a restored ledger, which goes on with smaller transaction ids', () => {
    expect(postingDay('2026-10-20' as Day, { epoch: 2, xid: '7' }, closings)).toBe('2026-12-01');
    expect(postingDay('2026-10-20' as Day, { epoch: 1, xid: '89' }, closings)).toBe('2026-10-20');
  });
});

const someDay = fc.constantFrom(...daysBetween('2026-10-01' as Day, '2026-12-30' as Day));
const somePlace = fc.record({
  epoch: fc.integer({ min: 1, max: 2 }),
  xid: fc.integer({ min: 1, max: 2000 }).map(String),
});

test('a window holds exactly the events that are posted in its days, for any history of closings', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(someDay, { maxLength: 4 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 2000 }), { minLength: 4, maxLength: 4 }),
      fc.record({
        range: fc.tuple(someDay, someDay),
        events: fc.array(fc.record({ day: someDay, place: somePlace }), { maxLength: 30 }),
      }),
      (closedDays, xids, { range, events }) => {
        const horizons = xids.toSorted((first, second) => first - second);
        const closings = closedDays.toSorted().map((through, index) => ({
          through,
          horizon: { epoch: 1, xid: String(horizons[index]) },
        }));
        const [from = '' as Day, to = '' as Day] = range.toSorted();
        const window = windowOf({ from, to }, inLosAngeles, closings);
        for (const { day, place } of events) {
          const happenedAt = `${day}T12:00:00Z`;
          const isIn =
            happenedAt < window.endsAt &&
            (window.writtenBefore === undefined || comesBefore(place, window.writtenBefore)) &&
            (happenedAt >= window.startsAt ||
              (window.orWrittenFrom !== undefined && !comesBefore(place, window.orWrittenFrom)));
          const postedOn = postingDay(day, place, closings);
          expect(isIn).toBe(postedOn >= from && postedOn <= to);
        }
      },
    ),
  );
});

test('a later closing does not change days that are closed already', () => {
  fc.assert(
    fc.property(someDay, somePlace, (day, place) => {
      const before = postingDay(day, place, [october]);
      const after = postingDay(day, place, [october, november]);
      expect(before <= october.through).toBe(after <= october.through);
      if (before <= october.through) expect(after).toBe(before);
    }),
  );
});

function comesBefore(first: Horizon, second: Horizon): boolean {
  return first.epoch === second.epoch ? Number(first.xid) < Number(second.xid) : first.epoch < second.epoch;
}
