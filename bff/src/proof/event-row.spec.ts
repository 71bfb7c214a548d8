import { expect, test } from 'vitest';
import { amountInPayload } from './event-row.ts';

test.each([
  ['{"amount":75822,"paymentId":"a"}', 75_822],
  ['{"amount":0}', 0],
  ['{"amount":-500}', -500],
  ['{"amount":1e3}', 1000],
  ['{"amount":12.5}', null],
  ['{"amount":"12"}', null],
  ['{"amount":9007199254740993}', null],
  ['{"paymentId":"a"}', null],
  ['{"fee":{"amount":12}}', null],
  ['{"items":[{"amount":12}],"amount":13}', 13],
  ['{"amount":12,"amount":13}', 13],
  ['{"amount" :12}', 12],
  ['{"\\u0061mount":12}', 12],
  ['{"note":"\\"amount\\":12,"}', null],
  ['{"note":"\\\\","amount":12}', 12],
  ['{"note":"{[","amount":12}', 12],
  ['["amount",12]', null],
  ['null', null],
])('%s says %j', (payload, amount) => {
  expect(amountInPayload('PaymentCaptured', payload)).toBe(amount);
});

test('the amount of an order is its total', () => {
  expect(amountInPayload('OrderPlaced', '{"amount":1,"total":75822}')).toBe(75_822);
  expect(amountInPayload('PaymentCaptured', '{"amount":1,"total":75822}')).toBe(1);
});
