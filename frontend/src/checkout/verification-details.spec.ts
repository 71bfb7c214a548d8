import type { CurrentOrder } from '@kilim/bff/contract/quote';
import { emptyContact } from '@kilim/domain/contact';
import { cents } from '@kilim/domain/money';
import { expect, test } from 'vitest';
import { orderA } from '../shared/testing/orders.ts';
import { verificationDetails } from './verification-details.ts';

const order: CurrentOrder = {
  orderId: '0193-order-a',
  rugs: [],
  deliveryOption: 'pickup',
  includeDelivery: true,
  subtotal: cents(47_600),
  delivery: cents(4000),
  deliveryMinimum: cents(0),
  deliveryCost: cents(4000),
  addOns: orderA.addOns,
  salesTax: cents(0),
  salesTaxName: 'CA Sales Tax',
  totalAmount: cents(51_650),
  customerInfo: {
    ...emptyContact,
    name: 'Ada  Byron King',
    email: 'ada@example.com',
    phone: '3105550100',
    address: '1 Main St',
    city: 'Los Angeles',
    state: 'CA',
    zipCode: '90025',
  },
};

test('the bank gets the amount as decimal text and the customer’s contact', () => {
  expect(verificationDetails(order)).toEqual({
    amount: '516.50',
    currencyCode: 'USD',
    intent: 'CHARGE',
    billingContact: {
      givenName: 'Ada',
      familyName: 'Byron King',
      email: 'ada@example.com',
      phone: '3105550100',
      addressLines: ['1 Main St'],
      city: 'Los Angeles',
      state: 'CA',
      postalCode: '90025',
      countryCode: 'US',
    },
    customerInitiated: true,
    sellerKeyedIn: false,
  });
});

test('for a drop-off order the bank gets no address, even if one was typed, and no empty fields', () => {
  const dropOff: CurrentOrder = {
    ...order,
    deliveryOption: 'dropoff',
    customerInfo: { ...order.customerInfo, name: 'Ada', phone: '' },
  };
  expect(verificationDetails(dropOff).billingContact).toEqual({
    givenName: 'Ada',
    email: 'ada@example.com',
    countryCode: 'US',
  });
});
