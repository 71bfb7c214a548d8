import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cents, sumCents } from '../money.ts';
import type { RugCharges } from '../quote.ts';
import {
  afterwards,
  allocate,
  fitChosenLines,
  type OrderCharges,
  rugTotal,
  splitOf,
  totalOf,
} from './refund-allocation.ts';

const amount = fc.integer({ min: 0, max: 100_000 }).map(cents);
const charges = fc.record<RugCharges>({
  base: amount,
  delivery: amount,
  stainProtection: amount,
  greenPad: amount,
  salesTax: amount,
});
const orders = fc.record<OrderCharges>({
  rugs: fc.array(charges, { minLength: 1, maxLength: 6 }),
  deliveryMinimum: amount,
});
const nothingChosen = { rugs: [], deliveryMinimum: cents(0) };

test('the allocation and the rest add up to the charges, one by one', () => {
  fc.assert(
    fc.property(orders, fc.nat(), (left, wanted) => {
      const taken = cents(wanted % (totalOf(left) + 1));
      const allocation = allocate(left, taken, nothingChosen);
      expect(sumCents(Object.values(splitOf(allocation)))).toBe(taken);
      expect(totalOf(afterwards(left, allocation))).toBe(totalOf(left) - taken);
    }),
  );
});

test('a chosen rug is refunded from its own charges, completely if all of it is refunded', () => {
  fc.assert(
    fc.property(orders, (left) => {
      const whole = rugTotal(left.rugs[0] ?? expect.fail('no rug'));
      const chosen = { rugs: [{ rugIndex: 0, amount: whole }], deliveryMinimum: cents(0) };
      const allocation = allocate(left, whole, chosen);
      expect(allocation.rugs).toEqual(whole === 0 ? [] : [{ rugIndex: 0, charges: left.rugs[0] }]);
    }),
  );
});

describe('an amount that was typed by hand', () => {
  const chosen = {
    rugs: [
      { rugIndex: 0, amount: cents(100) },
      { rugIndex: 2, amount: cents(50) },
    ],
    deliveryMinimum: cents(50),
  };

  test('below the chosen lines is shared among them in proportion', () => {
    expect(fitChosenLines(chosen, cents(101))).toEqual({
      rugs: [
        { rugIndex: 0, amount: 51 },
        { rugIndex: 2, amount: 25 },
      ],
      deliveryMinimum: 25,
    });
  });

  test('above the chosen lines leaves them unchanged', () => {
    expect(fitChosenLines(chosen, cents(500))).toEqual(chosen);
  });
});

test('never exceeds the rest', () => {
  const left: OrderCharges = {
    rugs: [{ base: cents(100), delivery: cents(0), stainProtection: cents(0), greenPad: cents(0), salesTax: cents(0) }],
    deliveryMinimum: cents(10),
  };
  expect(() => allocate(left, cents(111), nothingChosen)).toThrow(RangeError);
  const tooMuchOfOne = { rugs: [{ rugIndex: 0, amount: cents(101) }], deliveryMinimum: cents(0) };
  expect(() => allocate(left, cents(101), tooMuchOfOne)).toThrow(RangeError);
});
