/** What a new owner does, in this order. */
export const firstDaySteps = [
  'password',
  'shop',
  'sites',
  'prices',
  'tax',
  'terms',
  'pickup',
  'order',
  'mail',
] as const;
export type FirstDayStep = (typeof firstDaySteps)[number];

/** What the shop begins with may be right for it, which no other fact shows. */
export const settleableSteps = ['sites', 'prices', 'tax', 'terms', 'pickup', 'mail'] as const;
export type SettleableStep = (typeof settleableSteps)[number];

/** What an owner said of the list. */
export type FirstDay = { readonly settled: readonly SettleableStep[]; readonly isHidden: boolean };
