import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cents, cents, noCents, sumCents } from '../money.ts';
import { type RugCharges, rugChargeNames } from '../quote.ts';
import { decider } from '../testing/given-when.ts';
import { authorizedA, capturedA, orderAPlaced, startedA } from '../testing/orders.ts';
import { taxWith } from './chosen-charges.ts';
import type { OrderEvent, OrderPlaced, RefundedCharge, RefundRequested } from './events.ts';
import type { RefundId } from './ids.ts';
import { decide, evolve, nothingRefunded, type RequestRefund, refundableCharges, refundableOf } from './refund.ts';
import { chargesOf, noRugCharges, totalOf } from './refund-allocation.ts';

const { given } = decider({ initial: nothingRefunded, evolve, decide });
const noRug = noRugCharges;

function paid(rugs: readonly RugCharges[], deliveryMinimum = noCents): readonly OrderEvent[] {
  const sold = rugs.map((charges) => {
    const [rug] = orderAPlaced.rugs;
    if (rug === undefined) throw new Error('The sample has no rug');
    return { ...rug, charges, total: sumCents(Object.values(charges)) };
  });
  const lines = { ...orderAPlaced.lines, deliveryMinimum };
  const placed: OrderPlaced = { ...orderAPlaced, rugs: sold, lines };
  const total = totalOf(chargesOf(placed));
  return [{ ...placed, total }, { ...startedA, amount: total }, authorizedA, { ...capturedA, amount: total }];
}

/** 178.00 cleaning, 20.00 pickup, 140.00 Green Pad and 13.65 tax. */
const withGreenPad: RugCharges = {
  ...{ base: cents(17_800), delivery: cents(2_000), stainProtection: noCents },
  ...{ greenPad: cents(14_000), salesTax: cents(1_365) },
};

const idOf = (place: number) => `refund-number-${String(place).padStart(4, '0')}` as RefundId;

function request(amount: number, charges: readonly RefundedCharge[], more: Partial<RequestRefund> = {}): RequestRefund {
  return {
    ...{ type: 'RequestRefund', refundId: idOf(0), refundType: 'partial', amount: cents(amount), reason: 'Goodwill' },
    ...{ items: [], charges, deliveryMinimum: noCents, requestedBy: 'admin', askedAt: '2026-11-22T08:00:00.000Z' },
    ...more,
  };
}

const of = (charge: keyof RugCharges, amount: number, rugIndex = 0): RefundedCharge => ({
  rugIndex,
  charge,
  amount: cents(amount),
});

describe('a refund by charge', () => {
  const nothing = { services: 0, addOns: 0, delivery: 0, deliveryMinimum: 0, salesTax: 0 };

  test.each<[string, number, readonly RefundedCharge[], object]>([
    [
      'Green Pad with its tax',
      15_365,
      [of('greenPad', 14_000), of('salesTax', 1_365)],
      { addOns: 14_000, salesTax: 1_365 },
    ],
    ['the tax alone', 1_365, [of('salesTax', 1_365)], { salesTax: 1_365 }],
    ['the pickup alone', 2_000, [of('delivery', 2_000)], { delivery: 2_000 }],
    ['a part of the cleaning', 5_000, [of('base', 5_000)], { services: 5_000 }],
  ])('of %s is split as it was chosen', (...[, amount, charges, split]) => {
    expect(given(...paid([withGreenPad])).when(request(amount, charges))).toMatchObject({
      ok: true,
      value: [{ amount, items: [{ rugIndex: 0, amount }], charges, split: { ...nothing, ...split } }],
    });
  });

  test('and a whole rug and the delivery minimum are one refund', () => {
    const order = paid([withGreenPad, withGreenPad], cents(500));
    const whole = { rugIndex: 1, amount: cents(35_165) };
    const asked = request(35_165 + 14_000 + 500, [of('greenPad', 14_000)], {
      items: [whole],
      deliveryMinimum: cents(500),
    });
    expect(given(...order).when(asked)).toMatchObject({
      ok: true,
      value: [
        {
          items: [whole, { rugIndex: 0, amount: 14_000 }],
          split: { services: 17_800, addOns: 28_000, delivery: 2_000, deliveryMinimum: 500, salesTax: 1_365 },
        },
      ],
    });
  });

  test('with an amount beyond the charges spreads the rest over everything that is left', () => {
    const decision = given(...paid([withGreenPad])).when(request(14_100, [of('greenPad', 14_000)]));
    expect(decision).toMatchObject({ ok: true, value: [{ split: { addOns: 14_000 } }] });
    if (!decision.ok) return;
    expect(decision.value.map((event) => (event.type === 'RefundRequested' ? event.split : undefined))).toEqual([
      { services: 84, addOns: 14_000, delivery: 10, deliveryMinimum: 0, salesTax: 6 },
    ]);
  });

  const left = { rugIndex: 0, charge: 'greenPad' } as const;
  test.each<[string, RequestRefund, object]>([
    [
      'more than the charge',
      request(14_001, [of('greenPad', 14_001)]),
      { code: 'ExceedsCharge', ...left, asked: 14_001, refundable: 14_000 },
    ],
    ['a charge of nothing', request(1, [of('stainProtection', 1)]), { code: 'ExceedsCharge', refundable: 0 }],
    [
      'a charge twice',
      request(200, [of('greenPad', 100), of('greenPad', 100)]),
      { code: 'ChargeChosenTwice', ...left },
    ],
    [
      'a charge of a whole rug',
      request(200, [of('greenPad', 100)], { items: [{ rugIndex: 0, amount: cents(100) }] }),
      { code: 'RugChosenTwice', rugIndex: 0 },
    ],
    ['a charge of an unknown rug', request(100, [of('base', 100, 1)]), { code: 'UnknownRug', rugIndex: 1 }],
    ['no amount', request(100, [of('base', 0)]), { code: 'InvalidAmount', asked: 0 }],
    [
      'charges for more than the amount',
      request(99, [of('base', 100)]),
      { code: 'ItemsExceedAmount', items: 100, asked: 99 },
    ],
  ])('of %s is refused', (_, asked, rejection) => {
    expect(given(...paid([withGreenPad])).when(asked)).toMatchObject({ ok: false, rejection });
  });
});

const amounts = fc.integer({ min: 0, max: 30_000 }).map(cents);
const rugs = fc
  .record({ base: amounts, delivery: amounts, stainProtection: amounts, greenPad: amounts })
  .map((charges): RugCharges => {
    const tax = Math.round((charges.stainProtection + charges.greenPad) * 0.0975);
    return { ...charges, salesTax: cents(tax) };
  });

describe('the tax that goes back with add-ons', () => {
  test('in any parts is exactly the tax of the rug, and each add-on returns only its own share', () => {
    fc.assert(
      fc.property(
        rugs,
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 999 })), { maxLength: 12 }),
        (rug, steps) => {
          let rest = rug;
          const returned = { stainProtection: 0, greenPad: 0 };
          const take = (name: 'stainProtection' | 'greenPad', amount: Cents) => {
            const tax = taxWith(rug, rest, { ...{ stainProtection: noCents, greenPad: noCents }, [name]: amount });
            returned[name] += tax;
            rest = { ...rest, [name]: cents(rest[name] - amount), salesTax: cents(rest.salesTax - tax) };
          };
          for (const [isPad, thousandths] of steps) {
            const name = isPad ? 'greenPad' : 'stainProtection';
            take(name, cents(Math.floor((rest[name] * thousandths) / 1000)));
          }
          const exact = (name: 'stainProtection' | 'greenPad') =>
            rug.salesTax === 0 ? 0 : (rug.salesTax * rug[name]) / (rug.stainProtection + rug.greenPad);
          expect(returned.greenPad).toBeLessThan(exact('greenPad') + 1);
          expect(returned.stainProtection).toBeLessThan(exact('stainProtection') + 1);
          take('greenPad', rest.greenPad);
          take('stainProtection', rest.stainProtection);
          expect(rest.salesTax).toBe(0);
          const whole = taxWith(rug, rug, { stainProtection: rug.stainProtection, greenPad: noCents });
          expect(returned.stainProtection).toBe(whole);
        },
      ),
    );
  });

  test('is never more than is left, when tax was refunded before', () => {
    const rest = { ...withGreenPad, salesTax: cents(65) };
    expect(taxWith(withGreenPad, rest, { stainProtection: noCents, greenPad: cents(14_000) })).toBe(65);
    expect(taxWith(noRug, noRug, { stainProtection: noCents, greenPad: noCents })).toBe(0);
  });
});

/** Some fail, and some are made at Square. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('rug', 'charge', 'charges', 'free', 'failure'),
    rugIndex: fc.nat({ max: 2 }),
    charge: fc.constantFrom(...rugChargeNames),
    // Above 1000 it asks for more than is left.
    thousandths: fc.integer({ min: 1, max: 1_200 }),
    failing: fc.nat({ max: 8 }),
  }),
  { maxLength: 10 },
);
type Step = typeof steps extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

function requestOf(
  { kind, rugIndex, charge, thousandths }: Step,
  place: number,
  state: typeof nothingRefunded,
): RequestRefund {
  const rest = refundableCharges(state);
  const rug = rest.rugs[rugIndex] ?? noRug;
  const part = (amount: number) => cents(Math.ceil((amount * thousandths) / 1000));
  const refundId = idOf(place);
  if (kind === 'rug') {
    const amount = part(sumCents(Object.values(rug)));
    return request(amount, [], { refundId, items: [{ rugIndex, amount }] });
  }
  if (kind === 'charge') return request(part(rug[charge]), [of(charge, part(rug[charge]), rugIndex)], { refundId });
  if (kind === 'charges') {
    const charges = rugChargeNames
      .map((name) => of(name, part(rug[name]), rugIndex))
      .filter(({ amount }) => amount > 0);
    const amount = sumCents(charges.map((item) => item.amount));
    return request(amount + (place % 3), charges, { refundId });
  }
  return request(part(refundableOf(state)), [], { refundId });
}

test('no sequence of refunds by rug, by charge and of free amounts returns more than a charge or the total', () => {
  let made = 0;
  fc.assert(
    fc.property(fc.array(rugs, { minLength: 1, maxLength: 3 }), amounts, steps, (charges, minimum, sequence) => {
      const placed = paid(charges, minimum);
      let state = placed.reduce(evolve, nothingRefunded);
      const total = refundableOf(state);
      const booked = new Map<RefundId, RefundRequested>();
      for (const [place, step] of sequence.entries()) {
        const decision =
          step.kind === 'failure'
            ? decide({ type: 'RecordFailure', refundId: idOf(step.failing), code: 'REFUND_DECLINED' }, state)
            : decide(requestOf(step, place, state), state);
        if (!decision.ok) continue;
        for (const event of decision.value) {
          if (event.type === 'RefundRequested') booked.set(event.refundId, event);
          if (event.type === 'RefundFailed') booked.delete(event.refundId);
        }
        state = decision.value.reduce(evolve, state);
        for (const { amount, split, allocation } of booked.values()) {
          expect(sumCents(Object.values(split))).toBe(amount);
          expect(totalOf({ ...allocation, rugs: allocation.rugs.map((rug) => rug.charges) })).toBe(amount);
        }
        const given = [...booked.values()];
        const returned = (rugIndex: number, name: keyof RugCharges) =>
          sumCents(
            given.flatMap(({ allocation }) =>
              allocation.rugs.filter((rug) => rug.rugIndex === rugIndex).map((rug) => rug.charges[name]),
            ),
          );
        for (const [rugIndex, rug] of charges.entries()) {
          for (const name of rugChargeNames) {
            expect(returned(rugIndex, name)).toBeLessThanOrEqual(rug[name]);
            expect(refundableCharges(state).rugs[rugIndex]?.[name]).toBe(rug[name] - returned(rugIndex, name));
          }
        }
        const sum = sumCents(given.map(({ amount }) => amount));
        expect(sum).toBeLessThanOrEqual(total);
        expect(refundableOf(state)).toBe(total - sum);
        made += 1;
      }
    }),
    { numRuns: 300 },
  );
  expect(made).toBeGreaterThan(300);
});
