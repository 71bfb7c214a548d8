import { beforeEach, expect, test } from 'vitest';
import { type CurrentOrder, clearCurrentOrder, saveCurrentOrder } from './current-order.ts';
import { loadCurrentOrder } from './load-current-order.ts';
import { localStore } from './storage.ts';

const rug = {
  widthFeet: 8,
  widthInches: 0,
  lengthFeet: 10,
  lengthInches: 0,
  serviceTier: 'premium',
  stainProtection: true,
  mothProtection: false,
  repairInspection: false,
  width: 8,
  length: 10,
  unit: 'feet',
  area: 80,
  pricePerSqft: 5.95,
  baseCost: 476,
  deliveryCost: 0,
  totalCost: 476,
} as const;
const order: CurrentOrder = {
  orderId: '0198c0de-0000-7000-8000-00000000000a',
  rugs: [rug],
  deliveryOption: 'dropoff',
  includeDelivery: false,
  subtotal: 476,
  delivery: 0,
  deliveryMinimum: 0,
  deliveryCost: 0,
  addOns: { stainProtection: 0, mothProtection: 0, repairInspection: 0 },
  salesTax: 0,
  totalAmount: 476,
  customerInfo: { name: 'Ada', email: 'a@b.co', phone: '3105550100', address: '', city: '', state: '', zipCode: '' },
};

beforeEach(() => clearCurrentOrder());

test('a saved order comes back whole', () => {
  saveCurrentOrder(order);
  expect(loadCurrentOrder()).toEqual({ ok: true, value: order });
});

test('no order is not the same as one that cannot be read', () => {
  expect(loadCurrentOrder()).toEqual({ ok: false, rejection: { code: 'NoOrder' } });
  localStore.write('currentOrder', '{"rugs":');
  expect(loadCurrentOrder()).toEqual({ ok: false, rejection: { code: 'Unreadable' } });
});

test.each([
  { ...order, totalAmount: '476' },
  { ...order, totalAmount: -476 },
  { ...order, totalAmount: 476.001 },
  { ...order, rugs: [] },
  { ...order, rugs: [{ ...rug, widthFeet: 1.5 }] },
  { ...order, rugs: [{ ...rug, serviceTier: 'gold' }] },
  { ...order, customerInfo: undefined },
  [],
])('an order of another shape cannot be read', (stored) => {
  localStore.write('currentOrder', JSON.stringify(stored));
  expect(loadCurrentOrder()).toEqual({ ok: false, rejection: { code: 'Unreadable' } });
});
