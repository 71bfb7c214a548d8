import { emptyContact } from '@kilim/domain/contact';
import { expect, test } from 'vitest';
import { contactOfWallet } from './wallet-contact.ts';

const person = { givenName: 'Ada', familyName: 'Lovelace' };
const place = { addressLines: ['12 Main St', 'Apt 4'], city: 'Los Angeles', state: 'CA', postalCode: '90025' };
const reachable = { email: 'ada@example.com', phone: '+1 310 555 0132' };
const wishes = { ...emptyContact, pickupDay: '2026-11-25', driverNote: 'Gate code 12' };
const pickup = { customerInfo: wishes, deliveryOption: 'pickup' } as const;
const dropOff = { customerInfo: emptyContact, deliveryOption: 'dropoff' } as const;

test('Apple Pay gives everything with the shipping contact, and the cart its wishes', () => {
  const details = { billing: { ...person }, shipping: { contact: { ...person, ...place, ...reachable } } };
  expect(contactOfWallet({ details }, pickup)).toEqual({
    ok: true,
    value: {
      ...wishes,
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      phone: '+1 310 555 0132',
      address: '12 Main St',
      addressLine2: 'Apt 4',
      city: 'Los Angeles',
      state: 'CA',
      zipCode: '90025',
    },
  });
});

test('Google Pay gives name, email and phone with the billing contact', () => {
  const details = { billing: { ...person, ...reachable } };
  expect(contactOfWallet({ details }, dropOff)).toMatchObject({
    ok: true,
    value: { name: 'Ada Lovelace', ...reachable },
  });
});

const required = (...names: readonly string[]) => names.map((name) => `${name} is required`);
const unreachable = ['Please enter a valid email address', 'Please enter a valid 10-digit phone number'];
const noPlace = required('Address', 'City', 'State');

test.each([
  ['nothing', { status: 'OK', token: 'cnon:wallet' }, [...required('ZIP Code', 'Name'), ...unreachable, ...noPlace]],
  ['no address', { details: { billing: { ...person, ...reachable } } }, [...required('ZIP Code'), ...noPlace]],
  [
    'a phone number that cannot be called',
    { details: { shipping: { contact: { ...person, ...place, ...reachable, phone: '12' } } } },
    unreachable.slice(1),
  ],
  [
    'fields of another type',
    { details: { billing: { ...person, ...place, ...reachable, city: 4 } } },
    required('City'),
  ],
])('a wallet that gives %s is told what is wrong', (_, tokenized, mistakes) => {
  expect(contactOfWallet(tokenized, pickup)).toEqual({ ok: false, rejection: mistakes });
});
