import { expect, test } from 'vitest';
import { type Day, dayAfter, dayBefore, daysBetween, daysFrom, firstOfMonth, parseDay, weekdayOf } from './day.ts';

test.each(['2026-02-28', '2024-02-29', '2000-02-29', '2026-12-31'])('%s is a day', (text) => {
  expect(parseDay(text)).toBe(text);
});

test.each(['2026-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-1-01', 'today', ''])(
  '%s is not a day',
  (text) => {
    expect(parseDay(text)).toBeUndefined();
  },
);

test('days follow each other as in the calendar', () => {
  const leap = [...daysBetween('2024-01-01' as Day, '2024-12-31' as Day)];
  expect(leap.length).toBe(366);
  for (const day of leap) {
    const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
    expect(dayAfter(day)).toBe(next);
    const weekday = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long' }).format(Date.parse(day));
    expect(weekdayOf(day)).toBe(weekday.toLowerCase());
  }
  expect(daysBetween('2026-01-02' as Day, '2026-01-01' as Day)).toEqual([]);
});

test('days are counted as they follow each other', () => {
  const first = '1999-12-30' as Day;
  for (const [index, day] of daysBetween(first, '2004-03-02' as Day).entries()) {
    expect(daysFrom(first, day)).toBe(index);
    expect(dayAfter(dayBefore(day))).toBe(day);
  }
  expect(daysFrom('2026-03-01' as Day, '2026-02-28' as Day)).toBe(-1);
  expect(firstOfMonth('2026-02-28' as Day)).toBe('2026-02-01');
});
