import { expect, test } from 'vitest';
import { chargeEntry } from '../testing/payouts.ts';
import type { SquareEntry } from './events.ts';
import { type KnownAtSquare, withStanding } from './standing.ts';

const known: KnownAtSquare = {
  payments: new Set(['square-payment-a']),
  refunds: new Set(['square-refund-a']),
  disputes: new Set(['dispute-a']),
  orphans: new Set(['square-payment-orphan']),
  returns: new Set(['square-refund-orphan']),
  elsewhere: new Set(['square-payment-counter']),
};

const { standing: _, squarePaymentId: _payment, ...plain } = chargeEntry;
const entry = (activity: string, ids: Partial<SquareEntry> = {}): SquareEntry => ({ ...plain, activity, ...ids });

test.each([
  ['a charge of an order', entry('CHARGE', { squarePaymentId: 'square-payment-a' }), 'order'],
  ['a charge that nobody asked for', entry('CHARGE', { squarePaymentId: 'square-payment-orphan' }), 'orphan'],
  ['a charge at the counter', entry('CHARGE', { squarePaymentId: 'square-payment-counter' }), 'elsewhere'],
  ['a charge that the ledger lacks', entry('CHARGE', { squarePaymentId: 'square-payment-b' }), 'unknown'],
  ['a charge without a payment', entry('CHARGE'), 'unknown'],
  [
    'a refund of an order',
    entry('REFUND', { squarePaymentId: 'square-payment-a', squareRefundId: 'square-refund-a' }),
    'order',
  ],
  [
    "a refund of an order's payment that is not recorded",
    entry('REFUND', { squarePaymentId: 'square-payment-a', squareRefundId: 'square-refund-b' }),
    'unknown',
  ],
  [
    'a refund of an orphan payment that is recorded',
    entry('REFUND', { squarePaymentId: 'square-payment-orphan', squareRefundId: 'square-refund-orphan' }),
    'returned',
  ],
  [
    'a refund of an orphan payment that the ledger lacks',
    entry('REFUND', { squarePaymentId: 'square-payment-orphan', squareRefundId: 'square-refund-c' }),
    'orphan',
  ],
  ['a refund at the counter', entry('REFUND', { squarePaymentId: 'square-payment-counter' }), 'elsewhere'],
  ['a dispute that is recorded', entry('DISPUTE', { squareDisputeId: 'dispute-a' }), 'order'],
  ['a dispute that is open', entry('OPEN_DISPUTE', { squareDisputeId: 'dispute-a' }), 'order'],
  ['a dispute that the ledger lacks', entry('DISPUTE', { squareDisputeId: 'dispute-b' }), 'unknown'],
  ["a correction of the fee of an order's payment", entry('FEE', { squarePaymentId: 'square-payment-a' }), 'order'],
  ['a fee of Square', entry('FEE'), 'square'],
  ['a payout that was made at once', entry('PAYOUT'), 'payout'],
  ['a payout that came back', entry('RETURNED_PAYOUT'), 'payout'],
  ['a reserve', entry('RESERVE_HOLD'), 'square'],
  ['what Square invents tomorrow', entry('TELEPORT'), 'square'],
])('%s', (_what, square, standing) => {
  expect(withStanding(square, known)).toEqual({ ...square, standing });
});
