import { expect, test } from 'vitest';
import { presetsOn, rangeOf, rangeOfFile } from './day-range.ts';

test('the ranges are whole months, quarters and years, also across the turn of a year', () => {
  expect(presetsOn('2026-11-21')).toEqual({
    thisMonth: { from: '2026-11-01', to: '2026-11-30' },
    lastMonth: { from: '2026-10-01', to: '2026-10-31' },
    thisQuarter: { from: '2026-10-01', to: '2026-12-31' },
    lastQuarter: { from: '2026-07-01', to: '2026-09-30' },
    thisYear: { from: '2026-01-01', to: '2026-12-31' },
    lastYear: { from: '2025-01-01', to: '2025-12-31' },
  });
  expect(presetsOn('2024-03-31').lastMonth).toEqual({ from: '2024-02-01', to: '2024-02-29' });
  expect(presetsOn('2026-01-01')).toMatchObject({
    lastMonth: { from: '2025-12-01', to: '2025-12-31' },
    lastQuarter: { from: '2025-10-01', to: '2025-12-31' },
  });
});

test('an invalid address means last month', () => {
  const lastMonth = { from: '2026-10-01', to: '2026-10-31' };
  for (const search of [{}, { from: '2026-10-01' }, { from: 'x', to: 'y' }, { from: '2026-13-01', to: '2026-10-01' }]) {
    expect(rangeOf(search, '2026-11-21')).toEqual(lastMonth);
  }
  expect(rangeOf({ from: '2026-05-02', to: '2026-05-01' }, '2026-11-21')).toEqual({
    from: '2026-05-01',
    to: '2026-05-02',
  });
});

test('the name of a file tells its days, also of a part of a period', () => {
  const days = { from: '2026-11-01', to: '2026-11-15' };
  expect(rangeOfFile('kilim-general-ledger-2026-11-01-to-2026-11-15.csv')).toEqual(days);
  expect(rangeOfFile('kilim-events-2026-11-01-to-2026-11-15.jsonl')).toEqual(days);
  expect(rangeOfFile('kilim-note-7.txt')).toBeUndefined();
});
