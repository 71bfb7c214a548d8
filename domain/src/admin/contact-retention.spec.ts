import { expect, test } from 'vitest';
import { builtInRetention, decideRetention } from './contact-retention.ts';

const change = { months: 12, expectedVersion: 0, by: 'ada' };

test('a new period is recorded with the next version', () => {
  expect(decideRetention(change, builtInRetention)).toEqual({
    ok: true,
    value: [{ type: 'ContactRetentionChanged', version: 1, months: 12, by: 'ada' }],
  });
  expect(decideRetention({ ...change, months: null }, builtInRetention)).toMatchObject({
    value: [{ months: null }],
  });
});

test('the same period records nothing, also after a lost answer', () => {
  expect(decideRetention(change, { version: 1, months: 12 })).toEqual({ ok: true, value: [] });
});

test('a save that did not see the newest period is refused', () => {
  expect(decideRetention(change, { version: 3, months: 36 })).toEqual({
    ok: false,
    rejection: { code: 'ChangedMeanwhile' },
  });
});

test.each([2, 121, 0, -1, 6.5, Number.NaN])('%s months are refused', (months) => {
  expect(decideRetention({ ...change, months }, builtInRetention)).toMatchObject({
    rejection: { code: 'MonthsOutOfRange' },
  });
});
