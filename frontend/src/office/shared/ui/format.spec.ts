import { expect, test } from 'vitest';
import { decimalText } from './format.ts';

test.each([
  ['13199.74', '13,199.74'],
  ['1234567.10', '1,234,567.10'],
  ['-0.50', '-0.50'],
  ['9.75', '9.75'],
  ['80', '80'],
])('%s is written %s', (text, written) => {
  expect(decimalText(text)).toBe(written);
});
