import { expect, test } from 'vitest';
import { formatPhone } from './format-phone.ts';

test.each(['3105550142', '+1 310-555-0142', '1 (310) 555 0142', '001.310.555.0142', '(310) 555-0142'])(
  '%s is a telephone number of the United States',
  (text) => expect(formatPhone(text)).toBe('(310) 555-0142'),
);

test.each(['', '555-0142', '310-555-0142 x5', '+44 20 7946 0958'])('%o stays as it is', (text) =>
  expect(formatPhone(text)).toBe(text),
);
