import type { PaidOrder } from '@kilim/bff/contract/receipt';
import { cents } from '@kilim/domain/money';
import { describe, expect, test } from 'vitest';
import { adaByron, orderA } from '../shared/testing/orders.ts';
import { pollInterval, stateOfAnswer, stateOfFailure } from './receipt.ts';
import { addressAmount, receiptSearch, shortPaymentId } from './receipt-search.ts';

const capturedAt = '2026-01-05T12:00:00Z';

function answer(paymentStatus: PaidOrder['order']['paymentStatus']): PaidOrder {
  return {
    order: {
      _id: '0193-order-a',
      paymentId: 'a1b2c3d4e5f6',
      paymentStatus,
      includesDelivery: true,
      subtotal: cents(47_600),
      addOns: orderA.addOns,
      createdAt: '2026-01-05T11:59:00Z',
      deliveryOption: 'pickup',
      customerInfo: adaByron,
      deliveryCost: cents(4000),
      salesTax: cents(0),
      salesTaxName: 'CA Sales Tax',
      totalCost: cents(51_600),
      paidAt: '2026-01-05T12:00:00Z',
      receiptUrl: null,
      stage: 'waiting',
      difference: null,
      supplementOf: null,
    },
    items: [],
    payment: {
      amount: cents(51_600),
      cardBrand: 'AMERICAN_EXPRESS',
      cardLastFour: '0009',
      receiptNumber: 'aaaa',
      capturedAt,
    },
    refunds: [],
  };
}

const refund = {
  amount: cents(10_000),
  status: 'completed',
  refundType: 'partial',
  createdAt: '2026-01-06T12:00:00Z',
} as const;

function refunded(...refunds: PaidOrder['refunds']) {
  const state = stateOfAnswer({ ...answer('paid'), refunds });
  if (state.kind !== 'paid') throw new Error('A refunded payment is a paid one');
  return state.receipt;
}

describe('the page polls', () => {
  const withRefund = (status: 'pending' | 'completed' | 'failed') => ({
    ...answer('paid'),
    refunds: [
      { ...refund, status: 'completed' as const },
      { ...refund, status },
    ],
  });

  test('while a refund is pending, and stops when it has completed or failed', () => {
    expect(pollInterval(withRefund('pending'), 1)).toBe(5000);
    expect(pollInterval(withRefund('completed'), 1)).toBe(false);
    expect(pollInterval(withRefund('failed'), 1)).toBe(false);
    expect(pollInterval(answer('paid'), 1)).toBe(false);
    expect(pollInterval(undefined, 0)).toBe(false);
  });

  test('at growing intervals, for a quarter of an hour in all', () => {
    let waitedSeconds = 0;
    let polls = 1;
    for (let wait = pollInterval(withRefund('pending'), polls); wait !== false; polls += 1) {
      waitedSeconds += wait / 1000;
      wait = pollInterval(withRefund('pending'), polls + 1);
    }
    expect(waitedSeconds).toBe(15 * 60);
    expect(polls).toBeLessThan(50);
    expect(pollInterval(withRefund('pending'), 10_000)).toBe(false);
  });

  test('without end while the outcome of the payment is unknown', () => {
    expect(pollInterval(answer('processing'), 10_000)).toBe(5000);
  });
});

describe('the state of the page', () => {
  test('is paid with the ledger’s amount after a payment', () => {
    expect(stateOfAnswer(answer('paid'))).toMatchObject({ kind: 'paid', receipt: { source: 'ledger', total: 51_600 } });
  });

  test('is not paid if the outcome is unknown or nothing was charged', () => {
    expect(stateOfAnswer(answer('processing')).kind).toBe('confirming');
    for (const status of ['unpaid', 'declined', 'voided'] as const)
      expect(stateOfAnswer(answer(status)).kind).toBe('unpaid');
  });

  test('falls back to the browser’s stored order if the server does not answer', () => {
    const unanswered = { stored: orderA, amount: undefined, denied: undefined };
    expect(stateOfFailure(unanswered)).toMatchObject({ kind: 'paid', receipt: { source: 'browser', total: 47_600 } });
    expect(stateOfFailure({ ...unanswered, amount: cents(47_600) }).kind).toBe('paid');
    expect(stateOfFailure({ ...unanswered, stored: undefined }).kind).toBe('unavailable');
  });

  test('is not the stored order if another amount was paid, because the stored order is a newer one', () => {
    expect(stateOfFailure({ stored: orderA, amount: cents(51_600), denied: undefined }).kind).toBe('unavailable');
  });

  test('is unknown if the server has no such payment, even with a stored order', () => {
    expect(stateOfFailure({ stored: orderA, amount: undefined, denied: 'unknown' }).kind).toBe('unknown');
    expect(stateOfFailure({ stored: orderA, amount: undefined, denied: 'expired' }).kind).toBe('expired');
  });

  test('has a readable card name, also for an unknown brand', () => {
    expect(refunded().card).toBe('American Express ending in 0009');
    const unknownBrand = { amount: cents(51_600), cardBrand: 'MOON_CARD', cardLastFour: '1234', capturedAt };
    const state = stateOfAnswer({ ...answer('paid'), payment: unknownBrand });
    expect(state).toMatchObject({ receipt: { card: 'Moon Card ending in 1234' } });
  });
});

describe('the remaining paid amount', () => {
  test('is the whole amount before a refund', () => {
    expect(refunded().remainsPaid).toBe(51_600);
  });

  test('is reduced by completed and pending refunds, but not by failed ones', () => {
    const pending = { ...refund, amount: cents(1_650), status: 'pending' } as const;
    const failed = { ...refund, amount: cents(30_000), status: 'failed' } as const;
    expect(refunded(refund, pending, failed).remainsPaid).toBe(39_950);
  });

  test('is the whole amount if only a second charge was refunded', () => {
    const { remainsPaid, total } = refunded({ ...refund, amount: cents(51_600), refundType: 'second-charge' });
    expect(remainsPaid).toBe(total);
  });

  test('is zero after a full refund', () => {
    expect(refunded({ ...refund, amount: cents(51_600), refundType: 'full' }).remainsPaid).toBe(0);
  });
});

describe('the URL', () => {
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
  ])('with %o is parsed without an error', (search, read) => {
    expect(receiptSearch(search)).toEqual(read);
  });

  test('has an amount only if the text is a valid amount', () => {
    expect(addressAmount({ payment_id: 'x', amount: '476.50' })).toBe(47_650);
    expect(addressAmount({ payment_id: 'x', amount: 'a lot' })).toBeUndefined();
    expect(addressAmount({ payment_id: 'x', amount: -1 })).toBeUndefined();
  });

  test('a payment id of more than ten characters is shortened to eight and an ellipsis', () => {
    expect(shortPaymentId('a1b2c3d4e5f60718')).toBe('a1b2c3d4…');
    expect(shortPaymentId('a1b2c3d4e5')).toBe('a1b2c3d4e5');
  });
});
