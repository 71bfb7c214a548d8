import { expect, test } from 'vitest';
import { parseMessageFromParent } from './messages.ts';

test.each([
  { type: 'NAVIGATE_TO_RUG', rugIndex: 0 },
  { type: 'NAVIGATE_TO_CART' },
  { type: 'VIEWPORT', top: 12.5, bottom: 800 },
])('$type is accepted', (message) => {
  expect(parseMessageFromParent(message)).toEqual(message);
});

test('unknown fields of a message are dropped', () => {
  expect(parseMessageFromParent({ type: 'NAVIGATE_TO_CART', extra: 'x' })).toEqual({ type: 'NAVIGATE_TO_CART' });
});

test.each([
  null,
  undefined,
  'NAVIGATE_TO_CART',
  7,
  [],
  {},
  { type: 'navigate_to_cart' },
  { type: '__proto__' },
  { type: 'NAVIGATE_TO_RUG' },
  { type: 'NAVIGATE_TO_RUG', rugIndex: -1 },
  { type: 'NAVIGATE_TO_RUG', rugIndex: 50 },
  { type: 'NAVIGATE_TO_RUG', rugIndex: 1.5 },
  { type: 'NAVIGATE_TO_RUG', rugIndex: '1' },
  { type: 'VIEWPORT', top: Number.NaN, bottom: 10 },
  { type: 'VIEWPORT', top: 0, bottom: Number.POSITIVE_INFINITY },
  { type: 'VIEWPORT', top: 0, bottom: 1e9 },
  { type: 'VIEWPORT', top: 10, bottom: 5 },
])('%j is rejected', (data) => {
  expect(parseMessageFromParent(data)).toBeUndefined();
});
