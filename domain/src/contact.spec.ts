import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ContactInput,
  contactFieldError,
  contactFields,
  contactText,
  emptyContact,
  meantContact,
  parseContact,
} from './contact.ts';

const ada: ContactInput = { ...emptyContact, name: 'Ada Lovelace', email: 'ada@example.com', phone: '(310) 555-0100' };
const adaAtHome: ContactInput = {
  ...ada,
  address: '1 Loom Street',
  city: 'Los Angeles',
  state: 'CA',
  zipCode: '90025',
};

test('what was meant has the order of what was typed', () => {
  expect(JSON.stringify(meantContact({ ...ada, city: ' Los  Angeles' }))).toBe(
    JSON.stringify({ ...ada, city: 'Los Angeles' }),
  );
});

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
  'a@-b.com',
  'a@b-.com',
  'a@b.com-',
  'a@b_c.com',
  'a@192.168.0.1',
  'a@b.7',
  'a[1]@example.com',
  'Ada <a@b',
  `${'a'.repeat(65)}@example.com`,
])('%s is not an e-mail address', (email) => {
  expect(parseContact({ ...ada, email }, 'dropoff')).toMatchObject({
    rejection: { email: 'Please enter a valid email address' },
  });
});

test.each([
  ...['310555010', '31055501000', 'call me'],
  // Of another country, whose numbers can have ten digits, too.
  ...['+49 30 123456', '+3105550142', '(+49) 30123456', '+0049 301234', '\uff0b49 30123456'],
])('%s is not a telephone number', (phone) => {
  expect(parseContact({ ...ada, phone }, 'dropoff')).toMatchObject({
    rejection: { phone: 'Please enter a valid 10-digit phone number' },
  });
});

test('the country code of the United States may be typed', () => {
  expect(parseContact({ ...ada, phone: '+1 310-555-0100' }, 'dropoff')).toMatchObject({
    value: { phone: '3105550100' },
  });
});

test.each(['Ada 🧶', 'Ada\ud800', '⭐ Rugs', 'Ada\uf8ff', '👍🏽'])(
  'a name that cannot be printed is refused: %j',
  (name) => {
    expect(parseContact({ ...ada, name }, 'dropoff')).toMatchObject({
      rejection: { name: 'Name cannot contain emoji or control characters' },
    });
  },
);

test.each(['\u200b', '\u2060', '\u3164', '\ufeff', '\u2800', '\u00a0\u200e', '\u0301', '\t\u0000'])(
  'a name of nothing visible is missing: %j',
  (name) => {
    expect(parseContact({ ...ada, name }, 'dropoff')).toMatchObject({ rejection: { name: 'Name is required' } });
  },
);

test('letters of any script, and what stands on a letterhead, are a name', () => {
  for (const name of [
    ...['Zoë Ångström', 'علی\u200cرضا', '李小龍', "Conan O'Brien", 'Мария', 'José-María', 'X', 'שרה כהן', 'Nguyễn Thị'],
    ...[
      'Dr. Ing. h. c. Müller, Ph.D.',
      'Loom & Co. KG',
      'Persia Rugs®',
      'Woven™ (West) #2',
      '3M',
      'C/O Smith',
      'Rugs ♥ Us',
    ],
    ...[
      'Café “Orient” №5',
      '@home',
      'A+B=C',
      '½ Price Rugs',
      '100% Wool, Inc.',
      '☎ Rugs',
      '7-Eleven',
      'Ø',
      '?',
      'A/S “Ål”',
    ],
  ]) {
    expect(parseContact({ ...ada, name }, 'dropoff')).toMatchObject({ ok: true, value: { name } });
  }
});

describe('copied text', () => {
  test.each([
    ['\u202aada@example.com\u202c', 'ada@example.com'],
    ['ada\u2060@example\u200b.com', 'ada@example.com'],
    ['\u00a0ada@exam\u00adple.com\n', 'ada@example.com'],
    ['Ada Lovelace <ada@example.com>', 'ada@example.com'],
    ['"Lovelace, Ada" <ada@example.com>', 'ada@example.com'],
    ['<ada@example.com>', 'ada@example.com'],
    ['mailto:ada@example.com', 'ada@example.com'],
    ['MAILTO:Ada@Example.com', 'Ada@Example.com'],
    ['ada@example.com,', 'ada@example.com'],
    ['ada@example.com.', 'ada@example.com'],
    ['ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ada@example.com'],
    ['ada+rug_1@mail.example.co.uk', 'ada+rug_1@mail.example.co.uk'],
    ["o'brien@example.com", "o'brien@example.com"],
    ['jürgen@müller.de', 'jürgen@müller.de'],
    ['ada..l.@docomo.ne.jp', 'ada..l.@docomo.ne.jp'],
    ['x@xn--mller-kva.de', 'x@xn--mller-kva.de'],
  ])('the email address %j is %s', (email, meant) => {
    expect(parseContact({ ...ada, email }, 'dropoff')).toMatchObject({ value: { email: meant } });
  });

  test.each([
    ['\u202a(310) 555\u20110100\u202c', '3105550100'],
    ['tel:+1-310-555-0100', '3105550100'],
    ['001 310 555 0100', '3105550100'],
    ['1 (310) 555.0100', '3105550100'],
    ['３１０－５５５－０１００', '3105550100'],
    ['٣١٠ ٥٥٥ ٠١٠٠', '3105550100'],
    ['۳۱۰ ۵۵۵ ۰۱۰۰', '3105550100'],
  ])('the telephone number %j is %s', (phone, meant) => {
    expect(parseContact({ ...ada, phone }, 'dropoff')).toMatchObject({ value: { phone: meant } });
  });

  test.each([
    ['90025', '90025'],
    ['\u200e90025', '90025'],
    ['９００２５', '90025'],
    ['90025-1234', '90025-1234'],
    ['900251234', '90025-1234'],
    ['90025 1234', '90025-1234'],
    ['90025–1234', '90025-1234'],
    ['90025 — 1234', '90025-1234'],
    ['90025-', '90025'],
    ['CA 90025', '90025'],
    ['CA. 90025-1234', '90025-1234'],
  ])('the ZIP code %j is %s', (zipCode, meant) => {
    expect(parseContact({ ...adaAtHome, zipCode }, 'pickup')).toMatchObject({ value: { address: { zipCode: meant } } });
  });

  test.each(['9002', '900251', 'K1A 0B1', '90025-12', '90025/1234'])('%j is no ZIP code', (zipCode) => {
    expect(parseContact({ ...adaAtHome, zipCode }, 'pickup')).toMatchObject({
      rejection: { zipCode: 'Please enter a valid 5-digit ZIP Code' },
    });
  });

  test('unseen characters anywhere in any field change nothing', () => {
    const unseen = fc.constantFrom(...'\u200b\u200e\u200f\u202a\u202c\u202e\u2060\u2066\u2069\u00ad\ufeff\u061c\u0007');
    const filled = {
      ...{ ...adaAtHome, addressLine2: 'Apt 4', pickupDay: '2026-11-30' },
      ...{ pickupWindow: 'morning', driverNote: 'Gate 4711\nRing twice' },
    };
    const clean = parseContact(filled, 'pickup');
    fc.assert(
      fc.property(fc.constantFrom(...contactFields), fc.array(fc.tuple(fc.nat(30), unseen)), (field, marks) => {
        const text = marks.reduce((dirty, [at, mark]) => dirty.slice(0, at) + mark + dirty.slice(at), filled[field]);
        expect(parseContact({ ...filled, [field]: text }, 'pickup')).toEqual(clean);
      }),
      { numRuns: 500 },
    );
  });

  test('reading a text again changes nothing more', () => {
    const texts = fc.string({ unit: fc.constantFrom(...'aB1 <>@.,-–\u00a0\u200b９mailto:\n') });
    fc.assert(
      fc.property(fc.constantFrom(...contactFields), texts, (field, text) => {
        const once = contactText(field, text);
        if (contactFieldError(field, once) === undefined) expect(contactText(field, once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });
});

test.each(['310 555 0100 x12', '310-555-0100 ext. 45', '(310) 555-0100 #4', '3105550100 extension 7'])(
  'a telephone number with an extension says so: %s',
  (phone) => {
    expect(parseContact({ ...ada, phone }, 'dropoff')).toMatchObject({
      rejection: { phone: 'Please enter the 10-digit phone number without the extension' },
    });
  },
);

test.each(['PO Box 123', 'P.O. Box 9', 'p o box 77', 'Post Office Box 5', 'PSC 3, Box 1234', 'CMR 4 Box 2', 'POBox 3'])(
  'no van collects a rug at %s',
  (address) => {
    expect(parseContact({ ...adaAtHome, address }, 'pickup')).toMatchObject({
      rejection: { address: 'We cannot collect rugs at a post office box. Please enter a street address' },
    });
  },
);

test.each(['12 Box Street', '1 Post Office Square', '12 Main St, PO Box 4', 'Boxwood Lane 3', '4 Psc Road'])(
  '%s is a street address',
  (address) => {
    expect(parseContact({ ...adaAtHome, address }, 'pickup')).toMatchObject({ ok: true });
  },
);

test('a field that is too long says so', () => {
  expect(parseContact({ ...ada, name: 'a'.repeat(101) }, 'dropoff')).toMatchObject({
    rejection: { name: 'Name must be at most 100 characters' },
  });
});
