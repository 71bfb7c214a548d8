import type { CurrentOrder } from '@kilim/bff/contract/quote';
import { emptyContact } from '@kilim/domain/contact';
import { cents } from '@kilim/domain/money';
import { expect, test } from 'vitest';
import { orderA, quotedRugA } from '../shared/testing/orders.ts';
import { priceChanges } from './price-changes-table.tsx';

const premium = {
  ...quotedRugA,
  mothProtection: true,
  totalCost: cents(78_330),
} as const;
const economy = {
  ...premium,
  serviceTier: 'economy',
  pricePerSqft: cents(195),
  baseCost: cents(15_600),
  mothProtection: false,
} as const;

const before: CurrentOrder = {
  orderId: '0193-order-a',
  rugs: [premium, economy],
  deliveryOption: 'pickup',
  includeDelivery: true,
  subtotal: cents(63_200),
  delivery: cents(0),
  deliveryMinimum: cents(0),
  deliveryCost: cents(0),
  addOns: { ...orderA.addOns, stainProtection: cents(20_000), mothProtection: cents(28_000) },
  salesTax: cents(4680),
  salesTaxName: 'CA Sales Tax',
  totalAmount: cents(115_880),
  customerInfo: emptyContact,
};

test('lines with the same amount are not listed', () => {
  expect(priceChanges(before, before)).toEqual([]);
});

test('a higher tier price is listed for each rug of that tier, with the old and the new amount', () => {
  const after = { ...before, rugs: [{ ...premium, pricePerSqft: cents(695), baseCost: cents(55_600) }, economy] };
  expect(priceChanges(before, after)).toEqual([{ term: 'Rug #1: Base cost', before: 47_600, after: 55_600 }]);
});

test('a new line is listed without an old amount', () => {
  const after = { ...before, deliveryCost: cents(5000) };
  expect(priceChanges(before, after)).toEqual([{ term: 'Delivery Minimum', before: undefined, after: 5_000 }]);
});

test('a removed line is listed without a new amount', () => {
  const after = { ...before, salesTax: cents(0) };
  expect(priceChanges(before, after)).toEqual([{ term: 'CA Sales Tax', before: 4_680, after: undefined }]);
});
