import { decimalDollars } from '@kilim/domain/money';
import type { CurrentOrder } from '../shared/current-order.ts';
import { centsOf } from '../shared/dollars.ts';
import type { BillingContact, VerificationDetails } from './square-sdk.ts';

/** What the card's bank is told about an order. What the customer did not give is left out. */
export function verificationDetails(order: CurrentOrder): VerificationDetails {
  return {
    amount: decimalDollars(centsOf(order.totalAmount)),
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
  // A drop-off order may carry an address that was typed before the customer changed their mind.
  const { city, state, zipCode } = customerInfo;
  const place = deliveryOption === 'pickup' ? { city, state, postalCode: zipCode } : {};
  const addressLines = deliveryOption === 'pickup' && customerInfo.address !== '' ? [customerInfo.address] : undefined;
  const given = Object.fromEntries(Object.entries({ ...person, ...place }).filter(([, text]) => text !== ''));
  return { ...given, ...(addressLines === undefined ? {} : { addressLines }), countryCode: 'US' };
}
