import type { WalletRequest } from './square-sdk.ts';

/** What a wallet is asked for: a payment of `amount` dollars, and the contact if the cart has none. */
export function walletRequest(amount: string, asksContact: boolean): WalletRequest {
  return {
    countryCode: 'US',
    currencyCode: 'USD',
    total: { amount, label: 'Total' },
    requestBillingContact: asksContact,
    requestShippingContact: asksContact,
  };
}
