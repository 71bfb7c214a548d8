const otherwise: Readonly<Record<string, string>> = {
  DISCOVER_DINERS: 'Diners Club',
  JCB: 'JCB',
  CHINA_UNIONPAY: 'UnionPay',
  OTHER_BRAND: 'Card',
  '': 'Card',
};

/** Square's `AMERICAN_EXPRESS` as people write it. */
export function cardBrandName(brand: string): string {
  const words = brand.toLowerCase().split('_');
  return otherwise[brand] ?? words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(' ');
}

/** `Visa ending in 1111`. Square need not tell the digits. */
export function cardName({
  cardBrand,
  cardLastFour,
}: {
  readonly cardBrand: string;
  readonly cardLastFour: string;
}): string {
  const brand = cardBrandName(cardBrand);
  return cardLastFour === '' ? brand : `${brand} ending in ${cardLastFour}`;
}
