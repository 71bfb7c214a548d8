import { beforeEach, expect, test } from 'vitest';
import { clearCurrentOrder, saveCurrentOrder } from './current-order.ts';
import { loadCurrentOrder } from './load-current-order.ts';
import { localStore } from './storage.ts';
import { orderA, quotedRugA } from './testing/orders.ts';

beforeEach(() => clearCurrentOrder());

test('a saved order is loaded unchanged', () => {
  saveCurrentOrder(orderA);
  expect(loadCurrentOrder()).toEqual({ ok: true, value: orderA });
});

test('a missing order and an unreadable order have different codes', () => {
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
])('a stored order of another shape is unreadable', (stored) => {
  localStore.write('currentOrder', JSON.stringify(stored));
  expect(loadCurrentOrder()).toEqual({ ok: false, rejection: { code: 'Unreadable' } });
});
