import { expect, test } from 'vitest';
import { quoteOrder } from '../quote.ts';
import { builtInRates } from '../rates.ts';
import { side } from '../rug.ts';
import { decider } from '../testing/given-when.ts';
import { orderA, orderAPlaced, placeOrderA, startedA } from '../testing/orders.ts';
import { largePremium } from '../testing/rugs.ts';
import { decide, evolve, notPlaced } from './place.ts';

const { given } = decider({ initial: notPlaced, evolve, decide });

test('an accepted quote becomes an order, with every rug priced', () => {
  expect(given().when(placeOrderA)).toEqual({ ok: true, value: [orderAPlaced] });
});

test('the same order placed again, for a second payment attempt, records nothing', () => {
  expect(given(orderAPlaced, startedA).when(placeOrderA)).toEqual({ ok: true, value: [] });
  const elsewhere = { ...placeOrderA, source: { embedded: true, variant: 'A' } };
  expect(given(orderAPlaced).when(elsewhere)).toEqual({ ok: true, value: [] });
});

test('another order under the same id is refused', () => {
  const refused = { ok: false, rejection: { code: 'OrderDiffers', orderId: orderA } };
  const quote = quoteOrder({ rugs: [largePremium], deliveryOption: 'pickup' }, builtInRates);
  expect(given(orderAPlaced).when({ ...placeOrderA, quote })).toEqual(refused);
  expect(given(orderAPlaced).when({ ...placeOrderA, contactDigest: 'd'.repeat(64) })).toEqual(refused);
});

test('an order has at least one rug and at most fifty', () => {
  const withRugs = (count: number) => ({
    ...placeOrderA,
    quote: quoteOrder(
      { rugs: Array.from({ length: count }, () => largePremium), deliveryOption: 'dropoff' },
      builtInRates,
    ),
  });
  expect(given().when(withRugs(0))).toEqual({ ok: false, rejection: { code: 'NoRugs' } });
  expect(given().when(withRugs(50)).ok).toBe(true);
  expect(given().when(withRugs(51))).toEqual({ ok: false, rejection: { code: 'TooManyRugs', most: 50, offered: 51 } });
});

test('a rug without a size is refused, by its index', () => {
  const quote = quoteOrder(
    { rugs: [largePremium, { ...largePremium, length: side(0, 0) }], deliveryOption: 'dropoff' },
    builtInRates,
  );
  expect(given().when({ ...placeOrderA, quote })).toEqual({
    ok: false,
    rejection: { code: 'InvalidRug', rugIndex: 1, reason: { code: 'SideMissing', side: 'length' } },
  });
});
