import { expect, test } from 'vitest';
import { cardBrandName } from './card-brand.ts';

test.each([
  ['VISA', 'Visa'],
  ['AMERICAN_EXPRESS', 'American Express'],
  ['JCB', 'JCB'],
  ['CHINA_UNIONPAY', 'UnionPay'],
  ['', 'Card'],
])('%s is written %s', (brand, name) => expect(cardBrandName(brand)).toBe(name));
