import type { PaidOrder } from '@kilim/bff/contract/receipt';
import { cents } from '@kilim/domain/money';
import { expect, test } from 'vitest';
import { adaByron, orderA } from '../shared/testing/orders.ts';
import { withOwnContact } from './receipt.ts';

const masked = { ...adaByron, name: 'A***', email: 'a***@e***', phone: '***0100' };

function answerFor(orderId: string): PaidOrder {
  return {
    order: {
      _id: orderId,
      paymentId: 'a1b2c3d4e5f6',
      paymentStatus: 'paid',
      includesDelivery: false,
      subtotal: cents(47_600),
      addOns: orderA.addOns,
      createdAt: '2026-01-05T11:59:00Z',
      deliveryOption: 'dropoff',
      customerInfo: masked,
      deliveryCost: cents(0),
      salesTax: cents(0),
      salesTaxName: 'CA Sales Tax',
      totalCost: cents(47_600),
      paidAt: null,
      receiptUrl: null,
      stage: 'waiting',
      difference: null,
      supplementOf: null,
    },
    items: [],
    payment: null,
    refunds: [],
  };
}

test('the browser that took the order shows its contact', () => {
  expect(withOwnContact(answerFor(orderA.orderId), orderA).order.customerInfo).toEqual(adaByron);
});

test('the contact of another order, or no stored order, changes nothing', () => {
  const other = answerFor('0198c0de-0000-7000-8000-00000000000b');
  expect(withOwnContact(other, orderA)).toBe(other);
  expect(withOwnContact(other, undefined)).toBe(other);
});
