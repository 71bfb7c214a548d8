import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deliveryOptions, tiers } from './catalog.ts';
import { type Cents, cents, formatDollars, sumCents } from './money.ts';
import type { Millipercent } from './percent.ts';
import { baseCharge, type OrderedRugs, quoteOrder, tierCardRate } from './quote.ts';
import { builtInRates, type Rates } from './rates.ts';
import { areaOf, choose, eachAddOn, type Inches, newRug, type Rug, type SquareInches, side } from './rug.ts';
import { economyWithGreenPad, largePremium, smallEconomy } from './testing/rugs.ts';

const quoteFor = (order: OrderedRugs) => quoteOrder(order, builtInRates);
const quoteOf = (rugs: readonly Rug[], deliveryOption: OrderedRugs['deliveryOption'] = 'dropoff') =>
  quoteFor({ rugs, deliveryOption });

function priceTag(rugs: readonly Rug[], deliveryOption: OrderedRugs['deliveryOption'] = 'dropoff') {
  const { lines, total } = quoteOf(rugs, deliveryOption);
  return Object.fromEntries(Object.entries({ ...lines, total }).map(([line, amount]) => [line, formatDollars(amount)]));
}

describe('examples that a customer can check by hand', () => {
  test('two rugs with pickup: 80 x 5.95 + 38.5 x 1.95, 118.5 x 0.50, 38.5 x 3.50 and 9.75 % of that', () => {
    expect(priceTag([largePremium, economyWithGreenPad], 'pickup')).toEqual({
      subtotal: '$551.08',
      delivery: '$59.25',
      deliveryMinimum: '$0.00',
      stainProtection: '$0.00',
      greenPad: '$134.75',
      salesTax: '$13.14',
      total: '$758.22',
    });
  });

  test('one small rug with pickup costs the minimum of its tier and is topped up to 400.00', () => {
    expect(priceTag([smallEconomy], 'pickup')).toEqual({
      subtotal: '$75.00',
      delivery: '$3.00',
      deliveryMinimum: '$322.00',
      stainProtection: '$0.00',
      greenPad: '$0.00',
      salesTax: '$0.00',
      total: '$400.00',
    });
  });

  test('the same small rug dropped off costs the minimum of its tier and nothing else', () => {
    expect(priceTag([smallEconomy])).toMatchObject({ delivery: '$0.00', deliveryMinimum: '$0.00', total: '$75.00' });
  });

  test('midrange with stain protection: 80 x 3.95, 80 x 2.50, and 9.75 % of 200.00', () => {
    const rug = choose(choose(largePremium, { tier: 'midrange' }), { stainProtection: true });
    expect(priceTag([rug])).toMatchObject({
      subtotal: '$316.00',
      stainProtection: '$200.00',
      salesTax: '$19.50',
      total: '$535.50',
    });
  });
});

describe('other rates', () => {
  const rug = choose(choose(largePremium, { tier: 'midrange' }), { stainProtection: true });
  const at = (changes: Partial<Rates>) =>
    quoteOrder({ rugs: [{ ...rug, greenPad: true }], deliveryOption: 'pickup' }, { ...builtInRates, ...changes }).lines;

  test('an add-on may be free, and then it is not taxed', () => {
    const addOnPrices = { stainProtection: cents(0), greenPad: cents(300) };
    expect(at({ addOnPrices })).toMatchObject({ stainProtection: 0, greenPad: 24_000, salesTax: 2_340 });
  });

  test('a rate with three decimals is exact: 9.875 % of 480.00', () => {
    const salesTax = { ...builtInRates.salesTax, millipercent: 9_875 as Millipercent };
    expect(at({ salesTax }).salesTax).toBe(4_740);
  });

  test('the minimum of a tier, the price of pickup and the minimum order are those of the rates', () => {
    const tierMinimums = { ...builtInRates.tierMinimums, midrange: cents(40_000) };
    expect(at({ tierMinimums }).subtotal).toBe(40_000);
    // 316.00 + 60.00 + 200.00 + 280.00 + 46.80
    const pickup = { price: cents(75), minimumOrder: cents(100_000) };
    expect(at({ pickup })).toMatchObject({ delivery: 6_000, deliveryMinimum: 100_000 - 90_280 });
  });
});

describe('boundaries', () => {
  test('an order with pickup of exactly 400.00 gets no delivery minimum; a cent less gets a cent', () => {
    // 400.00 of delivery on 800 sq ft is far above a minimum of one cent more, so prices are set to meet it.
    const at = (price: number) =>
      quoteOrder(
        { rugs: [{ ...largePremium, width: side(10, 0), length: side(10, 0) }], deliveryOption: 'pickup' },
        { ...builtInRates, tierPrices: { ...builtInRates.tierPrices, premium: cents(price) } },
      );
    expect(at(350).lines).toMatchObject({ subtotal: 35_000, delivery: 5_000, deliveryMinimum: 0 });
    expect(at(350).total).toBe(40_000);
    expect(at(349).lines.deliveryMinimum).toBe(100);
    expect(at(349).total).toBe(40_000);
  });

  test('the minimum counts add-ons and their tax', () => {
    const rug: Rug = { ...smallEconomy, greenPad: true };
    // 75.00 + 3.00 + 21.00 + 2.05
    expect(quoteOf([rug], 'pickup').lines.deliveryMinimum).toBe(40_000 - 7_500 - 300 - 2_100 - 205);
  });

  test('a side of 11 inches and an area of half a square foot are priced', () => {
    const rug: Rug = { ...smallEconomy, width: side(0, 11), length: side(0, 7), greenPad: true };
    // 77 sq in at 3.50: 187.15 cents, rounded half up.
    expect(quoteOf([rug]).lines.greenPad).toBe(187);
    const half: Rug = { ...smallEconomy, width: side(0, 6), length: side(1, 0), greenPad: true };
    expect(quoteOf([half]).lines).toMatchObject({ subtotal: 7_500, greenPad: 175 });
  });

  test('half a cent is rounded up', () => {
    // 38.5 sq ft x 1.95 = 75.075
    const { tierPrices, tierMinimums } = builtInRates;
    expect(baseCharge(areaOf(economyWithGreenPad), tierPrices.economy, tierMinimums.economy)).toBe(7_508);
  });

  test('no rugs, and rugs without a size, cost nothing even with pickup', () => {
    expect(quoteOf([], 'pickup').total).toBe(0);
    expect(quoteOf([newRug], 'pickup').total).toBe(0);
  });

  test('premium includes stain protection, and no Green Pad', () => {
    const { lines } = quoteOf([{ ...largePremium, stainProtection: true, greenPad: true }]);
    // 80 sq ft x 3.50
    expect(lines).toMatchObject({ stainProtection: 0, greenPad: 28_000 });
  });

  test('a tier card shows half a dollar more per square foot with pickup', () => {
    expect(tiers.map((tier) => tierCardRate(tier, 'pickup', builtInRates))).toEqual([645, 445, 245]);
    expect(tiers.map((tier) => tierCardRate(tier, 'dropoff', builtInRates))).toEqual([595, 395, 195]);
  });
});

const rugs: fc.Arbitrary<Rug> = fc
  .record({
    width: fc.integer({ min: 1, max: 1200 }).map((inches) => inches as Inches),
    length: fc.integer({ min: 1, max: 1200 }).map((inches) => inches as Inches),
    tier: fc.constantFrom(...tiers),
    ...eachAddOn(fc.boolean()),
  })
  .map((rug) => (rug.tier === 'premium' ? { ...rug, stainProtection: true } : rug));

const orders: fc.Arbitrary<OrderedRugs> = fc.record({
  rugs: fc.array(rugs, { minLength: 1, maxLength: 12 }),
  deliveryOption: fc.constantFrom(...deliveryOptions),
});

const amounts = (max: number) => fc.integer({ min: 0, max }).map(cents);
const perTier = (amount: fc.Arbitrary<Cents>) => fc.record({ premium: amount, midrange: amount, economy: amount });
const someRates: fc.Arbitrary<Rates> = fc.record({
  tierPrices: perTier(amounts(100_000)),
  tierMinimums: perTier(amounts(1_000_000)),
  addOnPrices: fc.record({ stainProtection: amounts(100_000), greenPad: amounts(100_000) }),
  pickup: fc.record({ price: amounts(100_000), minimumOrder: amounts(1_000_000) }),
  salesTax: fc
    .integer({ min: 0, max: 30_000 })
    .map((millipercent) => ({ ...builtInRates.salesTax, millipercent: millipercent as Millipercent })),
  largestOrder: fc.constant(builtInRates.largestOrder),
});

describe('properties of every order', () => {
  test('at any rates, all rugs and the delivery minimum add up to the total, and so do the lines', () => {
    fc.assert(
      fc.property(orders, someRates, (order, rates) => {
        const { rugs: quoted, lines, total } = quoteOrder(order, rates);
        expect(sumCents([...quoted.map((rug) => rug.total), lines.deliveryMinimum])).toBe(total);
        expect(sumCents(Object.values(lines))).toBe(total);
        for (const rug of quoted) expect(sumCents(Object.values(rug.charges))).toBe(rug.total);
        if (order.deliveryOption === 'pickup') expect(total).toBeGreaterThanOrEqual(rates.pickup.minimumOrder);
      }),
    );
  });

  test('the tax is that of all add-ons together, to the half cent', () => {
    fc.assert(
      fc.property(orders, someRates, (order, rates) => {
        const { lines, salesTax } = quoteOrder(order, rates);
        const exact = BigInt(lines.stainProtection + lines.greenPad) * BigInt(rates.salesTax.millipercent);
        const distance = BigInt(lines.salesTax) * 100_000n - exact;
        expect(distance <= 50_000n && distance > -50_000n).toBe(true);
        expect(salesTax).toBe(rates.salesTax);
      }),
    );
  });

  test('no amount is ever negative', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const { rugs: quoted, lines, total } = quoteFor(order);
        const amounts: Cents[] = [
          total,
          ...Object.values(lines),
          ...quoted.flatMap(({ charges }) => Object.values(charges)),
        ];
        expect(Math.min(...amounts)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('with pickup an order costs at least 400.00', () => {
    fc.assert(
      fc.property(fc.array(rugs, { minLength: 1, maxLength: 6 }), (list) => {
        expect(quoteOf(list, 'pickup').total).toBeGreaterThanOrEqual(40_000);
      }),
    );
  });

  test('a larger rug never costs less', () => {
    fc.assert(
      fc.property(orders, fc.nat(11), fc.integer({ min: 1, max: 600 }), (order, pick, more) => {
        const index = pick % order.rugs.length;
        const larger = order.rugs.map((rug, at) =>
          at === index ? { ...rug, width: (rug.width + more) as Inches } : rug,
        );
        expect(quoteFor({ ...order, rugs: larger }).total).toBeGreaterThanOrEqual(quoteFor(order).total);
      }),
    );
  });

  test('one more rug never costs less', () => {
    fc.assert(
      fc.property(orders, rugs, (order, rug) => {
        expect(quoteFor({ ...order, rugs: [...order.rugs, rug] }).total).toBeGreaterThanOrEqual(quoteFor(order).total);
      }),
    );
  });

  test('the order of the rugs changes no line', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const turned = quoteFor({ ...order, rugs: order.rugs.toReversed() });
        expect(turned.lines).toEqual(quoteFor(order).lines);
        expect(turned.total).toBe(quoteFor(order).total);
      }),
    );
  });

  test('a base charge is never below the minimum of its tier, and exact above it', () => {
    fc.assert(
      fc.property(rugs, (rug) => {
        const area = areaOf(rug) as SquareInches;
        const price = builtInRates.tierPrices[rug.tier];
        const minimum = builtInRates.tierMinimums[rug.tier];
        const charge = baseCharge(area, price, minimum);
        const exact = (2n * BigInt(area) * BigInt(price) + 144n) / 288n;
        expect(charge).toBe(exact > BigInt(minimum) ? Number(exact) : minimum);
      }),
    );
  });
});
