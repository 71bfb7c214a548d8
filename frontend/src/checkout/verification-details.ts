import type { CurrentOrder } from '@kilim/bff/contract/quote';
import { decimalDollars } from '@kilim/domain/money';
import type { BillingContact, VerificationDetails } from './square-sdk.ts';

/** For the card's bank, without empty fields. */
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
  // A drop-off order may contain an address from before the delivery option changed.
  const { city, state, zipCode } = customerInfo;
  const place = deliveryOption === 'pickup' ? { city, state, postalCode: zipCode } : {};
  const lines = deliveryOption === 'pickup' ? [customerInfo.address, customerInfo.addressLine2] : [];
  const addressLines = lines.filter((line) => line !== '');
  const given = Object.fromEntries(Object.entries({ ...person, ...place }).filter(([, text]) => text !== ''));
  return { ...given, ...(addressLines.length === 0 ? {} : { addressLines }), countryCode: 'US' };
}
