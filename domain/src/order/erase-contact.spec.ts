import { expect, test } from 'vitest';
import { contactErasedA, orderAPlaced, startedA } from '../testing/orders.ts';
import { decide, evolve, nothingErased } from './erase-contact.ts';
import type { OrderEvent } from './events.ts';

const after = (...events: readonly OrderEvent[]) => decide({ erasedBy: 'ada' }, events.reduce(evolve, nothingErased));

test('erasing a contact records who erased it', () => {
  expect(after(orderAPlaced, startedA)).toEqual({ ok: true, value: [{ type: 'ContactErased', erasedBy: 'ada' }] });
});

test('a contact is erased only once', () => {
  expect(after(orderAPlaced, contactErasedA)).toEqual({ ok: true, value: [] });
});

test('an unknown order has no contact', () => {
  expect(after()).toEqual({ ok: false, rejection: { code: 'UnknownOrder' } });
});
