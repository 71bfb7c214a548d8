import { refundRequest } from '@kilim/bff/contract/refund-request';
import { cents } from '@kilim/domain/money';
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
import { paymentA } from '@kilim/domain/testing/orders';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
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

/** The dialog's input for a state, as in the order's answer. */
function leftOf(state: RefundState): Refundable {
  return { total: totalOf(state.charges), remaining: refundableOf(state), charges: refundableCharges(state) };
}

const keyOf = (place: number) => `refund-number-${String(place).padStart(4, '0')}` as RefundId;

function requested(state: RefundState, form: RefundForm, refundId: RefundId): readonly OrderEvent[] {
  const request = requestOf(form, leftOf(state), { paymentId: paymentA, idempotencyKey: refundId });
  const { rugItems, ...asked } = z.decode(refundRequest, request);
  const decision = decide(
    { type: 'RequestRefund', ...asked, refundId, items: rugItems, requestedBy: 'ada', askedAt: noon },
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

/** One refund: its chosen lines, its part of what is left, and which earlier refund fails after it. */
const steps = fc.array(
  fc.record({
    rugs: fc.subarray([0, 1, 2]),
    deliveryMinimum: fc.boolean(),
    thousandths: fc.integer({ min: 1, max: 1000 }),
    failing: fc.nat({ max: 4 }),
  }),
  { minLength: 1, maxLength: 4 },
);

type Step = Pick<RefundForm, 'rugs' | 'deliveryMinimum'> & { readonly thousandths: number };

function filledIn(left: Refundable, { rugs, deliveryMinimum, thousandths }: Step): RefundForm {
  const amount = Math.ceil((left.remaining * thousandths) / 1000);
  const edits: readonly FormEdit[] = [
    { field: 'reason', value: 'Goodwill' },
    { field: 'refundType', value: 'partial' },
    ...rugs.flatMap((rugIndex): FormEdit[] =>
      rugIndex < left.charges.rugs.length ? [{ field: 'rug', rugIndex, chosen: true }] : [],
    ),
    { field: 'deliveryMinimum', chosen: deliveryMinimum },
    { field: 'amountText', value: (amount / 100).toFixed(2) },
  ];
  return edits.reduce((form, edit) => edited(form, edit, left), emptyForm);
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
