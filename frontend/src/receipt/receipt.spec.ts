import { describe, expect, test } from 'vitest';
import type { CurrentOrder } from '../shared/current-order.ts';
import { stateOfAnswer, stateOfFailure } from './receipt.ts';
import type { OrderAnswer } from './receipt-queries.ts';
import { addressAmount, receiptSearch, shortPaymentId } from './receipt-search.ts';

const customerInfo = {
  name: 'Ada Byron',
  email: 'ada@example.com',
  phone: '3105550100',
  address: '',
  city: '',
  state: '',
  zipCode: '',
};
const stored: CurrentOrder = {
  orderId: '0193-order-a',
  rugs: [],
  deliveryOption: 'dropoff',
  includeDelivery: false,
  subtotal: 476,
  delivery: 0,
  deliveryMinimum: 0,
  deliveryCost: 0,
  addOns: { stainProtection: 0, mothProtection: 0, repairInspection: 0 },
  salesTax: 0,
  totalAmount: 476,
  customerInfo,
};

function answer(paymentStatus: OrderAnswer['order']['paymentStatus']): OrderAnswer {
  return {
    order: {
      _id: '0193-order-a',
      paymentStatus,
      deliveryOption: 'pickup',
      customerInfo,
      deliveryCost: 40,
      salesTax: 0,
      totalCost: 516,
      paidAt: '2026-01-05T12:00:00Z',
      receiptUrl: null,
    },
    items: [],
  };
}

describe('what is shown of a payment', () => {
  test('is the ledger’s amount, once it is paid', () => {
    expect(stateOfAnswer(answer('paid'))).toMatchObject({ kind: 'paid', receipt: { source: 'ledger', total: 51_600 } });
  });

  test('is never success while the outcome is open, and never when nothing was charged', () => {
    expect(stateOfAnswer(answer('processing')).kind).toBe('confirming');
    for (const status of ['unpaid', 'declined', 'voided'] as const)
      expect(stateOfAnswer(answer(status)).kind).toBe('unpaid');
  });

  test('falls back to what the browser remembers when the server cannot be asked', () => {
    expect(stateOfFailure(stored, false)).toMatchObject({
      kind: 'paid',
      receipt: { source: 'browser', total: 47_600 },
    });
    expect(stateOfFailure(undefined, false).kind).toBe('unavailable');
  });

  test('is nothing when the server knows no such payment, whatever the browser remembers', () => {
    expect(stateOfFailure(stored, true).kind).toBe('unknown');
  });
});

describe('the address', () => {
  test.each([
    [
      { payment_id: 'a1b2c3d4e5f6', amount: 476.5 },
      { payment_id: 'a1b2c3d4e5f6', amount: 476.5 },
    ],
    [
      { payment_id: 12_345, amount: '476.50' },
      { payment_id: '12345', amount: '476.50' },
    ],
    [
      { payment_id: '', amount: {} },
      { payment_id: undefined, amount: undefined },
    ],
    [{}, {}],
  ])('%o is read without ever failing', (search, read) => {
    expect(receiptSearch(search)).toEqual(read);
  });

  test('gives an amount only if it is one', () => {
    expect(addressAmount({ payment_id: 'x', amount: '476.50' })).toBe(47_650);
    expect(addressAmount({ payment_id: 'x', amount: 'a lot' })).toBeUndefined();
    expect(addressAmount({ payment_id: 'x', amount: -1 })).toBeUndefined();
  });

  test('a payment id of more than ten characters is shortened to eight and an ellipsis', () => {
    expect(shortPaymentId('a1b2c3d4e5f60718')).toBe('a1b2c3d4…');
    expect(shortPaymentId('a1b2c3d4e5')).toBe('a1b2c3d4e5');
  });
});
