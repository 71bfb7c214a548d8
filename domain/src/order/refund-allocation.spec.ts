import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cents, sumCents } from '../money.ts';
import type { RugCharges } from '../quote.ts';
import {
  afterwards,
  allocate,
  fitChosenLines,
  isSameAllocation,
  noRugCharges,
  type OrderCharges,
  rugTotal,
  splitOf,
  totalOf,
  withBack,
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

  test('below chosen charges is shared among them too', () => {
    const charge = (name: keyof RugCharges, amount: number) => ({ rugIndex: 1, charge: name, amount: cents(amount) });
    const rug = (amount: number) => ({ rugIndex: 0, amount: cents(amount) });
    const all = {
      rugs: [rug(100)],
      charges: [charge('greenPad', 60), charge('salesTax', 20)],
      deliveryMinimum: cents(40),
    };
    expect(fitChosenLines(all, cents(110))).toEqual({
      rugs: [rug(50)],
      charges: [charge('greenPad', 30), charge('salesTax', 10)],
      deliveryMinimum: 20,
    });
  });

  test('above the chosen lines leaves them unchanged', () => {
    expect(fitChosenLines(chosen, cents(500))).toEqual(chosen);
  });
});

test('what was refunded and is taken back is left again', () => {
  fc.assert(
    fc.property(orders, fc.nat(), (left, wanted) => {
      const allocation = allocate(left, cents(wanted % (totalOf(left) + 1)), nothingChosen);
      expect(withBack(afterwards(left, allocation), allocation)).toEqual(left);
    }),
  );
});

test('the same money of one rug for other charges is another allocation', () => {
  const of = (name: keyof RugCharges) => {
    return { rugs: [{ rugIndex: 0, charges: { ...noRugCharges, [name]: cents(100) } }], deliveryMinimum: cents(0) };
  };
  expect(isSameAllocation(of('base'), of('base'))).toBe(true);
  expect(isSameAllocation(of('base'), of('greenPad'))).toBe(false);
});

test('never exceeds the rest, and the error names what is exceeded', () => {
  const left: OrderCharges = { rugs: [{ ...noRugCharges, base: cents(100) }], deliveryMinimum: cents(10) };
  const ofRug = (rugIndex: number, amount: number) => ({
    rugs: [{ rugIndex, amount: cents(amount) }],
    deliveryMinimum: cents(0),
  });
  const ofRange = (text: string) => new RangeError(text);
  expect(() => allocate(left, cents(111), nothingChosen)).toThrow(ofRange('More than is left of an order'));
  expect(() => allocate(left, cents(99), ofRug(0, 100))).toThrow(ofRange('More than is left of an order'));
  expect(() => allocate(left, cents(101), ofRug(0, 101))).toThrow(ofRange('More than is left of a rug'));
  expect(() => allocate(left, cents(1), ofRug(1, 1))).toThrow(ofRange('More than is left of a rug'));
  const more = { rugs: [], deliveryMinimum: cents(11) };
  expect(() => afterwards(left, more)).toThrow(ofRange('A charge was refunded for more than it was'));
});
