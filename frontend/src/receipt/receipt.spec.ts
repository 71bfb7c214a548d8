import { cents } from '@kilim/domain/money';
import { describe, expect, test } from 'vitest';
import { adaByron, orderA } from '../shared/testing/orders.ts';
import { askAgainAfter, stateOfAnswer, stateOfFailure } from './receipt.ts';
import type { OrderAnswer } from './receipt-queries.ts';
import { addressAmount, receiptSearch, shortPaymentId } from './receipt-search.ts';

function answer(paymentStatus: OrderAnswer['order']['paymentStatus']): OrderAnswer {
  return {
    order: {
      _id: '0193-order-a',
      paymentStatus,
      deliveryOption: 'pickup',
      customerInfo: adaByron,
      deliveryCost: 40,
      salesTax: 0,
      totalCost: 516,
      paidAt: '2026-01-05T12:00:00Z',
      receiptUrl: null,
    },
    items: [],
    payment: { amount: 516, cardBrand: 'AMERICAN_EXPRESS', cardLastFour: '0009', receiptNumber: 'aaaa' },
    refunds: [],
  };
}

const refund = { amount: 100, status: 'completed', refundType: 'partial', createdAt: '2026-01-06T12:00:00Z' } as const;

function refunded(...refunds: OrderAnswer['refunds']) {
  const state = stateOfAnswer({ ...answer('paid'), refunds });
  if (state.kind !== 'paid') throw new Error('A refunded payment is a paid one');
  return state.receipt;
}

describe('the page asks again by itself', () => {
  const withRefund = (status: 'pending' | 'completed' | 'failed') => ({
    ...answer('paid'),
    refunds: [
      { ...refund, status: 'completed' as const },
      { ...refund, status },
    ],
  });

  test('while a refund is on its way, and no more once it has ended', () => {
    expect(askAgainAfter(withRefund('pending'), 1)).toBe(5000);
    expect(askAgainAfter(withRefund('completed'), 1)).toBe(false);
    expect(askAgainAfter(withRefund('failed'), 1)).toBe(false);
    expect(askAgainAfter(answer('paid'), 1)).toBe(false);
    expect(askAgainAfter(undefined, 0)).toBe(false);
  });

  test('ever more seldom, and for a quarter of an hour in all: a bank may take days', () => {
    let waitedSeconds = 0;
    let looks = 1;
    for (let wait = askAgainAfter(withRefund('pending'), looks); wait !== false; looks += 1) {
      waitedSeconds += wait / 1000;
      wait = askAgainAfter(withRefund('pending'), looks + 1);
    }
    expect(waitedSeconds).toBe(15 * 60);
    expect(looks).toBeLessThan(50);
    expect(askAgainAfter(withRefund('pending'), 10_000)).toBe(false);
  });

  test('for as long as the outcome of the payment is open', () => {
    expect(askAgainAfter(answer('processing'), 10_000)).toBe(5000);
  });
});

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
    const unanswered = { stored: orderA, amount: undefined, isDenied: false };
    expect(stateOfFailure(unanswered)).toMatchObject({ kind: 'paid', receipt: { source: 'browser', total: 47_600 } });
    expect(stateOfFailure({ ...unanswered, amount: cents(47_600) }).kind).toBe('paid');
    expect(stateOfFailure({ ...unanswered, stored: undefined }).kind).toBe('unavailable');
  });

  test('is not what the browser remembers when another amount was paid: that is a newer order', () => {
    expect(stateOfFailure({ stored: orderA, amount: cents(51_600), isDenied: false }).kind).toBe('unavailable');
  });

  test('is nothing when the server knows no such payment, whatever the browser remembers', () => {
    expect(stateOfFailure({ stored: orderA, amount: undefined, isDenied: true }).kind).toBe('unknown');
  });

  test('names the card as people do, also one of a brand that Square has yet to invent', () => {
    expect(refunded().card).toBe('American Express ending in 0009');
    const unheardOf = { amount: 516, cardBrand: 'MOON_CARD', cardLastFour: '1234' };
    const state = stateOfAnswer({ ...answer('paid'), payment: unheardOf });
    expect(state).toMatchObject({ receipt: { card: 'Card ending in 1234' } });
  });
});

describe('what remains paid', () => {
  test('is everything before a refund', () => {
    expect(refunded().remainsPaid).toBe(51_600);
  });

  test('is less what was given back and what is on its way, and not less what failed', () => {
    const pending = { ...refund, amount: 16.5, status: 'pending' } as const;
    const failed = { ...refund, amount: 300, status: 'failed' } as const;
    expect(refunded(refund, pending, failed).remainsPaid).toBe(39_950);
  });

  test('is all of it when a second charge went back', () => {
    const { remainsPaid, total } = refunded({ ...refund, amount: 516, refundType: 'second-charge' });
    expect(remainsPaid).toBe(total);
  });

  test('is nothing after a full refund', () => {
    expect(refunded({ ...refund, amount: 516, refundType: 'full' }).remainsPaid).toBe(0);
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
