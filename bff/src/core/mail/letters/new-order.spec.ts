import { orderA, orderAPlaced, pickupAgreedA } from '@kilim/domain/testing/orders';
import { expect, test } from 'vitest';
import type { FoundOrder } from '../../queries/find-order.ts';
import { render } from '../render.ts';
import { newOrder } from './new-order.ts';

const ada = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '3105550147',
  address: { street: '12 Analytical Way', city: 'Los Angeles', state: 'CA', zipCode: '90025' },
  wishes: { day: '2026-11-27', window: 'morning', note: 'Gate code 1843' },
} as const;
const placed: FoundOrder['placed'] = { ...orderAPlaced, orderId: orderA };
type Kept = NonNullable<FoundOrder['kept']>['contact'];

function letterOf(contact: Kept | undefined, order = placed, pickup?: typeof pickupAgreedA) {
  const kept = contact && { contact, salt: new Uint8Array(), receiptTokenHash: new Uint8Array() };
  const letter = newOrder({ placed: order, kept, summary: { pickup } }, 'https://office.example/admin/orders/a');
  return { subject: letter.subject, text: render(letter, { name: 'Rugs', phone: '' }).text };
}

test('the shop reads whom to call, how, where and for when, without opening the order', () => {
  const { subject, text } = letterOf(ada);
  expect(subject).toBe('New order 0000-00AC: 2 rugs, $758.22, White Glove Pickup');
  expect(text).toContain(`Call Ada Lovelace, (310) 555-0147, to arrange the pickup.

White Glove Pickup of 2 rugs in Los Angeles, 90025. The customer asked for Friday, November 27, in the morning.`);
});

test('each rug is described with its add-ons, also with one that costs nothing', () => {
  const [first, ...others] = placed.rugs;
  if (first === undefined) throw new Error('The order has no rugs');
  const rugs = [{ ...first, tier: 'midrange', stainProtection: true, repairInspection: true } as const, ...others];
  expect(letterOf(ada, { ...placed, rugs }).text).toContain('8 × 10 ft, Midrange, Stain protection, Repair inspection');
});

test('the address of the email, the street and the gate code stay with the order', () => {
  expect(letterOf(ada).text).not.toMatch(/ada@|Analytical|1843|CA 9/);
});

test('a pickup without a wish says so, and a drop-off asks for nothing', () => {
  const { wishes: _, ...withoutWishes } = ada;
  expect(letterOf(withoutWishes).text).toContain('No day is preferred.');
  const { address: __, ...person } = withoutWishes;
  const { text } = letterOf(person, { ...placed, deliveryOption: 'dropoff' });
  expect(text).toContain(`Ada Lovelace, (310) 555-0147, brings the rugs. You need to do nothing before.

Drop-off of 2 rugs.
`);
});

test('a late letter says that the pickup is agreed already', () => {
  expect(letterOf(ada, placed, pickupAgreedA).text).toContain(
    'Ada Lovelace, (310) 555-0147. The pickup is agreed: Friday, November 27, morning.',
  );
});

test('after an erasure the letter says that nobody can call', () => {
  expect(letterOf(undefined).text).toContain(`The contact of this customer was erased, so nobody can call.

White Glove Pickup of 2 rugs.
`);
});
