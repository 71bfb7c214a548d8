import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderA } from '../testing/orders.ts';
import { type OrderId, parseNewOrderId, parseOrderId, supplementIdOf } from './ids.ts';
import { idEndings, orderNumberOf, parseOrderNumber } from './number.ts';

const anyOrderId = fc.uuid({ version: 7 }) as fc.Arbitrary<OrderId>;

test('an order has a number of eight characters', () => {
  expect(orderNumberOf(orderA)).toBe('0000-00AC');
  expect(orderNumberOf('0199d5a0-7c00-7000-8000-0fffffffffff' as OrderId)).toBe('ZZZZ-ZZZ7');
  expect(orderNumberOf('0199d5a0-7c00-7000-8000-000000000010' as OrderId)).toBe('0000-00GZ');
});

test('a payment for larger rugs has the number of its order, and the place of its request', () => {
  const random = 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6';
  const supplementId = supplementIdOf(orderA, 12, random);
  expect(supplementId).toBe(`f81d4fae-7dec-800c-a765-00a${orderA.slice(-9)}`);
  expect(orderNumberOf(supplementId)).toBe('0000-00AC-S12');
  expect(parseOrderId(supplementId)).toBe(supplementId);
  // A customer chooses the id of a new order.
  expect(parseNewOrderId(supplementId)).toBeUndefined();
  expect(parseNewOrderId(orderA)).toBe(orderA);
});

test('a number is read as people type it', () => {
  fc.assert(
    fc.property(anyOrderId, (orderId) => {
      const number = orderNumberOf(orderId);
      expect(number).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
      const typed = ` ${number.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `;
      expect(parseOrderNumber(typed)).toBe(number);
      expect(parseOrderNumber(`${typed}-s1 `)).toBe(number);
    }),
  );
});

test('a number leads to the end of its id', () => {
  fc.assert(
    fc.property(anyOrderId, (orderId) => {
      const endings = idEndings(orderNumberOf(orderId));
      expect(endings).toContain(orderId.slice(-9));
      expect(endings[0].slice(1)).toBe(endings[1].slice(1));
    }),
  );
});

test('one wrong character is noticed', () => {
  const place = fc.nat(7);
  const other = fc.integer({ min: 1, max: 31 });
  fc.assert(
    fc.property(anyOrderId, place, other, (orderId, at, by) => {
      const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
      const text = [...orderNumberOf(orderId).replace('-', '')];
      text[at] = alphabet[(alphabet.indexOf(text[at] ?? '') + by) % 32] ?? '';
      expect(parseOrderNumber(text.join(''))).toBeUndefined();
    }),
  );
});

test('a swap of neighbours is noticed, except of the first and the last character of the alphabet', () => {
  fc.assert(
    fc.property(anyOrderId, fc.nat(6), (orderId, at) => {
      const text = [...orderNumberOf(orderId).replace('-', '')];
      const [first = '', second = ''] = text.slice(at, at + 2);
      fc.pre(first !== second && ![`0Z`, 'Z0'].includes(first + second));
      expect(parseOrderNumber(text.toSpliced(at, 2, second, first).join(''))).toBeUndefined();
    }),
  );
});

// The sums of the two with zeros are right.
test.each([
  '0000-00AC0',
  '0000-00!2',
  '',
  'K7QM',
  'K7QM-4XPT-1',
  '0199d5a0-7c00-7000-8000-00000000000a',
  'K7QM-4XU!',
  'Ada Byron',
])('“%s” is no number', (typed) => {
  expect(parseOrderNumber(typed)).toBeUndefined();
});
