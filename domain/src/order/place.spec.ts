import { describe, expect, test } from 'vitest';
import { cents } from '../money.ts';
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

describe('another order under the same id is refused: it differs', () => {
  const { quote } = placeOrderA;
  const [first, second] = [quote.rugs[0] ?? expect.fail(), quote.rugs[1] ?? expect.fail()];
  const plain = { ...second, rug: { ...second.rug, greenPad: false } };
  const cheaper = { ...second, total: cents(second.total - 1) };

  test.each<[string, Partial<typeof placeOrderA>]>([
    ['in everything', { quote: quoteOrder({ rugs: [largePremium], deliveryOption: 'pickup' }, builtInRates) }],
    ['in its contact', { contactDigest: 'd'.repeat(64) }],
    ['in its delivery', { quote: { ...quote, deliveryOption: 'dropoff' } }],
    ['in its total', { quote: { ...quote, total: cents(quote.total + 1) } }],
    ['in one more rug', { quote: { ...quote, rugs: [first, second, second] } }],
    ['in a choice for a rug', { quote: { ...quote, rugs: [first, plain] } }],
    ['in the price of a rug', { quote: { ...quote, rugs: [first, cheaper] } }],
  ])('%s', (_, change) => {
    const refused = { ok: false, rejection: { code: 'OrderDiffers', orderId: orderA } };
    expect(given(orderAPlaced).when({ ...placeOrderA, ...change })).toEqual(refused);
  });
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
