import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cents } from '../money.ts';
import { type OrderSummary, project } from '../projection/order-summary.ts';
import { decider } from '../testing/given-when.ts';
import {
  authorizedA,
  capturedA,
  completedA,
  disputeOpenedA,
  disputeWonA,
  excessRefundA,
  externalRefundA,
  failedA,
  feeA,
  orderA,
  orderAPlaced,
  orphanA,
  orphanReturnedA,
  paymentA,
  refundOfFirstRug,
  startedA,
  submittedA,
  totalA,
} from '../testing/orders.ts';
import type { OrderEvent } from './events.ts';
import type { RefundId } from './ids.ts';
import { isReturned, leftOf } from './orphan.ts';
import { decide, evolve, feesOfNothing, nothingReconciled, type SquareFact } from './reconcile.ts';
import {
  decide as decideRefund,
  evolve as evolveRefunds,
  isConsistent,
  nothingRefunded,
  type Refund,
} from './refund.ts';

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

  test('of a refund is counted separately', () => {
    const ofRefund: SquareFact = { type: 'Fee', squareId: 'square-refund-a', total: cents(-59) };
    expect(given(...paid, feeA).when(ofRefund)).toMatchObject({
      value: [{ squareId: 'square-refund-a', amount: -59 }],
    });
  });
});

test('a fee belongs to the payment or to one of its refunds, and any other one to nothing', () => {
  const feeOf = (squareId: string): OrderEvent => ({ ...feeA, squareId });
  const refunds = [refundOfFirstRug, submittedA, externalRefundA, excessRefundA] as const;
  const ids = [submittedA.squareRefundId, externalRefundA.squareRefundId, excessRefundA.squareRefundId, 'unheard'];
  const state = [...paid, ...refunds, feeA, ...ids.map(feeOf)].reduce(evolve, nothingReconciled);
  expect(feesOfNothing(state)).toEqual([['unheard', feeA.amount]]);
  expect(feesOfNothing(nothingReconciled)).toEqual([]);
});

describe("a refund from Square's dashboard", () => {
  const squareRefundId = 'square-payment-a_dashboard';
  const external = (amount: number, id = squareRefundId): SquareFact => ({
    type: 'ExternalRefund',
    squareRefundId: id,
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

  test('is not confused with a refund requested here', () => {
    expect(given(...paid, refundOfFirstRug, submittedA).when(external(51_600, 'square-payment-a_refund-a'))).toEqual(
      nothing,
    );
  });

  test.each([[[]], [[submittedA]]])(
    'of more than is left waits until Square has decided on a refund that was requested here',
    (more) => {
      expect(given(...paid, refundOfFirstRug, ...more).when(external(totalA))).toEqual({
        ok: false,
        rejection: { code: 'RefundUndecided', asked: totalA, refundable: 24_222 },
      });
    },
  );

  test('that fits is recorded while a refund that was requested here waits', () => {
    expect(given(...paid, refundOfFirstRug).when(external(24_222))).toMatchObject({
      value: [{ type: 'ExternalRefundRecorded', amount: 24_222 }],
    });
  });

  test('of more than the rest is recorded as two parts: the part that fits, and the excess', () => {
    const recorded = given(...paid, refundOfFirstRug, submittedA, completedA).when(external(totalA));
    expect(recorded).toMatchObject({
      ok: true,
      value: [
        { type: 'ExternalRefundRecorded', amount: 24_222 },
        { type: 'ExcessRefundFound', paymentId: paymentA, squareRefundId, amount: 51_600 },
      ],
    });
    const events = recorded.ok ? recorded.value : [];
    const history = [...paid, refundOfFirstRug, submittedA, completedA, ...events];
    expect(given(...history).when(external(totalA))).toEqual(nothing);
    expect(isConsistent(history.reduce(evolveRefunds, nothingRefunded))).toBe(true);
  });

  test('is all excess when nothing is left', () => {
    const recorded = given(...paid, { ...externalRefundA, amount: totalA } as OrderEvent).when(external(2500, 'more'));
    expect(recorded).toMatchObject({ ok: true, value: [{ type: 'ExcessRefundFound', amount: 2500 }] });
    expect(recorded).toHaveProperty('value.length', 1);
    expect(given(...paid, excessRefundA).when(external(2500, 'square-payment-a_dashboard-2'))).toEqual(nothing);
  });

  test('fits once the refund that was requested here has failed', () => {
    expect(given(...paid, refundOfFirstRug, submittedA, failedA).when(external(totalA))).toMatchObject({
      value: [{ type: 'ExternalRefundRecorded', amount: totalA }],
    });
  });

  test('of a payment that was never captured is refused', () => {
    expect(given(orderAPlaced, startedA).when(external(100))).toEqual({ ok: false, rejection: { code: 'NotPaid' } });
  });
});

describe('a dispute', () => {
  const open: SquareFact & { type: 'Dispute' } = {
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

  test('keeps the amount and the deadline that it opened with', () => {
    const { disputes } = [...paid, disputeOpenedA].reduce(evolve, nothingReconciled);
    expect(disputes.get(disputeOpenedA.squareDisputeId)).toEqual({ opened: disputeOpenedA });
  });

  test('without a deadline has none', () => {
    const { dueAt: _, ...undated } = open;
    const opened = given(...paid).when(undated);
    expect(opened.ok && opened.value[0]).not.toHaveProperty('dueAt');
  });

  test('that is first seen after its end is opened and closed', () => {
    expect(given(...paid).when({ ...open, outcome: 'won' })).toEqual({
      ok: true,
      value: [disputeOpenedA, disputeWonA],
    });
  });

  test('that closes without being opened is a bug', () => {
    expect(() => given(...paid, disputeWonA as OrderEvent).when(open)).toThrow('never opened');
  });
});

describe('an orphan payment', () => {
  const orphan: SquareFact = {
    type: 'OrphanPayment',
    squarePaymentId: 'square-payment-unknown',
    amount: cents(5000),
    reference: orderA,
    takenAt: '2026-11-21T12:30:00.000Z',
  };
  const returned = (amount: number, squareRefundId = 'square-payment-unknown_return'): SquareFact => ({
    type: 'OrphanReturn',
    squarePaymentId: 'square-payment-unknown',
    squareRefundId,
    amount: cents(amount),
    returnedAt: '2026-11-21T12:45:00.000Z',
  });

  test('is recorded once, even on an order that is not paid', () => {
    expect(given(orderAPlaced).when(orphan)).toEqual({ ok: true, value: [orphanA] });
    expect(given(orderAPlaced, orphanA).when(orphan)).toEqual(nothing);
  });

  test.each([[[startedA]], [[startedA, authorizedA]]])('is not recorded while an attempt is open', (open) => {
    const rejection = { code: 'PaymentInProgress', paymentId: paymentA };
    expect(given(orderAPlaced, ...open).when(orphan)).toEqual({ ok: false, rejection });
  });

  test('is not recorded if an attempt captured it', () => {
    const rejection = { code: 'PaymentInProgress', paymentId: paymentA };
    expect(given(...paid).when({ ...orphan, squarePaymentId: 'square-payment-a' })).toEqual({ ok: false, rejection });
  });

  test('is returned once, in one refund or in several', () => {
    expect(given(orderAPlaced, orphanA).when(returned(5000))).toEqual({ ok: true, value: [orphanReturnedA] });
    expect(given(orderAPlaced, orphanA, orphanReturnedA).when(returned(5000))).toEqual(nothing);
    const part = { ...orphanReturnedA, amount: cents(2000) } as OrderEvent;
    expect(given(orderAPlaced, orphanA, part).when(returned(3000, 'the-rest'))).toMatchObject({
      value: [{ type: 'OrphanPaymentReturned', squareRefundId: 'the-rest', amount: 3000 }],
    });
    const leftAfter = (...events: readonly OrderEvent[]) => {
      const known = events.reduce(evolve, nothingReconciled).orphans.get('square-payment-unknown');
      if (known === undefined) throw new Error('Not found');
      return { left: leftOf(known), isAllBack: isReturned(known) };
    };
    const tooMuch = { ...orphanReturnedA, amount: cents(5001) } as OrderEvent;
    expect(leftAfter(orphanA)).toEqual({ left: 5000, isAllBack: false });
    expect(leftAfter(orphanA, part)).toEqual({ left: 3000, isAllBack: false });
    expect(leftAfter(orphanA, orphanReturnedA)).toEqual({ left: 0, isAllBack: true });
    expect(leftAfter(orphanA, tooMuch)).toEqual({ left: 0, isAllBack: true });
  });

  test('that was never found cannot be returned', () => {
    expect(given(orderAPlaced).when(returned(5000))).toEqual({
      ok: false,
      rejection: { code: 'UnknownOrphan', squarePaymentId: 'square-payment-unknown' },
    });
    expect(() => given(orderAPlaced, orphanReturnedA).when(orphan)).toThrow('never found');
  });
});

type Step = { readonly kind: 'request' | 'complete' | 'fail' | 'external'; readonly amount: number };
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('request', 'complete', 'fail', 'external'),
    amount: fc.integer({ min: 1, max: totalA }),
  }),
  { maxLength: 15 },
);

test('the ledger records all refunds of Square, and counts no more as refunded than was captured', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const events: OrderEvent[] = [...paid];
      const atSquare = new Map<string, number>();
      for (const [index, step] of taken.entries()) events.push(...eventsOfStep(step, { index, events, atSquare }));
      // Refused while a requested refund waits for Square, and tried again after it.
      for (const refund of undecided(events)) events.push(completionOf(refund, atSquare));
      for (const [squareRefundId, amount] of atSquare) {
        const recorded = given(...events).when({ ...externalOf(squareRefundId), amount: cents(amount) });
        if (!recorded.ok) expect.fail(recorded.rejection.code);
        events.push(...recorded.value);
      }
      const summary = events.reduce<OrderSummary | undefined>((row, event, index) => {
        return project(row, { event, version: index + 1, occurredAt: '2026-11-22T10:00:00.000Z' });
      }, undefined);
      expect(summary?.refunded).toBeLessThanOrEqual(summary?.captured ?? 0);
      const out = events.map((event) => (moneyOut.has(event.type) && 'amount' in event ? event.amount : 0));
      expect(sumOf(out)).toBe(sumOf([...atSquare.values()]));
      expect(isConsistent(events.reduce(evolveRefunds, nothingRefunded))).toBe(true);
    }),
  );
});

const moneyOut: ReadonlySet<string> = new Set(['RefundCompleted', 'ExternalRefundRecorded', 'ExcessRefundFound']);
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
const externalOf = (squareRefundId: string) =>
  ({ type: 'ExternalRefund', squareRefundId, refundedAt: '2026-11-22T10:00:00.000Z' }) as const;

const undecided = (events: readonly OrderEvent[]) =>
  [...events.reduce(evolveRefunds, nothingRefunded).refunds.values()].filter(({ status }) => status === 'requested');

function completionOf({ request }: Refund, atSquare: Map<string, number>): OrderEvent {
  const { refundId, amount } = request;
  const squareRefundId = `ours-${refundId}`;
  atSquare.set(squareRefundId, amount);
  return { type: 'RefundCompleted', refundId, squareRefundId, amount, completedAt: '2026-11-22T09:00:00.000Z' };
}

type Story = {
  readonly index: number;
  readonly events: readonly OrderEvent[];
  /** By refund id. */
  readonly atSquare: Map<string, number>;
};

function eventsOfStep({ kind, amount }: Step, { index, events, atSquare }: Story): readonly OrderEvent[] {
  const [first] = undecided(events);
  switch (kind) {
    case 'request': {
      const asked = decideRefund(
        {
          ...{ type: 'RequestRefund', refundId: `refund-number-${index}-0000` as RefundId, refundType: 'partial' },
          ...{ amount: cents(amount), reason: 'Goodwill', items: [], deliveryMinimum: cents(0), requestedBy: 'admin' },
          askedAt: capturedA.capturedAt,
        },
        events.reduce(evolveRefunds, nothingRefunded),
      );
      return asked.ok ? asked.value : [];
    }
    case 'complete':
      return first === undefined ? [] : [completionOf(first, atSquare)];
    case 'fail':
      return first === undefined
        ? []
        : [{ type: 'RefundFailed', refundId: first.request.refundId, amount: first.request.amount, code: 'REFUSED' }];
    default: {
      const squareRefundId = `external-${index}`;
      atSquare.set(squareRefundId, amount);
      const recorded = given(...events).when({ ...externalOf(squareRefundId), amount: cents(amount) });
      return recorded.ok ? recorded.value : [];
    }
  }
}
