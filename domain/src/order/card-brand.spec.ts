import { expect, test } from 'vitest';
import { cardBrandName, cardName } from './card-brand.ts';

test.each([
  ['VISA', 'Visa'],
  ['AMERICAN_EXPRESS', 'American Express'],
  ['JCB', 'JCB'],
  ['CHINA_UNIONPAY', 'UnionPay'],
  ['DISCOVER_DINERS', 'Diners Club'],
  ['OTHER_BRAND', 'Card'],
  ['', 'Card'],
])('%s is written %s', (brand, name) => expect(cardBrandName(brand)).toBe(name));

test.each([
  ['VISA', '1111', 'Visa ending in 1111'],
  ['VISA', '', 'Visa'],
  ['OTHER_BRAND', '', 'Card'],
])('a card of %s with the digits "%s" is %s', (cardBrand, cardLastFour, name) =>
  expect(cardName({ cardBrand, cardLastFour })).toBe(name),
);
