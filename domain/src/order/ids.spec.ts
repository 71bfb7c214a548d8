import { describe, expect, test } from 'vitest';
import {
  type IdempotencyKey,
  isUnguessable,
  parseIdempotencyKey,
  parseOrderId,
  parsePaymentId,
  parseRefundId,
} from './ids.ts';

const refused = undefined;

describe('an order’s id is a UUID of version 7 in lower case', () => {
  const id = '0199d5a0-7c00-7000-8000-00000000000a';

  test.each([
    ['as it is', id, id],
    ['of version 4', '0199d5a0-7c00-4000-8000-00000000000a', refused],
    ['of another variant', '0199d5a0-7c00-7000-c000-00000000000a', refused],
    ['in upper case', id.toUpperCase(), refused],
    ['with a text before it', `order-${id}`, refused],
    ['with a text after it', `${id}0`, refused],
  ])('%s', (_, text, parsed) => expect(parseOrderId(text)).toBe(parsed));
});

describe('a payment’s id is 32 hexadecimal digits', () => {
  const id = '0123456789abcdef'.repeat(2);

  test.each([
    ['as it is', id, id],
    ['in upper case', id.toUpperCase(), refused],
    ['with a text before it', `a${id}`, refused],
    ['with a text after it', `${id}a`, refused],
  ])('%s', (_, text, parsed) => expect(parsePaymentId(text)).toBe(parsed));
});

describe.each([
  ['the key of an attempt', parseIdempotencyKey],
  ['the id of a refund', parseRefundId],
])('%s has 16 to 45 characters of base64url', (_, parse) => {
  const shortest = 'aZ09_-'.padEnd(16, 'x');
  const longest = shortest.padEnd(45, 'x');

  test.each([
    ['the shortest', shortest, shortest],
    ['the longest', longest, longest],
    ['one character fewer', shortest.slice(1), refused],
    ['one character more', `${longest}x`, refused],
    ['a space', `${shortest} `, refused],
    ['a space before it', ` ${shortest}`, refused],
  ])('%s', (...[, text, parsed]) => expect(parse(text)).toBe(parsed));
});

describe('a key that opens a receipt has 22 characters, six of them different', () => {
  test.each([
    ['22 with six', 'abcdef'.padEnd(22, 'a'), true],
    ['21 with six', 'abcdef'.padEnd(21, 'a'), false],
    ['22 with five', 'abcde'.padEnd(22, 'a'), false],
  ])('%s', (_, key, isEnough) => expect(isUnguessable(key as IdempotencyKey)).toBe(isEnough));
});
