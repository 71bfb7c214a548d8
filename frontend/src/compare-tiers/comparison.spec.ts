import { tierComparison } from '@kilim/domain/tier-comparison';
import { anything, assert, property } from 'fast-check';
import { expect, test } from 'vitest';
import { comparisonOf } from './comparison.ts';

test('missing settings fall back to the built-in texts', () => {
  expect(comparisonOf(undefined)).toEqual(tierComparison);
  expect(comparisonOf(tierComparison)).toEqual(tierComparison);
});

test('each cell falls back independently', () => {
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

test('no content of the settings leaves a cell empty', () => {
  assert(
    property(anything(), (given) => {
      const words = Object.values(comparisonOf({ rows: given }).rows).flatMap((row) => Object.values(row));
      expect(words.every((text) => text.trim() !== '')).toBe(true);
    }),
  );
});
