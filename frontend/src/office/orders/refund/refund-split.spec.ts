import { linesFromWire } from '@kilim/bff/contract/refund-charges';
import { refundRequest } from '@kilim/bff/contract/refund-request';
import { cents, noCents } from '@kilim/domain/money';
import type { OrderEvent, RefundSplit } from '@kilim/domain/order/events';
import type { RefundId } from '@kilim/domain/order/ids';
import {
  decide,
  evolve,
  nothingRefunded,
  type RefundState,
  refundableCharges,
  refundableOf,
} from '@kilim/domain/order/refund';
import { type OrderCharges, totalOf } from '@kilim/domain/order/refund-allocation';
import { rugChargeNames } from '@kilim/domain/quote';
import { paymentA } from '@kilim/domain/testing/orders';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { ChargeName } from './chosen-lines.ts';
import {
  edited,
  emptyForm,
  type FormEdit,
  type Refundable,
  type RefundForm,
  requestOf,
  splitShown,
} from './refund-form.ts';

const noon = '2026-11-21T12:00:00.000Z';

function paid(charges: OrderCharges): RefundState {
  const captured = { paymentId: paymentA, squarePaymentId: 'square-a', amount: totalOf(charges), capturedAt: noon };
  return { ...nothingRefunded, charges, captured };
}

/** As in the order's answer. */
function leftOf(state: RefundState): Refundable {
  const { rugs: paid } = state.charges;
  return { total: totalOf(state.charges), remaining: refundableOf(state), paid, charges: refundableCharges(state) };
}

const keyOf = (place: number) => `refund-number-${String(place).padStart(4, '0')}` as RefundId;

function requested(state: RefundState, form: RefundForm, refundId: RefundId): readonly OrderEvent[] {
  const request = requestOf(form, leftOf(state), { paymentId: paymentA, idempotencyKey: refundId });
  const { rugItems, charges, ...asked } = z.decode(refundRequest, request);
  const command = { ...asked, refundId, items: rugItems, requestedBy: 'ada', askedAt: noon };
  const refundType = asked.refundType === 'full' ? asked.refundType : 'partial';
  const decision = decide(
    {
      type: 'RequestRefund',
      ...command,
      refundType,
      charges: linesFromWire({ rugItems: [], charges, deliveryMinimum: noCents }).charges,
    },
    state,
  );
  return decision.ok ? decision.value : expect.fail(decision.rejection.code);
}

function bookedSplit(events: readonly OrderEvent[]): RefundSplit | undefined {
  return events.find((event) => event.type === 'RefundRequested')?.split;
}

const amounts = fc.integer({ min: 0, max: 20_000 }).map(cents);
const orders: fc.Arbitrary<OrderCharges> = fc.record({
  rugs: fc.array(
    fc.record({ base: amounts, delivery: amounts, stainProtection: amounts, greenPad: amounts, salesTax: amounts }),
    { minLength: 1, maxLength: 3 },
  ),
  deliveryMinimum: amounts,
});

/** Its lines, its part of what is left, and which earlier refund fails after it. */
const steps = fc.array(
  fc.record({
    rugs: fc.subarray([0, 1, 2]),
    charges: fc.array(fc.record({ rugIndex: fc.nat({ max: 2 }), charge: fc.constantFrom(...rugChargeNames) }), {
      maxLength: 6,
    }),
    deliveryMinimum: fc.boolean(),
    thousandths: fc.integer({ min: 1, max: 1000 }),
    failing: fc.nat({ max: 4 }),
  }),
  { minLength: 1, maxLength: 4 },
);

type Step = Pick<RefundForm, 'rugs' | 'charges' | 'deliveryMinimum'> & { readonly thousandths: number };

function filledIn(left: Refundable, { rugs, charges, deliveryMinimum, thousandths }: Step): RefundForm {
  const amount = Math.ceil((left.remaining * thousandths) / 1000);
  const edits: readonly FormEdit[] = [
    { field: 'reason', value: 'Goodwill' },
    { field: 'refundType', value: 'partial' },
    ...rugs.flatMap((rugIndex): FormEdit[] =>
      rugIndex < left.charges.rugs.length ? [{ field: 'rug', rugIndex, chosen: true }] : [],
    ),
    ...charges.flatMap(({ rugIndex, charge }): FormEdit[] =>
      rugIndex < left.charges.rugs.length ? [{ field: 'charge', rugIndex, charge, chosen: true }] : [],
    ),
    { field: 'deliveryMinimum', chosen: deliveryMinimum },
    { field: 'amountText', value: (amount / 100).toFixed(2) },
  ];
  const partial: RefundForm = { ...emptyForm, refundType: 'partial' };
  return edits.reduce((form, edit) => edited(form, edit, left), partial);
}

test('the split that the dialog shows is the split that is booked, also after refunds that failed', () => {
  let compared = 0;
  fc.assert(
    fc.property(orders, steps, (charges, sequence) => {
      let state = paid(charges);
      for (const [place, step] of sequence.entries()) {
        const left = leftOf(state);
        if (left.remaining === 0) return;
        const form = filledIn(left, step);
        const events = requested(state, form, keyOf(place));
        expect(splitShown(form, left)).toEqual(bookedSplit(events));
        compared += 1;
        state = events.reduce(evolve, state);
        const failed = decide({ type: 'RecordFailure', refundId: keyOf(step.failing), code: 'REFUND_DECLINED' }, state);
        if (failed.ok) state = failed.value.reduce(evolve, state);
      }
    }),
    { numRuns: 500 },
  );
  expect(compared).toBeGreaterThan(500);
});

test('a form that asks for more than is left, or for nothing, shows no split', () => {
  const charge = { delivery: cents(0), stainProtection: cents(0), greenPad: cents(0), salesTax: cents(0) };
  const left = leftOf(paid({ rugs: [{ ...charge, base: cents(1_000) }], deliveryMinimum: cents(500) }));
  const partial = edited(emptyForm, { field: 'refundType', value: 'partial' }, left);
  expect(splitShown(partial, left)).toBeUndefined();
  expect(splitShown(edited(partial, { field: 'amountText', value: '15.01' }, left), left)).toBeUndefined();
  expect(splitShown(edited(partial, { field: 'amountText', value: '0' }, left), left)).toBeUndefined();
});

describe('a rug of 178.00 cleaning, 20.00 pickup, 140.00 Green Pad, 40.00 Stain Protection and 17.55 tax', () => {
  const rug = {
    ...{ base: cents(17_800), delivery: cents(2_000), stainProtection: cents(4_000) },
    ...{ greenPad: cents(14_000), salesTax: cents(1_755) },
  };
  const nothing = { services: 0, addOns: 0, delivery: 0, deliveryMinimum: 0, salesTax: 0 };
  const state = paid({ rugs: [rug], deliveryMinimum: cents(0) });
  const chosen = (...charges: readonly ChargeName[]) =>
    charges.reduce(
      (form, charge) => edited(form, { field: 'charge', rugIndex: 0, charge, chosen: true }, leftOf(state)),
      edited({ ...emptyForm, reason: 'Goodwill' }, { field: 'refundType', value: 'partial' }, leftOf(state)),
    );

  test.each<[readonly ChargeName[], string, Partial<RefundSplit>]>([
    [['greenPad'], '153.65', { addOns: cents(14_000), salesTax: cents(1_365) }],
    [['stainProtection'], '43.90', { addOns: cents(4_000), salesTax: cents(390) }],
    [['stainProtection', 'greenPad'], '197.55', { addOns: cents(18_000), salesTax: cents(1_755) }],
    [['salesTax'], '17.55', { salesTax: cents(1_755) }],
    [['greenPad', 'salesTax'], '157.55', { addOns: cents(14_000), salesTax: cents(1_755) }],
    [['delivery'], '20.00', { delivery: cents(2_000) }],
    [['base'], '178.00', { services: cents(17_800) }],
  ])('%j returns %s, and the split says which charges', (charges, amount, split) => {
    const form = chosen(...charges);
    expect(form.amountText).toBe(amount);
    expect(splitShown(form, leftOf(state))).toEqual({ ...nothing, ...split });
    expect(bookedSplit(requested(state, form, keyOf(1)))).toEqual({ ...nothing, ...split });
  });

  test('with all charges is the whole rug, and without one of them its other charges', () => {
    const whole = chosen('base', 'delivery', 'stainProtection', 'greenPad');
    expect(whole).toMatchObject({ rugs: [0], charges: [], amountText: '395.55' });
    const without = edited(
      whole,
      { field: 'charge', rugIndex: 0, charge: 'stainProtection', chosen: false },
      leftOf(state),
    );
    expect(without).toMatchObject({ rugs: [], amountText: '351.65' });
    expect(splitShown(without, leftOf(state))).toEqual({
      ...nothing,
      ...{ services: 17_800, delivery: 2_000, addOns: 14_000, salesTax: 1_365 },
    });
  });

  test('returns a part of an add-on with at most its part of the tax', () => {
    const form = edited(chosen('greenPad'), { field: 'amountText', value: '76.83' }, leftOf(state));
    expect(splitShown(form, leftOf(state))).toEqual({ ...nothing, addOns: 7_000, salesTax: 683 });
  });
});
