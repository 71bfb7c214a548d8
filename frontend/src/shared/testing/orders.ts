import type { CurrentOrder } from '../current-order.ts';
import type { CustomerInfo, QuoteAnswer, QuotedRug, RugRequest } from '../wire.ts';

// Orders, quotes and a customer for specs.

export const adaByron: CustomerInfo = {
  name: 'Ada Byron',
  email: 'ada@example.com',
  phone: '3105550100',
  address: '',
  city: '',
  state: '',
  zipCode: '',
};

export const requestedRugA: RugRequest = {
  widthFeet: 8,
  widthInches: 0,
  lengthFeet: 10,
  lengthInches: 0,
  serviceTier: 'premium',
  stainProtection: true,
  mothProtection: false,
  repairInspection: false,
};

/** 8 ft x 10 ft premium, for drop-off. */
export const quotedRugA: QuotedRug = {
  ...requestedRugA,
  width: 8,
  length: 10,
  unit: 'feet',
  area: 80,
  pricePerSqft: 5.95,
  baseCost: 476,
  deliveryCost: 0,
  totalCost: 476,
};

export const quoteA: QuoteAnswer = {
  orderId: '0198c0de-0000-7000-8000-00000000000a',
  rugs: [quotedRugA],
  deliveryOption: 'dropoff',
  includeDelivery: false,
  subtotal: 476,
  delivery: 0,
  deliveryMinimum: 0,
  deliveryCost: 0,
  addOns: { stainProtection: 0, mothProtection: 0, repairInspection: 0 },
  salesTax: 0,
  totalAmount: 476,
};

export const orderA: CurrentOrder = { ...quoteA, customerInfo: adaByron };
