import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cents, noCents } from '../money.ts';
import {
  allowedNow,
  approversOf,
  builtInRefundLimits,
  checkLimits,
  type RefundLimit,
  type RefundLimits,
  raisesLimits,
  reachedLimit,
  refundingRoles,
  refundLimitNames,
} from './refund-limits.ts';

const limits = builtInRefundLimits;
const nothing = { byPerson: noCents, byAll: noCents };
const withClerk = (change: Partial<RefundLimit>): RefundLimits => ({
  ...limits,
  clerk: { ...limits.clerk, ...change },
});

describe('limits', () => {
  test.each([
    ['zero', { perRefund: noCents }, { code: 'LimitOutOfRange', role: 'clerk', limit: 'perRefund' }],
    [
      'a day below one refund',
      { perPersonAndDay: cents(49_999) },
      { code: 'LimitsOutOfOrder', limit: 'perPersonAndDay' },
    ],
    [
      'the shop below a person',
      { perShopAndDay: cents(149_999) },
      { code: 'LimitsOutOfOrder', limit: 'perShopAndDay' },
    ],
    [
      'above a million dollars',
      { perShopAndDay: cents(100_000_001) },
      { code: 'LimitOutOfRange', limit: 'perShopAndDay' },
    ],
  ])('are refused with %s', (_, changed, refusal) => {
    expect(checkLimits(limits)).toBeUndefined();
    expect(checkLimits(withClerk(changed))).toMatchObject(refusal);
  });

  test('are raised when one of them is higher, whatever the others are', () => {
    const lower = withClerk({ perRefund: cents(40_000) });
    expect([raisesLimits(limits, lower), raisesLimits(lower, limits), raisesLimits(limits, limits)]).toEqual([
      ...[false, true, false],
    ]);
    expect(raisesLimits(limits, withClerk({ perRefund: cents(60_000), perShopAndDay: cents(400_000) }))).toBe(true);
  });
});

const today = (byPerson: number, byAll: number) => ({ byPerson: cents(byPerson), byAll: cents(byAll) });

test.each([
  ['one refund', reachedLimit(limits.clerk, cents(50_001), nothing), ['perRefund', 50_000, 0]],
  [
    'the person',
    reachedLimit(limits.clerk, cents(50_000), today(100_001, 100_001)),
    ['perPersonAndDay', 150_000, 100_001],
  ],
  ['the shop', reachedLimit(limits.clerk, cents(50_000), today(0, 450_001)), ['perShopAndDay', 500_000, 450_001]],
])('a refund stops at the limit of %s', (_, reached, [limit, most, used]) => {
  expect(reached).toEqual({ limit, most, used });
});

const amount = fc.integer({ min: 1, max: 200_000 }).map(cents);
const person = fc.constantFrom('ada', 'ben', 'cy');
const step = fc.record({ person, amount, fails: fc.boolean() });
const limit = fc
  .tuple(amount, amount, amount)
  .map((values) => values.toSorted((a, b) => a - b))
  .map(([perRefund = cents(1), perPersonAndDay = cents(1), perShopAndDay = cents(1)]) => ({
    ...{ perRefund, perPersonAndDay, perShopAndDay },
  }));

test('no sequence of refunds, some of which fail, exceeds a limit, and what is allowed now is exact', () => {
  fc.assert(
    fc.property(limit, fc.array(step, { maxLength: 40 }), (most, steps) => {
      const given = new Map<string, number>();
      const all = () => [...given.values()].reduce((sum, value) => sum + value, 0);
      for (const each of steps) {
        const refunded = today(given.get(each.person) ?? 0, all());
        const reached = reachedLimit(most, each.amount, refunded);
        expect(reached === undefined).toBe(each.amount <= allowedNow(most, refunded));
        if (reached !== undefined || each.fails) continue;
        given.set(each.person, (given.get(each.person) ?? 0) + each.amount);
        expect(each.amount).toBeLessThanOrEqual(most.perRefund);
        expect(given.get(each.person)).toBeLessThanOrEqual(most.perPersonAndDay);
        expect(all()).toBeLessThanOrEqual(most.perShopAndDay);
      }
    }),
  );
});

test('those who may refund more are named, with what they have refunded today', () => {
  const others = [
    { displayName: 'Ada', role: 'owner', refundedToday: noCents },
    { displayName: 'Tired Tom', role: 'owner', refundedToday: cents(2_000_000) },
    { displayName: 'Ben', role: 'clerk', refundedToday: noCents },
    { displayName: 'Cy', role: 'accountant', refundedToday: noCents },
  ] as const;
  expect(approversOf(limits, { amount: cents(50_001), byAll: noCents }, others)).toEqual(['Ada']);
  expect(approversOf(limits, { amount: cents(50_000), byAll: noCents }, others)).toEqual(['Ada', 'Ben']);
  expect(approversOf(limits, { amount: cents(50_000), byAll: cents(4_000_000) }, others)).toEqual([]);
});

test('the built-in limits of each role are in order', () => {
  for (const role of refundingRoles) {
    const values = refundLimitNames.map((name) => limits[role][name]);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
  }
});
