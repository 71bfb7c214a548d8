import { tierComparison } from '@kilim/domain/tier-comparison';
import { anything, assert, property } from 'fast-check';
import { expect, test } from 'vitest';
import { comparisonOf } from './comparison.ts';

test('the built-in words stand in for all that is missing', () => {
  expect(comparisonOf(undefined)).toEqual(tierComparison);
  expect(comparisonOf(tierComparison)).toEqual(tierComparison);
});

test('each cell falls back on its own', () => {
  const { rows, recommendations, experience } = comparisonOf({
    rows: { washProcess: { premium: 'By moonlight', midrange: 7, economy: ' ' }, tierPerks: 'none' },
    recommendations: { economy: 'Doormats' },
    experience: { title: 'Ages' },
  });
  expect(rows).toEqual({
    ...tierComparison.rows,
    washProcess: { ...tierComparison.rows.washProcess, premium: 'By moonlight' },
  });
  expect(recommendations).toEqual({ ...tierComparison.recommendations, economy: 'Doormats' });
  expect(experience).toEqual(tierComparison.experience);
});

test('no setting leaves a cell without words', () => {
  assert(
    property(anything(), (given) => {
      const words = Object.values(comparisonOf({ rows: given }).rows).flatMap((row) => Object.values(row));
      expect(words.every((text) => text.trim() !== '')).toBe(true);
    }),
  );
});
