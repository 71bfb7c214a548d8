import { expect, test } from 'vitest';
import { cardBrandName } from './card-brand.ts';

test.each([
  ['VISA', 'Visa'],
  ['AMERICAN_EXPRESS', 'American Express'],
  ['JCB', 'JCB'],
  ['CHINA_UNIONPAY', 'UnionPay'],
  ['DISCOVER_DINERS', 'Diners Club'],
  ['OTHER_BRAND', 'Card'],
  ['', 'Card'],
])('%s is written %s', (brand, name) => expect(cardBrandName(brand)).toBe(name));
