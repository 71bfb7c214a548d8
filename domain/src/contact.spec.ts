import { describe, expect, test } from 'vitest';
import { type ContactInput, emptyContact, parseContact, pickupDayError } from './contact.ts';
import type { Day } from './day.ts';

const ada: ContactInput = { ...emptyContact, name: 'Ada Lovelace', email: 'ada@example.com', phone: '(310) 555-0100' };
const adaAtHome: ContactInput = {
  ...ada,
  address: '1 Loom Street',
  city: 'Los Angeles',
  state: 'CA',
  zipCode: '90025',
};

describe('a contact for drop-off', () => {
  test('is a name, an e-mail address and ten digits', () => {
    expect(parseContact(ada, 'dropoff')).toEqual({
      ok: true,
      value: { name: 'Ada Lovelace', email: 'ada@example.com', phone: '3105550100' },
    });
  });

  test('reports all missing fields together, in the words of the specification', () => {
    expect(parseContact(emptyContact, 'dropoff')).toEqual({
      ok: false,
      rejection: {
        name: 'Name is required',
        email: 'Please enter a valid email address',
        phone: 'Please enter a valid 10-digit phone number',
      },
    });
  });
});

describe('a contact for pickup', () => {
  test('has an address too', () => {
    expect(parseContact(adaAtHome, 'pickup')).toMatchObject({
      ok: true,
      value: { address: { street: '1 Loom Street', city: 'Los Angeles', state: 'CA', zipCode: '90025' } },
    });
    expect(parseContact(ada, 'pickup')).toEqual({
      ok: false,
      rejection: {
        address: 'Address is required',
        city: 'City is required',
        state: 'State is required',
        zipCode: 'ZIP Code is required',
      },
    });
  });
});

test.each([
  'a@b',
  'a b@example.com',
  'a@@example.com',
  '@example.com',
  'a@example.',
  'a@exam ple.com',
  'a,b@example.com',
  'a@b..com',
])('%s is not an e-mail address', (email) => {
  expect(parseContact({ ...ada, email }, 'dropoff')).toMatchObject({
    rejection: { email: 'Please enter a valid email address' },
  });
});

test.each(['310555010', '31055501000', 'call me'])('%s is not a telephone number', (phone) => {
  expect(parseContact({ ...ada, phone }, 'dropoff')).toMatchObject({
    rejection: { phone: 'Please enter a valid 10-digit phone number' },
  });
});

test('the country code of the United States may be typed', () => {
  expect(parseContact({ ...ada, phone: '+1 310-555-0100' }, 'dropoff')).toMatchObject({
    value: { phone: '3105550100' },
  });
});

test.each(['Ada 🧶', 'Ada\u0000', 'Ada\ud800', 'Ada\u202eecalevoL', '\u2067Ada\u2069'])(
  'a name that cannot be printed is refused: %j',
  (name) => {
    expect(parseContact({ ...ada, name }, 'dropoff')).toMatchObject({
      rejection: { name: 'Name cannot contain emoji or control characters' },
    });
  },
);

test('letters of any script are a name', () => {
  for (const name of ['Zoë Ångström', 'علی\u200cرضا', '李小龍', "Conan O'Brien", 'Мария', 'José-María']) {
    expect(parseContact({ ...ada, name }, 'dropoff')).toMatchObject({ ok: true, value: { name } });
  }
});

test('a field that is too long says so', () => {
  expect(parseContact({ ...ada, name: 'a'.repeat(101) }, 'dropoff')).toMatchObject({
    rejection: { name: 'Name must be at most 100 characters' },
  });
});

test('a pickup day is refused when it is over, or too far ahead', () => {
  const today = '2026-11-30' as Day;
  expect(pickupDayError('1999-01-01', today)).toBe('This pickup day is over. Please choose another one');
  expect(pickupDayError('2026-11-29', today)).toBe('This pickup day is over. Please choose another one');
  expect(pickupDayError('2026-12-07', today)).toBe('Please choose a pickup day of the next 5 days');
});

test('a pickup day may be today, when the customer pays after midnight, and one day ahead, when her clock is', () => {
  const today = '2026-11-30' as Day;
  for (const day of ['', '2026-11-30', '2026-12-01', '2026-12-05', '2026-12-06']) {
    expect(pickupDayError(day, today)).toBeUndefined();
  }
});
