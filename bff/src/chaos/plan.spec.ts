import { expect, test } from 'vitest';
import { planOf } from './plan.ts';

test('a seed gives the same plan again, and another seed another one', () => {
  expect(planOf(7)).toEqual(planOf(7));
  expect(planOf(7)).not.toEqual({ ...planOf(8), seed: 7 });
});

test('every buyer ends with a card that pays', () => {
  const last = Array.from({ length: 200 }, (_, seed) => planOf(seed)).flatMap(({ buyers }) =>
    buyers.map(({ cards }) => cards.at(-1)),
  );
  expect(new Set(last)).toEqual(new Set(['ok', 'ok-mastercard', 'refund-rejected']));
});

test('among some hundred plans everything goes wrong that can', () => {
  const kinds = Array.from({ length: 300 }, (_, seed) => planOf(seed)).flatMap(({ disasters }) =>
    disasters.map(({ kind }) => kind),
  );
  expect(new Set(kinds).size).toBe(9);
});
