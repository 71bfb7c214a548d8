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
