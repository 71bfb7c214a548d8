import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entryOf } from '../accounting/booking.ts';
import type { Day } from '../day.ts';
import { cents, noCents, sumCents } from '../money.ts';
import { decider } from '../testing/given-when.ts';
import {
  authorizedA,
  capturedA,
  completedA,
  disputeOpenedA,
  externalRefundA,
  failedA,
  orderAPlaced,
  refundB,
  refundOfFirstRug,
  reimbursedA,
  reimbursementA,
  startedA,
  submittedA,
  totalA,
} from '../testing/orders.ts';
import type { OrderEvent, RefundAllocation } from './events.ts';
import type { RefundId } from './ids.ts';
import * as refund from './refund.ts';
import { allocate, chargesOf, splitOf } from './refund-allocation.ts';
import { decide, parseReference, type RecordReimbursement } from './reimbursement.ts';

const { given } = decider({ initial: refund.nothingRefunded, evolve: refund.evolve, decide });
const paid = [orderAPlaced, startedA, authorizedA, capturedA] as const;
const possible = { first: '2026-11-21' as Day, last: '2026-11-24' as Day };

const reimburse = (amount: number, more: Partial<RecordReimbursement> = {}): RecordReimbursement => ({
  type: 'RecordReimbursement',
  reimbursementId: reimbursementA,
  amount: cents(amount),
  method: 'check',
  paidOn: '2026-11-23' as Day,
  reference: '1042',
  reason: 'Goodwill',
  reimbursedBy: 'ada',
  recordedAt: '2026-11-24T10:00:00.000Z',
  possible,
  lines: { rugs: [], deliveryMinimum: noCents },
  ...more,
});

const stateAfter = (...events: readonly OrderEvent[]) => events.reduce(refund.evolve, refund.nothingRefunded);

describe('a reimbursement', () => {
  test('counts as refunded at once', () => {
    const recorded = given(...paid).when(reimburse(5_000));
    expect(recorded).toMatchObject({ ok: true, value: [{ type: 'CustomerReimbursed', amount: 5_000 }] });
    if (recorded.ok) expect(refund.refundableOf(stateAfter(...paid, ...recorded.value))).toBe(totalA - 5_000);
  });

  test('is possible after a refund that failed at Square, which takes no more of them', () => {
    const failed = [...paid, refundOfFirstRug, submittedA, failedA] as const;
    expect(refund.refundBlock(stateAfter(...failed), '2026-11-24T10:00:00.000Z')?.code).toBe('EarlierRefundFailed');
    expect(given(...failed).when(reimburse(totalA))).toMatchObject({ ok: true, value: [{ amount: totalA }] });
  });

  test('of a refund that failed has the parts of that refund, each of them once', () => {
    const failed = [...paid, refundOfFirstRug, submittedA, failedA] as const;
    const { amount, allocation, split } = refundOfFirstRug;
    const first = given(...failed).when(reimburse(amount));
    expect(first).toMatchObject({ ok: true, value: [{ allocation, split }] });
    const recorded = first.ok ? first.value : [];
    const again = given(...failed, ...recorded).when(reimburse(amount, { reimbursementId: refundB }));
    expect(again.ok && again.value[0]).not.toMatchObject({ allocation });
    const other = given(...failed).when(reimburse(amount - 1));
    expect(other.ok && other.value[0]).not.toMatchObject({ split: { salesTax: split.salesTax } });
  });

  test('of a refund that failed is for other charges once some of its charges are refunded', () => {
    const minimum = cents(1000);
    const placed = { ...orderAPlaced, lines: { ...orderAPlaced.lines, deliveryMinimum: minimum } };
    const before = [placed, startedA, authorizedA, { ...capturedA, amount: sumCents([totalA, minimum]) }] as const;
    const partOf = (allocation: RefundAllocation, amount: number): OrderEvent[] => [
      { ...refundOfFirstRug, amount: cents(amount), items: [], allocation, split: splitOf(allocation) },
      { ...failedA, amount: cents(amount) },
    ];
    const shared = allocate(chargesOf(placed), cents(5000), { rugs: [], deliveryMinimum: noCents });
    const ofMinimum = { rugs: [], deliveryMinimum: cents(500) };
    const wholeMinimum = { rugs: [], deliveryMinimum: minimum };
    const refundedMinimum = { ...externalRefundA, allocation: wholeMinimum, split: splitOf(wholeMinimum) };
    const cases = [
      { history: [...before, ...partOf(shared, 5000), { ...refundOfFirstRug, refundId: refundB }], amount: 5000 },
      { history: [...before, ...partOf(ofMinimum, 500), refundedMinimum], amount: 500 },
    ];
    for (const { history, amount } of cases) {
      const recorded = given(...history).when(reimburse(amount));
      const events = recorded.ok ? recorded.value : expect.fail(recorded.rejection.code);
      expect(refund.isConsistent(stateAfter(...history, ...events))).toBe(true);
    }
  });

  test('of the amount of a completed refund is shared among all charges', () => {
    const { allocation } = externalRefundA;
    const ofOneRug = { ...refundOfFirstRug, amount: cents(1000), allocation, split: externalRefundA.split };
    const completed = [...paid, ofOneRug, submittedA, { ...completedA, amount: cents(1000) }] as const;
    expect(given(...completed).when(reimburse(1000))).toMatchObject({
      value: [{ allocation: { rugs: [{ rugIndex: 0 }, { rugIndex: 1 }] } }],
    });
  });

  test('may be one cent, paid on the day of the payment or today', () => {
    for (const paidOn of [possible.first, possible.last]) {
      expect(given(...paid).when(reimburse(1, { paidOn }))).toMatchObject({ ok: true, value: [{ amount: 1, paidOn }] });
    }
  });

  test('is for the charges that a person names, also after a refund that failed', () => {
    const { amount } = refundOfFirstRug;
    const lines = { rugs: [], charges: [greenPad(amount)], deliveryMinimum: cents(0) };
    const failed = [...paid, refundOfFirstRug, submittedA, failedA] as const;
    const left = refund.refundableCharges(stateAfter(...failed)).rugs[1]?.greenPad ?? noCents;
    const named = { ...lines, charges: [greenPad(Math.min(left, amount))] };
    const recorded = given(...failed).when(reimburse(amount, { lines: named }));
    const [event] = recorded.ok ? recorded.value : [];
    if (event?.type !== 'CustomerReimbursed') throw new Error('Not recorded');
    expect(event.allocation.rugs.find(({ rugIndex }) => rugIndex === 1)?.charges.greenPad).toBe(
      named.charges[0]?.amount,
    );
  });

  test('is recorded once, however often it is sent', () => {
    expect(given(...paid, reimbursedA).when(reimburse(1_000))).toEqual({ ok: true, value: [] });
  });

  test.each([
    ['before the payment', [orderAPlaced, startedA], reimburse(1), { code: 'NotPaid' }],
    ['during a dispute', [...paid, disputeOpenedA], reimburse(1), { code: 'Disputed' }],
    [
      'of more than the rest',
      [...paid, refundOfFirstRug],
      reimburse(totalA),
      { code: 'ExceedsRefundable', asked: totalA, refundable: totalA - refundOfFirstRug.amount },
    ],
    [
      'for charges of more than its amount',
      [...paid],
      reimburse(99, { lines: { rugs: [], charges: [greenPad(100)], deliveryMinimum: noCents } }),
      { code: 'ItemsExceedAmount', items: 100, asked: 99 },
    ],
    ['of nothing', [...paid], reimburse(0), { code: 'InvalidAmount', asked: 0 }],
    ['before the day of the payment', [...paid], reimburse(1, { paidOn: '2026-11-20' as Day }), impossibleDay()],
    ['in the future', [...paid], reimburse(1, { paidOn: '2026-11-25' as Day }), impossibleDay()],
  ])('is refused %s', (...[, history, command, rejection]) => {
    expect(given(...history).when(command)).toEqual({ ok: false, rejection });
  });

  test('of the whole rest leaves nothing to refund', () => {
    const all = given(...paid).when(reimburse(totalA));
    if (!all.ok) throw new Error(all.rejection.code);
    expect(given(...paid, ...all.value).when(reimburse(1, { reimbursementId: refundB }))).toEqual({
      ok: false,
      rejection: { code: 'FullyRefunded' },
    });
  });

  test('is booked to an account of its own, and not to Square’s', () => {
    const entry = entryOf({ ...days(), event: reimbursedA, basis: undefined, salesTax: undefined });
    expect(entry).toEqual([
      { account: 'refunds', amount: 1000 },
      { account: 'reimbursements', amount: -1000 },
    ]);
  });
});

test('reimbursements never exceed the payment, and their parts add up, after any sequence', () => {
  const steps = fc.array(fc.integer({ min: 1, max: totalA }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(steps, (amounts) => {
      let state = stateAfter(...paid);
      for (const [index, amount] of amounts.entries()) {
        const reimbursementId = `reimbursement-${String(index).padStart(8, '0')}` as RefundId;
        const decided = decide(reimburse(amount, { reimbursementId }), state);
        expect(decided.ok).toBe(amount <= refund.refundableOf(state));
        if (!decided.ok) continue;
        for (const event of decided.value) {
          if (event.type !== 'CustomerReimbursed') throw new Error(event.type);
          expect(sumCents(Object.values(event.split))).toBe(event.amount);
        }
        state = decided.value.reduce(refund.evolve, state);
        expect(refund.isConsistent(state)).toBe(true);
      }
      expect(refund.refundableOf(state)).toBeGreaterThanOrEqual(noCents);
    }),
  );
});

describe('the number of a check or a transfer', () => {
  test.each([
    ['1042', '1042'],
    ['  No. 1042 ', 'No. 1042'],
    ['ACH 2026-11/7', 'ACH 2026-11/7'],
    ['for Ada Lovelace', undefined],
    ['Lovelace, 12', undefined],
    ['1'.repeat(30), '1'.repeat(30)],
    ['1'.repeat(31), undefined],
    ['=1+1', undefined],
    ['', undefined],
  ])('%j is read as %j', (text, expected) => {
    expect(parseReference(text)).toBe(expected);
  });
});

function greenPad(amount: number) {
  return { rugIndex: 1, charge: 'greenPad', amount: cents(amount) } as const;
}

function impossibleDay() {
  return { code: 'ImpossibleDay', ...possible };
}

function days() {
  return { postedOn: possible.last, day: possible.last };
}
