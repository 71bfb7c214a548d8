import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cents,
  decimalDollars,
  formatDollars,
  parseDollars,
  proportionHalfUp,
  shareByLargestRemainder,
  sumCents,
  toDollars,
} from './money.ts';

const amounts = fc.integer({ min: 0, max: 999_999_999 }).map(cents);

describe('cents', () => {
  test('a fraction of a cent is a bug, not an amount', () => {
    expect(() => cents(0.5)).toThrow(RangeError);
    expect(() => cents(Number.NaN)).toThrow(RangeError);
    expect(() => cents(2 ** 53)).toThrow(RangeError);
  });
});

describe('rounding half up', () => {
  test.each([
    [[7507, 1, 100], 75],
    [[7550, 1, 100], 76],
    [[7549, 1, 100], 75],
    [[0, 195, 144], 0],
    [[72, 1, 144], 1],
    [[71, 1, 144], 0],
    // 134.75 at 9.75 %: 13.138
    [[13_475, 9_750, 100_000], 1_314],
  ] satisfies [[number, number, number], number][])('%j is %i', (factors, expected) => {
    expect(proportionHalfUp(...factors)).toBe(expected);
  });

  test('it is the whole number nearest to the quotient, and the larger one of two, however large the product', () => {
    fc.assert(
      fc.property(
        ...[fc.maxSafeNat(), fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 100_000, max: 1_000_000 })],
        (amount, numerator, denominator) => {
          const rounded = BigInt(proportionHalfUp(amount, numerator, denominator));
          const distance = rounded * BigInt(denominator) - BigInt(amount) * BigInt(numerator);
          expect(2n * distance <= BigInt(denominator) && 2n * distance > -BigInt(denominator)).toBe(true);
        },
      ),
    );
  });

  test.each([
    [0.5, 1, 1],
    [1, -1, 1],
    [1, 1, 0],
  ])('%d * %d / %d is a bug', (amount, numerator, denominator) => {
    expect(() => proportionHalfUp(amount, numerator, denominator)).toThrow(RangeError);
  });
});

describe('shares by largest remainder', () => {
  test('a cent that cannot be halved goes to the first', () => {
    expect(shareByLargestRemainder(cents(101), [1, 1])).toEqual([51, 50]);
  });

  test('the shares add up to the amount, and none is a cent or more from its exact part', () => {
    const weights = fc
      .array(fc.integer({ min: 0, max: 1_440_000 }), { minLength: 1, maxLength: 50 })
      .filter((list) => list.some((weight) => weight > 0));
    fc.assert(
      fc.property(amounts, weights, (amount, list) => {
        const shares = shareByLargestRemainder(amount, list);
        const totalWeight = BigInt(list.reduce((sum, weight) => sum + weight, 0));
        expect(sumCents(shares)).toBe(amount);
        for (const [index, share] of shares.entries()) {
          const distance = BigInt(share) * totalWeight - BigInt(amount) * BigInt(list[index] ?? 0);
          expect(distance < totalWeight && distance > -totalWeight).toBe(true);
        }
      }),
    );
  });

  test('without weights only an amount of zero can be shared', () => {
    expect(shareByLargestRemainder(cents(0), [0, 0])).toEqual([0, 0]);
    expect(() => shareByLargestRemainder(cents(1), [0, 0])).toThrow(RangeError);
  });
});

describe('dollars', () => {
  test.each([
    [0, '$0.00'],
    [5, '$0.05'],
    [75_822, '$758.22'],
    [123_456_789, '$1,234,567.89'],
    [-40_000, '-$400.00'],
  ])('%i cents read %s', (amount, text) => {
    expect(formatDollars(cents(amount))).toBe(text);
  });

  test('an amount survives the wire unchanged, as a number and as text', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parseDollars(toDollars(amount))).toBe(amount);
        expect(parseDollars(decimalDollars(amount))).toBe(amount);
      }),
    );
  });

  test.each([
    ['1.234'],
    ['-1'],
    ['1e3'],
    ['0x10'],
    [''],
    ['12345678'],
    [' '],
    ['1,000'],
    [Number.NaN],
    [null],
    [{}],
    [[1]],
    [true],
    [0.1 + 0.2],
  ])('%j is not an amount', (value) => {
    expect(parseDollars(value)).toBeUndefined();
  });
});
