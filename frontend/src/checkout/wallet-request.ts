import type { WalletRequest } from './square-sdk.ts';

/** `amount` in dollars, and the contact if the cart has none. */
export function walletRequest(amount: string, asksContact: boolean): WalletRequest {
  return {
    countryCode: 'US',
    currencyCode: 'USD',
    total: { amount, label: 'Total' },
    requestBillingContact: asksContact,
    requestShippingContact: asksContact,
  };
}
