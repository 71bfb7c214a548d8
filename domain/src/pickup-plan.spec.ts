import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyContact, type PickupWindow, pickupWindows } from './contact.ts';
import { type Day, dayAfter, daysFrom, weekdayOf, weekdays } from './day.ts';
import {
  builtInPickupPlan,
  daysOfPickup,
  eachWeekday,
  isServed,
  latestPickupDays,
  type PickupPlan,
  pickupErrors,
  windowsOfAnyDay,
  windowsOn,
} from './pickup-plan.ts';

/** A Monday. */
const today = '2026-11-30' as Day;
const anywhere = builtInPickupPlan;
/** Monday to Friday, in the evening only on Thursdays, closed on December 2 and around Christmas. */
const westLa: PickupPlan = {
  zipCodes: ['90025', '913'],
  windows: {
    ...eachWeekday(() => ['morning', 'afternoon']),
    ...{ thursday: ['evening'], saturday: [], sunday: [] },
  },
  mostPerDay: 1,
  closedDays: [
    { from: '2026-12-02', to: '2026-12-02' },
    { from: '2026-12-24', to: '2027-01-03' },
  ],
};
const dropOffSites = [{ name: 'West LA' }, { name: 'Valley' }];

function errorsOf(typed: Partial<typeof emptyContact>, plan = westLa, fullDays: readonly string[] = []) {
  return pickupErrors({ ...emptyContact, ...typed }, { plan, dropOffSites, today, fullDays });
}

describe('until an owner sets a plan', () => {
  test('every ZIP code is served, at any time', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{5}$/), fc.constantFrom(...pickupWindows), (zipCode, pickupWindow) => {
        expect(errorsOf({ zipCode, pickupWindow }, anywhere)).toEqual({});
      }),
    );
  });

  test('the five days after today are offered', () => {
    expect(daysOfPickup(anywhere, today, []).map((day) => daysFrom(today, day))).toEqual([1, 2, 3, 4, 5]);
  });

  test('a day may be today, when the customer pays after midnight, and one day ahead, when her clock is', () => {
    for (const pickupDay of ['', '2026-11-30', '2026-12-01', '2026-12-05', '2026-12-06']) {
      expect(errorsOf({ pickupDay }, anywhere)).toEqual({});
    }
  });
});

test.each([
  ['1999-01-01', 'This pickup day is over. Please choose another one'],
  ['2026-11-29', 'This pickup day is over. Please choose another one'],
  ['2026-12-07', 'Please choose a pickup day of the next 5 days'],
  ['2026-12-02', 'We do not come on this day. Please choose another one'],
  ['2026-12-05', 'We do not come on this day. Please choose another one'],
  ['2026-12-04', 'This day is full. Please choose another one'],
  ['2026-12-01', undefined],
])('a pickup on %s: %s', (pickupDay, message) => {
  expect(errorsOf({ pickupDay }, westLa, ['2026-12-04']).pickupDay).toBe(message);
});

describe('the area', () => {
  test.each(['90025', '90025-1234', 'CA 90025', '91304'])('%s is served', (zipCode) => {
    expect(errorsOf({ zipCode })).toEqual({});
  });

  test('another ZIP code is told where rugs can be brought', () => {
    expect(errorsOf({ zipCode: '10001-0001' })).toEqual({
      zipCode: 'We do not drive to 10001. Drop-off is free: West LA, Valley.',
    });
    const limits = { plan: westLa, dropOffSites: [], today, fullDays: [] };
    expect(pickupErrors({ ...emptyContact, zipCode: '10001' }, limits)).toEqual({
      zipCode: 'We do not drive to 10001. Drop-off is free.',
    });
  });

  test.each(['', '1000', 'somewhere'])('%j has the message of its field alone', (zipCode) => {
    expect(errorsOf({ zipCode })).toEqual({});
  });
});

test.each([
  ['2026-12-03', 'morning', false],
  ['2026-12-03', 'evening', true],
  ['2026-12-01', 'evening', false],
  ['', 'evening', true],
])('on %j in the %s, the shop comes: %s', (pickupDay, pickupWindow, comes) => {
  const message = 'We do not come at this time. Please choose another one';
  expect(errorsOf({ pickupDay, pickupWindow })).toEqual(comes ? {} : { pickupWindow: message });
});

test('a time that is driven on no day is not offered for any day', () => {
  const mornings = { ...westLa, windows: eachWeekday(() => ['morning'] as const) };
  expect(windowsOfAnyDay(mornings)).toEqual(['morning']);
  expect(errorsOf({ pickupWindow: 'evening' }, mornings)).toHaveProperty('pickupWindow');
});

const someDay = fc
  .date({ min: new Date('2024-01-01'), max: new Date('2037-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10) as Day);
const somePlan: fc.Arbitrary<PickupPlan> = fc.record({
  zipCodes: fc.array(fc.stringMatching(/^\d{3,5}$/), { maxLength: 5 }),
  windows: fc
    .array(fc.subarray<PickupWindow>([...pickupWindows]), { minLength: 7, maxLength: 7 })
    .map((drawn) => eachWeekday((weekday) => drawn[weekdays.indexOf(weekday)] ?? [])),
  mostPerDay: fc.option(fc.integer({ min: 1, max: 20 })),
  closedDays: fc.array(
    fc.tuple(someDay, someDay).map(([from, to]) => (from < to ? { from, to } : { from: to, to: from })),
    { maxLength: 3 },
  ),
});

describe('of every plan', () => {
  test('the server accepts each day and time that the form offers, also a day later, and no other day', () => {
    fc.assert(
      fc.property(somePlan, someDay, fc.nat({ max: 4 }), (plan, day, full) => {
        const [fullDay = ''] = daysOfPickup(plan, day, []).slice(full);
        const offered = daysOfPickup(plan, day, [fullDay]);
        const next = Array.from({ length: latestPickupDays }).reduce<Day[]>(
          (days) => [...days, dayAfter(days.at(-1) ?? day)],
          [],
        );
        for (const pickupDay of next) {
          for (const serverToday of [day, dayAfter(day)]) {
            const limits = { plan, dropOffSites, today: serverToday, fullDays: [fullDay] };
            const refused = 'pickupDay' in pickupErrors({ ...emptyContact, pickupDay }, limits);
            expect(refused).toBe(!offered.includes(pickupDay));
          }
          for (const pickupWindow of windowsOn(plan, pickupDay)) {
            const limits = { plan, dropOffSites, today: day, fullDays: [] };
            expect(pickupErrors({ ...emptyContact, pickupDay, pickupWindow }, limits)).toEqual({});
          }
        }
      }),
    );
  });

  test('no offered day is closed, full or a weekday without a window', () => {
    fc.assert(
      fc.property(somePlan, someDay, fc.array(someDay), (plan, day, fullDays) => {
        for (const offered of daysOfPickup(plan, day, fullDays)) {
          expect(fullDays).not.toContain(offered);
          expect(plan.windows[weekdayOf(offered)].length).toBeGreaterThan(0);
          expect(plan.closedDays.some(({ from, to }) => from <= offered && offered <= to)).toBe(false);
        }
      }),
    );
  });

  test('a ZIP code is served exactly if one of the codes begins it, or there are none', () => {
    fc.assert(
      fc.property(somePlan, fc.stringMatching(/^\d{5}$/), (plan, zipCode) => {
        const prefixes = [3, 4, 5].map((length) => zipCode.slice(0, length));
        const expected = plan.zipCodes.length === 0 || plan.zipCodes.some((code) => prefixes.includes(code));
        expect(isServed(plan, zipCode)).toBe(expected);
        expect(isServed({ zipCodes: [zipCode.slice(0, 3)] }, zipCode)).toBe(true);
      }),
    );
  });
});
