import { expect, test } from 'vitest';
import { measuredSide } from './measured-side.ts';

test.each([
  ['8', 96],
  ['7.10', 94],
  ['7.1', 85],
  ['7.5', 89],
  ["7'10", 94],
  ['7\'10"', 94],
  [' 7 10 ', 94],
  ['7-10', 94],
  ['7,0', 84],
  ['100', 1200],
  ['', undefined],
  ['0', undefined],
  ['7.12', undefined],
  ['101', undefined],
  ['7.5.2', undefined],
  ['seven', undefined],
  ['-8', undefined],
])('%j is %s inches', (text, inches) => {
  expect(measuredSide(text)).toBe(inches);
});
