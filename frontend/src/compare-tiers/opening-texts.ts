/** Needed before the comparison is loaded. */
export const openingTexts = {
  open: 'Compare Tiers',
  failed: 'The comparison could not be loaded',
  failedHint: 'Your order is not affected.',
} as const;
