import { integer, property, assert as verify } from 'fast-check';
import { expect, test } from 'vitest';
import { decimalPercent, type Millipercent, parsePercent } from './percent.ts';

test.each([
  ['9.75', 9_750],
  ['9.875 %', 9_875],
  ['9.875%', 9_875],
  [9.875, 9_875],
  [0.001, 1],
  ['0', 0],
  [30, 30_000],
])('%j is %i thousandths of a percent', (value, expected) => {
  expect(parsePercent(value)).toBe(expected);
});

test.each(['', '%', '9,75', '9.8755', '-1', '1e1', 'ten', '.5', '1000', Number.NaN, Number.POSITIVE_INFINITY])(
  '%j is no percentage',
  (value) => {
    expect(parsePercent(value)).toBeUndefined();
  },
);

test('a percentage is written with the decimals that it needs, and read back as it was', () => {
  expect(([9_750, 9_875, 10_000, 1, 0] as Millipercent[]).map(decimalPercent)).toEqual([
    ...['9.75', '9.875', '10', '0.001', '0'],
  ]);
  verify(
    property(integer({ min: 0, max: 999_999 }), (rate) => {
      const written = decimalPercent(rate as Millipercent);
      expect([parsePercent(written), parsePercent(Number(written))]).toEqual([rate, rate]);
    }),
  );
});
