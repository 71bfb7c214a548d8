import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountInPayload } from './amount-in-payload.ts';

/** Between other bytes, as in a row. */
function amountIn(type: string, payload: string): number | null {
  const before = Buffer.from('{"amount":1}');
  const buffer = Buffer.concat([before, Buffer.from(payload), Buffer.from('"amount":2}')]);
  const named = Buffer.from(type);
  return amountInPayload({
    type: { buffer: named, at: 0, end: named.length },
    payload: { buffer, at: before.length, end: before.length + Buffer.byteLength(payload) },
  });
}

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
  expect(amountIn('PaymentCaptured', payload)).toBe(amount);
});

test('the amount of an order is its total', () => {
  expect(amountIn('OrderPlaced', '{"amount":1,"total":75822}')).toBe(75_822);
  expect(amountIn('PaymentCaptured', '{"amount":1,"total":75822}')).toBe(1);
});

test('finds what parsing the payload finds, for any payload', () => {
  const name = fc.oneof(fc.constantFrom('amount', 'total', 'note'), fc.string());
  const { tree } = fc.letrec((tie) => ({
    tree: fc.dictionary(name, fc.oneof({ depthSize: 'small' }, fc.integer(), fc.string(), tie('tree'), tie('list'))),
    list: fc.array(fc.oneof({ depthSize: 'small' }, fc.double(), tie('tree')), { maxLength: 3 }),
  }));
  fc.assert(
    fc.property(tree, fc.constantFrom(undefined, 1), (fields, space) => {
      const payload = JSON.stringify(fields, undefined, space);
      const { amount } = JSON.parse(payload) as { amount?: unknown };
      expect(amountIn('RefundRequested', payload)).toBe(Number.isSafeInteger(amount) ? amount : null);
    }),
  );
});
