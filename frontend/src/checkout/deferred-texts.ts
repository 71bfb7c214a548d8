export const deferredTexts = {
  walletsTitle: 'Pay with a wallet',
  noWallet: 'This browser has no Apple Pay and no Google Pay.',
  applePay: 'Pay with Apple Pay',
  walletSilentTitle: 'Your wallet does not answer',
  walletSilent: 'Nothing was charged so far. You can wait for it, or pay another way.',
  cardInstead: 'Pay by card instead',
  changedLine: 'What changed',
  amountBefore: 'Before',
  amountNow: 'Now',
  noAmount: '–',
  total: 'Total',
} as const;
