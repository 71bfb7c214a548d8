import { expect, test } from 'vitest';
import { contactErasedA, orderAPlaced } from '../testing/orders.ts';
import { decide, evolve, nothingErased } from './erase-contact.ts';
import type { OrderEvent } from './events.ts';

const after = (...events: readonly OrderEvent[]) => decide({ erasedBy: 'ada' }, events.reduce(evolve, nothingErased));

test('the contact of an order is erased by somebody', () => {
  expect(after(orderAPlaced)).toEqual({ ok: true, value: [{ type: 'ContactErased', erasedBy: 'ada' }] });
});

test('what is erased is not erased again', () => {
  expect(after(orderAPlaced, contactErasedA)).toEqual({ ok: true, value: [] });
});

test('an order that never was has no contact', () => {
  expect(after()).toEqual({ ok: false, rejection: { code: 'UnknownOrder' } });
});
