import { currentOrder } from '@kilim/bff/contract/quote';
import { cents } from '@kilim/domain/money';
import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { clearCurrentOrder } from './current-order.ts';
import { localStore } from './storage.ts';
import { loadCurrentOrder, loadShownTotal, saveCurrentOrder } from './stored-order.ts';
import { orderA } from './testing/orders.ts';

beforeEach(() => clearCurrentOrder());

test('a saved order is loaded unchanged', () => {
  saveCurrentOrder(orderA);
  expect(loadCurrentOrder()).toEqual({ ok: true, value: orderA });
});

test('the total that the cart showed is kept with its order, if it is another one', () => {
  saveCurrentOrder(orderA, cents(40_000));
  expect(loadShownTotal(orderA)).toBe(40_000);
  expect(loadShownTotal({ ...orderA, orderId: 'another' })).toBeUndefined();
  saveCurrentOrder(orderA, orderA.totalAmount);
  expect(loadShownTotal(orderA)).toBeUndefined();
});

test('a missing order and an unreadable order have different codes', () => {
  expect(loadCurrentOrder()).toEqual({ ok: false, rejection: { code: 'NoOrder' } });
  localStore.write('currentOrder', '{"rugs":');
  expect(loadCurrentOrder()).toEqual({ ok: false, rejection: { code: 'Unreadable' } });
});

const onWire = z.encode(currentOrder, orderA);
const [rugOnWire] = onWire.rugs;

test('an order is stored in dollars', () => {
  saveCurrentOrder(orderA);
  expect(JSON.parse(localStore.read('currentOrder') ?? '')).toMatchObject({
    totalAmount: 476,
    rugs: [{ pricePerSqft: 5.95 }],
  });
});

test.each([
  { ...onWire, totalAmount: '476' },
  { ...onWire, totalAmount: -476 },
  { ...onWire, totalAmount: 476.001 },
  { ...onWire, rugs: [] },
  { ...onWire, rugs: [{ ...rugOnWire, widthFeet: 1.5 }] },
  { ...onWire, rugs: [{ ...rugOnWire, serviceTier: 'gold' }] },
  { ...onWire, customerInfo: undefined },
  [],
])('a stored order of another shape is unreadable', (stored) => {
  localStore.write('currentOrder', JSON.stringify(stored));
  expect(loadCurrentOrder()).toEqual({ ok: false, rejection: { code: 'Unreadable' } });
});
