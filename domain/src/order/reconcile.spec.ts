import { describe, expect, test } from 'vitest';
import { cents } from '../money.ts';
import { decider } from '../testing/given-when.ts';
import {
  authorizedA,
  capturedA,
  disputeOpenedA,
  disputeWonA,
  externalRefundA,
  feeA,
  orderA,
  orderAPlaced,
  orphanA,
  paymentA,
  refundOfFirstRug,
  startedA,
  submittedA,
  totalA,
} from '../testing/orders.ts';
import type { OrderEvent } from './events.ts';
import { decide, evolve, nothingReconciled, type SquareFact } from './reconcile.ts';

const { given } = decider({ initial: nothingReconciled, evolve, decide });
const paid = [orderAPlaced, startedA, authorizedA, capturedA] as const;
const nothing = { ok: true, value: [] };

describe("Square's fee", () => {
  const fee = (total: number): SquareFact => ({ type: 'Fee', squareId: 'square-payment-a', total: cents(total) });

  test('is recorded once', () => {
    expect(given(...paid).when(fee(2229))).toEqual({ ok: true, value: [feeA] });
    expect(given(...paid, feeA).when(fee(2229))).toEqual(nothing);
  });

  test('is corrected by the difference, up or down', () => {
    const correction = (amount: number) => ({ ok: true, value: [{ ...feeA, amount }] });
    expect(given(...paid, feeA).when(fee(2300))).toEqual(correction(71));
    expect(given(...paid, feeA).when(fee(2200))).toEqual(correction(-29));
  });

  test('of a refund is counted by itself', () => {
    const ofRefund: SquareFact = { type: 'Fee', squareId: 'square-refund-a', total: cents(-59) };
    expect(given(...paid, feeA).when(ofRefund)).toMatchObject({
      value: [{ squareId: 'square-refund-a', amount: -59 }],
    });
  });
});

describe("a refund from Square's dashboard", () => {
  const external = (amount: number, squareRefundId = 'square-payment-a_dashboard'): SquareFact => ({
    type: 'ExternalRefund',
    squareRefundId,
    amount: cents(amount),
    refundedAt: '2026-11-22T10:00:00.000Z',
  });

  test('is recorded once, with the charges that it gives back', () => {
    const recorded = given(...paid).when(external(totalA));
    expect(recorded).toMatchObject({
      ok: true,
      value: [{ type: 'ExternalRefundRecorded', paymentId: paymentA, amount: totalA, split: { services: 55_108 } }],
    });
    expect(given(...paid, externalRefundA).when(external(1000))).toEqual(nothing);
  });

  test('is not taken for one of ours', () => {
    expect(given(...paid, refundOfFirstRug, submittedA).when(external(51_600, 'square-payment-a_refund-a'))).toEqual(
      nothing,
    );
  });

  test('of more than is left has to wait for a refund of ours that Square will refuse', () => {
    expect(given(...paid, refundOfFirstRug).when(external(totalA))).toEqual({
      ok: false,
      rejection: { code: 'ExceedsRefundable', asked: totalA, refundable: 24_222 },
    });
  });

  test('of a payment that was never taken is refused', () => {
    expect(given(orderAPlaced, startedA).when(external(100))).toEqual({ ok: false, rejection: { code: 'NotPaid' } });
  });
});

describe('a dispute', () => {
  const open: SquareFact = {
    type: 'Dispute',
    squareDisputeId: 'dispute-a',
    amount: totalA,
    reason: 'NOT_AS_DESCRIBED',
    dueAt: '2026-12-01T00:00:00.000Z',
  };

  test('is opened once and closed once', () => {
    expect(given(...paid).when(open)).toEqual({ ok: true, value: [disputeOpenedA] });
    expect(given(...paid, disputeOpenedA).when(open)).toEqual(nothing);
    expect(given(...paid, disputeOpenedA).when({ ...open, outcome: 'won' })).toEqual({
      ok: true,
      value: [disputeWonA],
    });
    expect(given(...paid, disputeOpenedA, disputeWonA).when({ ...open, outcome: 'won' })).toEqual(nothing);
  });

  test('that is found when it is over already is opened and closed', () => {
    expect(given(...paid).when({ ...open, outcome: 'won' })).toEqual({
      ok: true,
      value: [disputeOpenedA, disputeWonA],
    });
  });

  test('that ended and was never opened is a bug', () => {
    expect(() => given(...paid, disputeWonA as OrderEvent).when(open)).toThrow('never opened');
  });
});

test('money that nobody asked for is recorded once, even on an order that is not paid', () => {
  const orphan: SquareFact = {
    type: 'OrphanPayment',
    squarePaymentId: 'square-payment-unknown',
    amount: cents(5000),
    reference: orderA,
    takenAt: '2026-11-21T12:30:00.000Z',
  };
  expect(given(orderAPlaced).when(orphan)).toEqual({ ok: true, value: [orphanA] });
  expect(given(orderAPlaced, orphanA).when(orphan)).toEqual(nothing);
});
