import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entryOf } from '../accounting/booking.ts';
import type { Day } from '../day.ts';
import { type Cents, cents, noCents, sumCents } from '../money.ts';
import { refundHistory } from '../projection/refund-history.ts';
import { rugChargeNames } from '../quote.ts';
import { decider } from '../testing/given-when.ts';
import {
  authorizedA,
  capturedA,
  completedA,
  externalRefundA,
  failedA,
  orderA,
  orderAPlaced,
  refundOfFirstRug,
  reimbursedA,
  splitCorrectedA,
  startedA,
  submittedA,
} from '../testing/orders.ts';
import type { OrderEvent } from './events.ts';
import * as refund from './refund.ts';
import { allocate, splitOf } from './refund-allocation.ts';
import { completedRefunds, decide } from './split-correction.ts';

const { given } = decider({ initial: refund.nothingRefunded, evolve: refund.evolve, decide });
const paid = [orderAPlaced, startedA, authorizedA, capturedA] as const;
const stateAfter = (...events: readonly OrderEvent[]) => events.reduce(refund.evolve, refund.nothingRefunded);
const days = { postedOn: '2026-11-24' as Day, day: '2026-11-24' as Day };

const charge = (name: (typeof rugChargeNames)[number], amount: number) =>
  ({ rugIndex: 1, charge: name, amount: cents(amount) }) as const;
const correct = (correctedRefundId: string, ...charges: readonly ReturnType<typeof charge>[]) => ({
  correctedRefundId,
  lines: { rugs: [], charges, deliveryMinimum: noCents },
  why: 'Made in the dashboard of Square' as const,
  by: 'ada',
});
const [greenPad, salesTax] = [charge('greenPad', 910), charge('salesTax', 90)];

describe('the parts of a refund are corrected', () => {
  test('of one that was made in Square’s dashboard, and the tax is no longer owed', () => {
    const id = externalRefundA.squareRefundId;
    const corrected = given(...paid, externalRefundA).when(correct(id, greenPad, salesTax));
    expect(corrected).toStrictEqual({ ok: true, value: [splitCorrectedA] });
    expect(entryOf({ ...days, event: splitCorrectedA, basis: undefined, salesTax: undefined })).toEqual([
      { account: 'salesTaxPayable', amount: 90 },
      { account: 'refunds', amount: -90 },
    ]);
    const state = stateAfter(...paid, externalRefundA, splitCorrectedA);
    const before = refund.refundableCharges(stateAfter(...paid));
    expect(refund.refundableCharges(state).rugs[0]).toEqual(before.rugs[0]);
    expect(refund.refundableCharges(state).rugs[1]?.salesTax).toBe((before.rugs[1]?.salesTax ?? 0) - 90);
    expect(refund.isConsistent(state)).toBe(true);
  });

  test.each([
    ['the office', [refundOfFirstRug, submittedA, completedA], refundOfFirstRug.refundId, refundOfFirstRug.reason],
    ['a check', [reimbursedA], reimbursedA.reimbursementId, reimbursedA.reason],
  ] as const)('of one by %s, with its reason', (...[, events, id, reason]) => {
    const corrected = given(...paid, ...events).when(correct(id, greenPad, salesTax));
    expect(corrected).toMatchObject({ ok: true, value: [{ correctedRefundId: id, reason }] });
    const [row] = refundHistory(
      orderA,
      [...paid, ...events, ...(corrected.ok ? corrected.value : [])].map((event) => ({
        event,
        version: 1,
        occurredAt: '2026-11-24T10:00:00.000Z',
      })),
    );
    const [event] = corrected.ok ? corrected.value : [];
    if (event?.type !== 'RefundSplitCorrected') throw new Error('Not corrected');
    expect(row).toMatchObject({ refundId: id, status: 'completed', split: event.split });
    expect(row?.items.map(({ rugIndex }) => rugIndex)).toContain(1);
    const { amount, allocation } = event;
    expect(completedRefunds(stateAfter(...paid, ...events, event)).get(id)).toMatchObject({ amount, allocation });
  });

  test('once, however often it is asked for', () => {
    const again = given(...paid, externalRefundA, splitCorrectedA);
    expect(again.when(correct(externalRefundA.squareRefundId, greenPad, salesTax))).toEqual({ ok: true, value: [] });
  });

  test.each([
    ['an unknown one', [], correct('unheard'), { code: 'UnknownRefund', refundId: 'unheard' }],
    [
      'one with an id of ours that was never requested',
      [],
      correct(refundOfFirstRug.refundId),
      { code: 'UnknownRefund', refundId: refundOfFirstRug.refundId },
    ],
    [
      'one that did not reach the customer',
      [refundOfFirstRug, submittedA, failedA],
      correct(refundOfFirstRug.refundId, greenPad),
      { code: 'NotCompleted' },
    ],
    [
      'to more than its amount',
      [externalRefundA],
      correct(externalRefundA.squareRefundId, charge('greenPad', 1001)),
      { code: 'ItemsExceedAmount', items: 1001, asked: 1000 },
    ],
  ] as const)('but not %s', (...[, events, command, rejection]) => {
    expect(given(...paid, ...events).when(command)).toEqual({ ok: false, rejection });
  });
});

test('whatever was refunded and corrected, the parts add up, and what is left is the charges without them', () => {
  const step = fc.record({
    amount: fc.integer({ min: 1, max: 20_000 }),
    isCorrection: fc.boolean(),
    chosen: fc.constantFrom(...rugChargeNames),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let events: readonly OrderEvent[] = paid;
      for (const [index, { amount, isCorrection, chosen }] of steps.entries()) {
        const state = stateAfter(...events);
        const [last] = [...completedRefunds(state)].slice(-1);
        if (isCorrection && last !== undefined) {
          const left = refund.refundableCharges(state).rugs[1]?.[chosen] ?? noCents;
          const part = Math.min(left, last[1].amount);
          const named = part === 0 ? [] : [charge(chosen, part)];
          const decided = decide(correct(last[0], ...named), state);
          if (!decided.ok) throw new Error(decided.rejection.code);
          events = [...events, ...decided.value];
        } else if (amount <= refund.refundableOf(state)) {
          const allocation = allocate(refund.refundableCharges(state), cents(amount), {
            rugs: [],
            deliveryMinimum: noCents,
          });
          const about = { squareRefundId: `square-${index}`, amount: cents(amount), allocation };
          events = [...events, { ...externalRefundA, ...about, split: splitOf(allocation) }];
        }
        const after = stateAfter(...events);
        expect(refund.isConsistent(after)).toBe(true);
        for (const { amount: whole, allocation } of completedRefunds(after).values()) {
          expect(sumCents(Object.values(splitOf(allocation)) as Cents[])).toBe(whole);
        }
      }
    }),
  );
});
