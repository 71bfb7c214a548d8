import type { QuotedRug } from '@kilim/bff/contract/quote';
import { cents, noCents, parseDollars } from '@kilim/domain/money';
import { describe, expect, test } from 'vitest';
import { quotedRugA } from '../testing/orders.ts';
import { orderLines, rugLines } from './order-lines.ts';

const premium: QuotedRug = { ...quotedRugA, deliveryCost: cents(4000), totalCost: cents(51_600) };
const midrange: QuotedRug = {
  ...premium,
  widthFeet: 5,
  widthInches: 6,
  lengthFeet: 8,
  serviceTier: 'midrange',
  mothProtection: true,
  repairInspection: true,
  pricePerSqft: cents(395),
  baseCost: cents(17_380),
  deliveryCost: cents(2200),
  stainProtectionCost: cents(11_000),
  mothProtectionCost: cents(15_400),
};

const tax = { salesTaxName: 'LA Sales Tax', total: cents(45_000) };

const dollars = (amount: number) => parseDollars(amount) ?? noCents;

describe('a rug', () => {
  test('has a title, a size, an area and priced lines', () => {
    expect(rugLines(premium, 0)).toEqual({
      title: 'Rug #1',
      size: '8 × 10 ft',
      area: '80.00 sq ft',
      lines: [{ term: 'Base cost', amount: dollars(476), note: '80.00 sq ft at $5.95. Stain protection included' }],
    });
  });

  test('has a line for each add-on, except those that its tier includes', () => {
    expect(rugLines(midrange, 1).lines).toEqual([
      { term: 'Base cost', amount: dollars(173.8), note: '44.00 sq ft at $3.95' },
      { term: 'Stain protection', amount: dollars(110) },
      { term: 'Green Pad', amount: dollars(154) },
      { term: 'Repair inspection', amount: dollars(0), note: 'Free, done after cleaning' },
    ]);
    const plain = { ...midrange, stainProtection: false, mothProtection: false, repairInspection: false };
    expect(rugLines(plain, 1).lines).toHaveLength(1);
  });

  test('has the costs of its add-ons as they were sold', () => {
    const sold = { ...midrange, stainProtectionCost: cents(9900), mothProtectionCost: cents(0) };
    expect(rugLines(sold, 1).lines.map(({ amount }) => amount)).toEqual([17_380, 9900, 0, 0]);
  });

  test('at its tier’s minimum charge has a note about it', () => {
    const small = { ...midrange, widthFeet: 2, widthInches: 0, lengthFeet: 3, baseCost: cents(10_500) };
    expect(rugLines(small, 0).lines[0]?.note).toBe('Midrange minimum charge');
  });

  test('of a supplement has a note that only the difference was paid', () => {
    const larger = { ...premium, baseCost: cents(16_660) };
    expect(rugLines(larger, 0).lines[0]?.note).toBe('What the measured size adds');
  });
});

describe('the whole order', () => {
  const rugs = [premium, midrange];

  test('has no lines for a drop-off without tax', () => {
    expect(orderLines(rugs, { isPickup: false, deliveryCost: dollars(0), salesTax: dollars(0), ...tax })).toEqual([]);
  });

  test('has a delivery line for a pickup, and a line for the top-up to the minimum', () => {
    expect(orderLines(rugs, { isPickup: true, deliveryCost: dollars(62), salesTax: dollars(25.74), ...tax })).toEqual([
      { term: 'White Glove Pickup & Delivery', amount: dollars(62) },
      { term: 'LA Sales Tax', amount: dollars(25.74) },
    ]);
    expect(orderLines(rugs, { isPickup: true, deliveryCost: dollars(162), salesTax: dollars(0), ...tax })).toEqual([
      { term: 'White Glove Pickup & Delivery', amount: dollars(62) },
      { term: 'Delivery Minimum', amount: dollars(100), note: '$450 minimum order requirement' },
    ]);
  });

  test('adds up: the total is the sum of rugs, delivery and tax', () => {
    const lines = [
      ...rugs.flatMap((rug, index) => rugLines(rug, index).lines),
      ...orderLines(rugs, { isPickup: true, deliveryCost: dollars(62), salesTax: dollars(25.74), ...tax }),
    ];
    expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(parseDollars('1001.54'));
  });
});
