import { beforeEach, expect, test } from 'vitest';
import { clearCurrentOrder, saveCurrentOrder } from './current-order.ts';
import { loadCurrentOrder } from './load-current-order.ts';
import { localStore } from './storage.ts';
import { orderA, quotedRugA } from './testing/orders.ts';

beforeEach(() => clearCurrentOrder());

test('a saved order comes back whole', () => {
  saveCurrentOrder(orderA);
  expect(loadCurrentOrder()).toEqual({ ok: true, value: orderA });
});

test('no order is not the same as one that cannot be read', () => {
  expect(loadCurrentOrder()).toEqual({ ok: false, rejection: { code: 'NoOrder' } });
  localStore.write('currentOrder', '{"rugs":');
  expect(loadCurrentOrder()).toEqual({ ok: false, rejection: { code: 'Unreadable' } });
});

test.each([
  { ...orderA, totalAmount: '476' },
  { ...orderA, totalAmount: -476 },
  { ...orderA, totalAmount: 476.001 },
  { ...orderA, rugs: [] },
  { ...orderA, rugs: [{ ...quotedRugA, widthFeet: 1.5 }] },
  { ...orderA, rugs: [{ ...quotedRugA, serviceTier: 'gold' }] },
  { ...orderA, customerInfo: undefined },
  [],
])('an order of another shape cannot be read', (stored) => {
  localStore.write('currentOrder', JSON.stringify(stored));
  expect(loadCurrentOrder()).toEqual({ ok: false, rejection: { code: 'Unreadable' } });
});
