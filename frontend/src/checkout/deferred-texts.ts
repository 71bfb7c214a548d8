/** The texts of the parts that are loaded when they are needed: they do not weigh on the first page. */
export const deferredTexts = {
  walletsTitle: 'Pay with a wallet',
  noWallet: 'This browser has no Apple Pay and no Google Pay.',
  applePay: 'Pay with Apple Pay',
  changedLine: 'What changed',
  amountBefore: 'Before',
  amountNow: 'Now',
  noAmount: '–',
  total: 'Total',
} as const;
