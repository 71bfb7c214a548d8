import { describe, expect, test } from 'vitest';
import type { Day } from '../day.ts';
import {
  type Books,
  type BooksEvent,
  type ClosePeriod,
  chartOn,
  decideClosing,
  decideNames,
  evolve,
  newBooks,
} from './books.ts';
import { usualChart } from './chart.ts';

const endOfSeptember = '2026-09-30' as Day;
const endOfOctober = '2026-10-31' as Day;
const midNovember = '2026-11-14' as Day;

const closeOctober: ClosePeriod = {
  through: endOfOctober,
  timeZone: 'America/Los_Angeles',
  endsAt: '2026-11-01T07:00:00.000Z',
  horizon: { epoch: 1, xid: '900' },
  by: 'ada',
  today: midNovember,
};

const { today: _, ...octoberClosed } = closeOctober;
const closed: BooksEvent = { type: 'PeriodClosed', ...octoberClosed, chart: usualChart };
const renamed = { ...usualChart, taxRate: 'No tax' };

const books = (...events: readonly BooksEvent[]): Books => events.reduce(evolve, newBooks);

describe('closing', () => {
  test('closes every day up to one, and records the time zone, the horizon and the names of accounts', () => {
    expect(decideClosing(closeOctober, newBooks)).toEqual({ ok: true, value: closed });
  });

  test('a second time through the same day changes nothing', () => {
    expect(decideClosing({ ...closeOctober, horizon: { epoch: 1, xid: '999' } }, books(closed))).toEqual({
      ok: true,
      value: undefined,
    });
  });

  test('never opens a closed day', () => {
    expect(decideClosing({ ...closeOctober, through: endOfSeptember }, books(closed))).toEqual({
      ok: false,
      rejection: { code: 'AlreadyClosed', through: endOfOctober },
    });
  });

  test.each([midNovember, '2026-11-30' as Day])('refuses a day that is not over: %s', (through) => {
    expect(decideClosing({ ...closeOctober, through }, newBooks)).toEqual({
      ok: false,
      rejection: { code: 'NotOver', through, today: midNovember },
    });
  });
});

describe('names of accounts', () => {
  test('are saved together, unless the books changed since the administrator read them', () => {
    const command = { chart: renamed, expectedVersion: 0, by: 'ada' };
    expect(decideNames(command, newBooks)).toEqual({
      ok: true,
      value: { type: 'AccountsNamed', chart: renamed, by: 'ada' },
    });
    expect(decideNames(command, books(closed))).toEqual({
      ok: false,
      rejection: { code: 'ChangedMeanwhile', expected: 0, current: 1 },
    });
  });

  test('that are unchanged record nothing, from any version', () => {
    expect(decideNames({ chart: usualChart, expectedVersion: 9, by: 'ada' }, newBooks)).toEqual({
      ok: true,
      value: undefined,
    });
  });

  test('of a closed day stay as they were when it was closed', () => {
    const after = books(closed, { type: 'AccountsNamed', chart: renamed, by: 'ada' });
    expect(chartOn(endOfOctober, after)).toBe(usualChart);
    expect(chartOn(endOfSeptember, after)).toBe(usualChart);
    expect(chartOn('2026-11-01' as Day, after)).toBe(renamed);
  });
});
