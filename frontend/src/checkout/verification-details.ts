import type { CurrentOrder } from '@kilim/bff/contract/quote';
import { decimalDollars } from '@kilim/domain/money';
import type { BillingContact, VerificationDetails } from './square-sdk.ts';

/** The data about an order for the card's bank. Empty fields are left out. */
export function verificationDetails(order: CurrentOrder): VerificationDetails {
  return {
    amount: decimalDollars(order.totalAmount),
    currencyCode: 'USD',
    intent: 'CHARGE',
    billingContact: billingContact(order),
    customerInitiated: true,
    sellerKeyedIn: false,
  };
}

function billingContact({ customerInfo, deliveryOption }: CurrentOrder): BillingContact {
  const [givenName = '', ...others] = customerInfo.name.trim().split(/\s+/);
  const person = { givenName, familyName: others.join(' '), email: customerInfo.email, phone: customerInfo.phone };
  // A drop-off order may contain an address from before the customer changed the delivery option.
  const { city, state, zipCode } = customerInfo;
  const place = deliveryOption === 'pickup' ? { city, state, postalCode: zipCode } : {};
  const lines = deliveryOption === 'pickup' ? [customerInfo.address, customerInfo.addressLine2] : [];
  const addressLines = lines.filter((line) => line !== '');
  const given = Object.fromEntries(Object.entries({ ...person, ...place }).filter(([, text]) => text !== ''));
  return { ...given, ...(addressLines.length === 0 ? {} : { addressLines }), countryCode: 'US' };
}
