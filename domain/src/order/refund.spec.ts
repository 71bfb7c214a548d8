import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cents, noCents, sumCents } from '../money.ts';
import { decider } from '../testing/given-when.ts';
import {
  authorizedA,
  capturedA,
  completedA,
  disputeOpenedA,
  disputeWonA,
  externalRefundA,
  failedA,
  orderAPlaced,
  paymentA,
  refundA,
  refundB,
  refundOfFirstRug,
  splitCorrectedA,
  startedA,
  submittedA,
  totalA,
} from '../testing/orders.ts';
import type { OrderEvent } from './events.ts';
import type { RefundId } from './ids.ts';
import {
  decide,
  evolve,
  isConsistent,
  nothingRefunded,
  type RefundState,
  type RequestRefund,
  refundableCharges,
  refundableOf,
  refundBlock,
} from './refund.ts';
import { rugTotal, totalOf } from './refund-allocation.ts';

const { given } = decider({ initial: nothingRefunded, evolve, decide });
const paid = [orderAPlaced, startedA, authorizedA, capturedA] as const;
const nextDay = '2026-11-22T08:00:00.000Z';

const requestRefund = (amount: number, more: Partial<RequestRefund> = {}): RequestRefund => ({
  type: 'RequestRefund',
  refundId: refundB,
  refundType: 'partial',
  amount: cents(amount),
  reason: 'Goodwill',
  items: [],
  deliveryMinimum: noCents,
  requestedBy: 'admin',
  askedAt: nextDay,
  ...more,
});

const stateAfter = (...events: readonly OrderEvent[]): RefundState => events.reduce(evolve, nothingRefunded);

describe('a full refund', () => {
  test('refunds every charge of every rug', () => {
    const asked = requestRefund(totalA, { refundType: 'full' });
    expect(given(...paid).when(asked)).toMatchObject({
      ok: true,
      value: [
        {
          type: 'RefundRequested',
          amount: totalA,
          items: [],
          split: { services: 55_108, addOns: 13_475, delivery: 5925, deliveryMinimum: 0, salesTax: 1314 },
        },
      ],
    });
  });

  test('after a partial refund is the whole rest', () => {
    expect(given(...paid, refundOfFirstRug).when(requestRefund(24_222, { refundType: 'full' }))).toMatchObject({
      ok: true,
      value: [{ split: { services: 7508, addOns: 13_475, delivery: 1925, deliveryMinimum: 0, salesTax: 1314 } }],
    });
  });

  test('of an amount that is not the rest is refused', () => {
    expect(given(...paid).when(requestRefund(100, { refundType: 'full' }))).toEqual({
      ok: false,
      rejection: { code: 'FullAmountDiffers', asked: 100, refundable: totalA },
    });
  });
});

describe('a partial refund', () => {
  test('of one rug refunds exactly the charges of that rug', () => {
    const { amount, reason, items } = refundOfFirstRug;
    const asked = requestRefund(amount, {
      refundId: refundA,
      reason,
      items,
    });
    expect(given(...paid).when(asked)).toEqual({ ok: true, value: [refundOfFirstRug] });
  });

  test('of a free amount is spread over the rest of all charges', () => {
    expect(given(...paid).when(requestRefund(1000))).toMatchObject({
      ok: true,
      value: [{ items: [], split: { services: 727, addOns: 178, delivery: 78, deliveryMinimum: 0, salesTax: 17 } }],
    });
  });

  test('of more than its rugs takes the remainder from all other charges', () => {
    const asked = requestRefund(24_222 + 516, { items: [{ rugIndex: 1, amount: cents(24_222) }] });
    expect(given(...paid).when(asked)).toMatchObject({
      ok: true,
      value: [
        {
          allocation: {
            rugs: [
              { rugIndex: 0, charges: { base: 476, delivery: 40 } },
              { rugIndex: 1, charges: { base: 7508, greenPad: 13_475, salesTax: 1314 } },
            ],
          },
        },
      ],
    });
  });

  test('is limited to the rest after earlier refunds, including pending ones', () => {
    expect(given(...paid, refundOfFirstRug).when(requestRefund(24_223))).toEqual({
      ok: false,
      rejection: { code: 'ExceedsRefundable', asked: 24_223, refundable: 24_222 },
    });
  });

  test('may request the amount of a refund that Square refused immediately', () => {
    const { squareRefundId: _, ...refused } = failedA as OrderEvent & { type: 'RefundFailed' };
    expect(given(...paid, refundOfFirstRug, refused).when(requestRefund(totalA))).toMatchObject({ ok: true });
  });

  test.each([
    ['without a reason', requestRefund(100, { reason: '  ' }), { code: 'ReasonRequired' }],
    ['of nothing', requestRefund(0), { code: 'InvalidAmount', asked: 0 }],
    [
      'of a rug that was not ordered',
      requestRefund(100, { items: [{ rugIndex: 2, amount: cents(100) }] }),
      { code: 'UnknownRug', rugIndex: 2 },
    ],
    [
      'of one rug twice',
      requestRefund(200, {
        items: [
          { rugIndex: 0, amount: cents(100) },
          { rugIndex: 0, amount: cents(100) },
        ],
      }),
      { code: 'RugChosenTwice', rugIndex: 0 },
    ],
    [
      'of a rug for more than it cost',
      requestRefund(51_601, { items: [{ rugIndex: 0, amount: cents(51_601) }] }),
      { code: 'ExceedsRug', rugIndex: 0, asked: 51_601, refundable: 51_600 },
    ],
    [
      'of a rug for nothing',
      requestRefund(100, { items: [{ rugIndex: 0, amount: noCents }] }),
      { code: 'InvalidAmount', asked: 0 },
    ],
    [
      'of rugs for more than its amount',
      requestRefund(99, { items: [{ rugIndex: 0, amount: cents(100) }] }),
      { code: 'ItemsExceedAmount', items: 100, asked: 99 },
    ],
    [
      'of a delivery minimum that was not charged',
      requestRefund(100, { deliveryMinimum: cents(1) }),
      { code: 'ExceedsDeliveryMinimum', asked: 1, refundable: 0 },
    ],
    [
      'of less than no delivery minimum',
      requestRefund(100, { deliveryMinimum: cents(-1) }),
      { code: 'ExceedsDeliveryMinimum', asked: -1, refundable: 0 },
    ],
  ])('%s is refused', (_what, asked, rejection) => {
    expect(given(...paid).when(asked)).toEqual({ ok: false, rejection });
  });

  test('may be one cent of one rug', () => {
    const asked = requestRefund(1, { items: [{ rugIndex: 0, amount: cents(1) }] });
    expect(given(...paid).when(asked)).toMatchObject({
      ok: true,
      value: [{ allocation: { rugs: [{ rugIndex: 0 }] } }],
    });
  });

  test('is recorded with its reason, without the spaces around it, and with the digest of its text, if it has one', () => {
    const recorded = (more: Partial<RequestRefund>) => {
      const decision = given(...paid).when(requestRefund(100, more));
      return decision.ok ? decision.value[0] : expect.fail(decision.rejection.code);
    };
    const textDigest = 'e'.repeat(64);
    expect(recorded({ reason: ' Delay ', textDigest })).toMatchObject({ reason: 'Delay', textDigest });
    expect(recorded({})).not.toHaveProperty('textDigest');
  });

  test('over all refunds a rug is never refunded for more than it cost', () => {
    const asked = requestRefund(100, { items: [{ rugIndex: 0, amount: cents(100) }] });
    expect(given(...paid, refundOfFirstRug).when(asked)).toEqual({
      ok: false,
      rejection: { code: 'ExceedsRug', rugIndex: 0, asked: 100, refundable: 0 },
    });
  });
});

test('a second request with the same id records nothing', () => {
  expect(given(...paid, refundOfFirstRug).when(requestRefund(5, { refundId: refundA }))).toEqual({
    ok: true,
    value: [],
  });
});

describe('a payment cannot be refunded at all', () => {
  const everything: OrderEvent = { ...refundOfFirstRug, amount: totalA, items: [], refundType: 'full' };
  const twenty = Array.from({ length: 20 }, (_, index): readonly OrderEvent[] => {
    const refundId = `refund-number-${String(index).padStart(4, '0')}` as RefundId;
    const asked = given(...paid).when(requestRefund(100, { refundId }));
    return asked.ok ? asked.value : [];
  }).flat();

  test.each<[string, { readonly events: readonly OrderEvent[]; readonly askedAt?: string }, object]>([
    ['before it is taken', { events: [orderAPlaced, startedA, authorizedA] }, { code: 'NotPaid' }],
    ['when all of it is refunded', { events: [...paid, everything] }, { code: 'FullyRefunded' }],
    ['while the bank disputes it', { events: [...paid, disputeOpenedA] }, { code: 'Disputed' }],
    [
      'after Square could not pay a refund',
      { events: [...paid, refundOfFirstRug, submittedA, failedA] },
      { code: 'EarlierRefundFailed', refundId: refundA },
    ],
    ['after twenty refunds', { events: [...paid, ...twenty] }, { code: 'TooManyRefunds', most: 20 }],
    ['after a year', { events: paid, askedAt: '2027-11-22T00:00:00.000Z' }, { code: 'PaymentTooOld' }],
  ])('%s', (_when, { events, askedAt = nextDay }, block) => {
    expect(refundBlock(stateAfter(...events), askedAt)).toEqual(block);
    expect(given(...events).when(requestRefund(1, { askedAt }))).toEqual({ ok: false, rejection: block });
  });

  test('but it can be refunded on the last day of the year, and after a won dispute', () => {
    expect(refundBlock(stateAfter(...paid), '2027-11-21T23:59:59.000Z')).toBeUndefined();
    expect(refundBlock(stateAfter(...paid, disputeOpenedA, disputeWonA), nextDay)).toBeUndefined();
  });

  test('but it can be refunded when Square refused one of twenty', () => {
    const [first] = twenty;
    if (first?.type !== 'RefundRequested') throw new Error('Not requested');
    const refused: OrderEvent = {
      type: 'RefundFailed',
      refundId: first.refundId,
      amount: first.amount,
      code: 'REFUSED',
    };
    expect(refundBlock(stateAfter(...paid, ...twenty, refused), nextDay)).toBeUndefined();
  });

  test.each(['lost', 'accepted'] as const)('after a dispute was %s, which returned the money already', (outcome) => {
    const closed = [...paid, disputeOpenedA, { ...disputeWonA, outcome }];
    expect(refundBlock(stateAfter(...closed), nextDay)).toEqual({ code: 'DisputeLost' });
    const another = { ...disputeOpenedA, squareDisputeId: 'another-dispute' };
    expect(refundBlock(stateAfter(...closed, another), nextDay)).toEqual({ code: 'Disputed' });
  });
});

describe("Square's answers", () => {
  const completion = {
    type: 'RecordCompletion',
    refundId: refundA,
    squareRefundId: 'square-payment-a_refund-a',
    amount: cents(51_600),
    completedAt: '2026-11-22T09:00:00.000Z',
  } as const;
  const submission = {
    type: 'RecordSubmission',
    refundId: refundA,
    squareRefundId: 'square-payment-a_refund-a',
  } as const;
  const failure = {
    type: 'RecordFailure',
    refundId: refundA,
    squareRefundId: 'square-payment-a_refund-a',
    code: 'FAILED',
  } as const;

  test('are recorded once each', () => {
    const requested = [...paid, refundOfFirstRug] as const;
    expect(given(...requested).when(submission)).toEqual({ ok: true, value: [submittedA] });
    expect(given(...requested, submittedA).when(submission)).toEqual({ ok: true, value: [] });
    expect(given(...requested, submittedA).when(completion)).toEqual({ ok: true, value: [completedA] });
    expect(given(...requested, submittedA, completedA).when(completion)).toEqual({ ok: true, value: [] });
    expect(given(...requested, submittedA).when(failure)).toEqual({ ok: true, value: [failedA] });
    expect(given(...requested, submittedA, failedA).when(failure)).toEqual({ ok: true, value: [] });
  });

  test('may arrive out of order: completed before submitted', () => {
    expect(given(...paid, refundOfFirstRug).when(completion)).toEqual({ ok: true, value: [completedA] });
    expect(given(...paid, refundOfFirstRug, completedA).when(submission)).toEqual({ ok: true, value: [] });
  });

  test('never reverse each other', () => {
    const closed = (status: string) => ({ ok: false, rejection: { code: 'RefundClosed', refundId: refundA, status } });
    expect(given(...paid, refundOfFirstRug, completedA).when(failure)).toEqual(closed('completed'));
    expect(given(...paid, refundOfFirstRug, submittedA, failedA).when(completion)).toEqual(closed('failed'));
  });

  test('with a different amount are refused, and a person must look', () => {
    expect(given(...paid, refundOfFirstRug).when({ ...completion, amount: cents(51_599) })).toEqual({
      ok: false,
      rejection: { code: 'AmountDiffers', expected: 51_600, offered: 51_599 },
    });
  });

  test('for an unknown refund are refused', () => {
    expect(given(...paid).when(completion)).toEqual({
      ok: false,
      rejection: { code: 'UnknownRefund', refundId: refundA },
    });
  });
});

test('a refund from the Square dashboard reduces the refundable amount', () => {
  const state = stateAfter(...paid, externalRefundA);
  expect(refundableOf(state)).toBe(totalA - 1000);
  expect(rugTotal(refundableCharges(state).rugs[0] ?? expect.fail('no rug'))).toBe(50_600);
});

test('nothing is refundable before the capture', () => {
  expect([refundableOf, refundableCharges].map((of) => of(stateAfter(orderAPlaced)))).toEqual([
    0,
    { rugs: [], deliveryMinimum: 0 },
  ]);
});

test('a refund that its lines do not add up to is noticed', () => {
  const lost = { rugs: [], deliveryMinimum: noCents };
  expect(isConsistent(stateAfter(...paid, externalRefundA))).toBe(true);
  expect(isConsistent(stateAfter(...paid, { ...externalRefundA, allocation: lost }))).toBe(false);
});

describe('a stream that skips an event is a bug, and the error names', () => {
  test.each<[string, string, readonly OrderEvent[]]>([
    ['the refund that was never requested', refundA, [...paid, submittedA]],
    ['the payment that was never authorised', paymentA, [orderAPlaced, startedA, capturedA]],
    ['the correction of no refund', 'no-refund', [...paid, { ...splitCorrectedA, correctedRefundId: 'no-refund' }]],
  ])('%s', (_, id, events) => expect(() => stateAfter(...events)).toThrow(new RegExp(`(?:refund|Payment) ${id}`)));
});

/** Amounts from zero to too much, with or without chosen rugs. */
const steps = fc.array(
  fc.record({
    amount: fc.integer({ min: -1, max: totalA + 1 }),
    full: fc.boolean(),
    rug: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
    rugAmount: fc.integer({ min: 0, max: 52_000 }),
    end: fc.constantFrom('open', 'refused', 'completed'),
  }),
  { maxLength: 25 },
);

test('for all sequences of requests, the rest is never negative and always the sum of the rests of the lines', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      let state = stateAfter(...paid);
      const given: OrderEvent[] = [];
      for (const [index, step] of sequence.entries()) {
        const refundId = `refund-number-${String(index).padStart(4, '0')}` as RefundId;
        const left = refundableOf(state);
        const amount = step.full ? left : cents(step.amount);
        const items = step.rug === undefined ? [] : [{ rugIndex: step.rug, amount: cents(step.rugAmount) }];
        const decision = decide(
          requestRefund(amount, { refundId, refundType: step.full ? 'full' : 'partial', items }),
          state,
        );
        if (!decision.ok) continue;
        for (const event of decision.value) {
          if (event.type !== 'RefundRequested') continue;
          expect(sumCents(Object.values(event.split))).toBe(event.amount);
          if (step.end !== 'refused') given.push(event);
        }
        state = decision.value.reduce(evolve, state);
        if (step.end === 'refused') {
          const failed = decide({ type: 'RecordFailure', refundId, code: 'REFUND_DECLINED' }, state);
          if (failed.ok) state = failed.value.reduce(evolve, state);
        }
        expect(refundableOf(state)).toBeGreaterThanOrEqual(0);
        expect(refundableOf(state)).toBeLessThanOrEqual(left);
        expect(isConsistent(state)).toBe(true);
      }
      const out = sumCents(given.map((event) => ('amount' in event ? event.amount : noCents)));
      expect(out + totalOf(refundableCharges(state))).toBe(totalA);
    }),
    { numRuns: 300 },
  );
});
