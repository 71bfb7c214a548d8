import { expect, test } from 'vitest';
import { lastEndMs } from './disasters.ts';
import { planOf } from './plan.ts';

test('a seed always gives the same plan, and another seed another plan', () => {
  expect(planOf(7)).toEqual(planOf(7));
  expect(planOf(7)).not.toEqual({ ...planOf(8), seed: 7 });
});

test('every buyer ends with a card that pays', () => {
  const last = Array.from({ length: 200 }, (_, seed) => planOf(seed)).flatMap(({ buyers }) =>
    buyers.map(({ cards }) => cards.at(-1)),
  );
  expect(new Set(last)).toEqual(new Set(['ok', 'ok-mastercard', 'refund-rejected']));
});

test('300 plans contain every kind of disaster', () => {
  const kinds = Array.from({ length: 300 }, (_, seed) => planOf(seed)).flatMap(({ disasters }) =>
    disasters.map(({ kind }) => kind),
  );
  expect(new Set(kinds).size).toBe(20);
});

const isLasting = (kind: string) =>
  ['freeze', 'clock', 'silence', 'crowd', 'revoked', 'break', 'storm', 'full', 'mail'].includes(kind);

test('half of all plans have a fault that lasts, a clock that steps, or a break at an append', () => {
  const plans = Array.from({ length: 1000 }, (_, seed) => planOf(seed));
  const share = plans.filter(({ disasters }) => disasters.some(({ kind }) => isLasting(kind))).length / plans.length;
  expect(share).toBeGreaterThan(0.45);
  expect(share).toBeLessThan(0.65);
});

test('a timed plan has one fault, which is over within 6 s', () => {
  const timed = Array.from({ length: 600 }, (_, seed) => planOf(seed)).filter(({ isTimed }) => isTimed);
  expect(timed.length).toBeGreaterThan(150);
  for (const { disasters } of timed) {
    expect(disasters).toHaveLength(1);
    expect(lastEndMs(disasters)).toBeLessThan(6000);
  }
});
