import type { RugRequest } from '@kilim/bff/contract/order-request';
import type { CurrentOrder, CustomerInfo, QuotedOrder, QuotedRug } from '@kilim/bff/contract/quote';
import { addOnsToWire, rugToWire } from '@kilim/bff/contract/rug';
import { emptyContact } from '@kilim/domain/contact';
import { cents, noCents } from '@kilim/domain/money';
import { eachAddOn, newRug, side } from '@kilim/domain/rug';

export const adaByron: CustomerInfo = {
  ...emptyContact,
  name: 'Ada Byron',
  email: 'ada@example.com',
  phone: '3105550100',
};

export const requestedRugA: RugRequest = rugToWire({ ...newRug, width: side(8, 0), length: side(10, 0) });

/** 8 ft x 10 ft premium, for drop-off. */
export const quotedRugA: QuotedRug = {
  ...requestedRugA,
  width: 8,
  length: 10,
  unit: 'feet',
  area: 80,
  pricePerSqft: cents(595),
  baseCost: cents(47_600),
  deliveryCost: cents(0),
  stainProtectionCost: cents(0),
  mothProtectionCost: cents(0),
  totalCost: cents(47_600),
};

export const quoteA: QuotedOrder = {
  orderId: '0198c0de-0000-7000-8000-00000000000a',
  rugs: [quotedRugA],
  deliveryOption: 'dropoff',
  includeDelivery: false,
  subtotal: cents(47_600),
  delivery: cents(0),
  deliveryMinimum: cents(0),
  deliveryCost: cents(0),
  addOns: addOnsToWire(eachAddOn(noCents)),
  salesTax: cents(0),
  salesTaxName: 'CA Sales Tax',
  totalAmount: cents(47_600),
};

export const orderA: CurrentOrder = { ...quoteA, customerInfo: adaByron };
