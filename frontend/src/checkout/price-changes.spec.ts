import { expect, test } from 'vitest';
import type { CurrentOrder } from '../shared/current-order.ts';
import { priceChanges } from './price-changes.ts';

const premium = {
  widthFeet: 8,
  widthInches: 0,
  lengthFeet: 10,
  lengthInches: 0,
  serviceTier: 'premium',
  stainProtection: true,
  mothProtection: true,
  repairInspection: false,
  width: 8,
  length: 10,
  unit: 'feet',
  area: 80,
  pricePerSqft: 5.95,
  baseCost: 476,
  deliveryCost: 0,
  totalCost: 783.3,
} as const;
const economy = {
  ...premium,
  serviceTier: 'economy',
  pricePerSqft: 1.95,
  baseCost: 156,
  mothProtection: false,
} as const;

const before: CurrentOrder = {
  orderId: '0193-order-a',
  rugs: [premium, economy],
  deliveryOption: 'pickup',
  includeDelivery: true,
  subtotal: 632,
  delivery: 0,
  deliveryMinimum: 0,
  deliveryCost: 0,
  addOns: { stainProtection: 200, mothProtection: 280, repairInspection: 0 },
  salesTax: 46.8,
  totalAmount: 1158.8,
  customerInfo: { name: '', email: '', phone: '', address: '', city: '', state: '', zipCode: '' },
};

test('lines with the same amount are not listed', () => {
  expect(priceChanges(before, before)).toEqual([]);
});

test('a higher tier price is listed for each rug of that tier, with the old and the new amount', () => {
  const after = { ...before, rugs: [{ ...premium, pricePerSqft: 6.95, baseCost: 556 }, economy] };
  expect(priceChanges(before, after)).toEqual([{ term: 'Rug #1: Base cost', before: 47_600, after: 55_600 }]);
});

test('a new line is listed without an old amount', () => {
  const after = { ...before, deliveryCost: 50 };
  expect(priceChanges(before, after)).toEqual([{ term: 'Delivery Minimum', before: undefined, after: 5_000 }]);
});

test('a removed line is listed without a new amount', () => {
  const after = { ...before, salesTax: 0 };
  expect(priceChanges(before, after)).toEqual([{ term: 'CA Sales Tax', before: 4_680, after: undefined }]);
});
