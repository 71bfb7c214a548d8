import { cents, sumCents } from '@kilim/domain/money';
import { rugTotal, totalOf } from '@kilim/domain/order/refund-allocation';
import { describe, expect, test } from 'vitest';
import { chargesLeft, type RefundedOrder, refundableOf, splitPreview } from './charges-left.ts';

/** $516.00, and $242.22 with Green Pad; together with a delivery minimum of $41.78 they make $800.00. */
const premium = { baseCost: 476, deliveryCost: 40, totalCost: 516 };
const economy = {
  baseCost: 75.08,
  deliveryCost: 19.25,
  mothProtectionCost: 134.75,
  salesTax: 13.14,
  totalCost: 242.22,
};

type Given = RefundedOrder['refunds'][number];

type Situation = {
  readonly left: readonly [premium: number, economy: number, deliveryMinimum: number];
  readonly refunds?: readonly (Partial<Given> & Pick<Given, 'amount'>)[];
};

/** What of an order the preview looks at. */
function order({ left: [first, second, minimum], refunds = [] }: Situation): RefundedOrder {
  const nothing = { stainProtectionCost: 0, mothProtectionCost: 0, salesTax: 0 };
  const items = [
    { ...nothing, ...premium, refundable: first },
    { ...nothing, ...economy, refundable: second },
  ];
  const amounts = { totalCost: 800, deliveryMinimum: 41.78, refundableDeliveryMinimum: minimum };
  const whole = { ...amounts, remainingRefundable: Math.round((first + second + minimum) * 100) / 100 };
  const made = refunds.map((refund) => ({ status: 'completed' as const, rugItems: [], deliveryMinimum: 0, ...refund }));
  return { order: whole, items, refunds: made };
}

const all = { rugs: [], deliveryMinimum: cents(0) };

describe('what is left of each charge', () => {
  test('is everything before the first refund', () => {
    const untouched = order({ left: [516, 242.22, 41.78] });
    expect(totalOf(chargesLeft(untouched))).toBe(80_000);
    expect(splitPreview(chargesLeft(untouched), cents(80_000), all)).toEqual({
      ...{ services: 55_108, addOns: 13_475, delivery: 5_925, deliveryMinimum: 4_178, salesTax: 1_314 },
    });
  });

  test('is what earlier refunds have not taken; one that failed has taken nothing', () => {
    const refunds = [
      { amount: 500, status: 'failed' as const },
      { amount: 242.22, rugItems: [{ rugIndex: 1, amount: 242.22 }] },
    ];
    const left = chargesLeft(order({ left: [516, 0, 41.78], refunds }));
    expect(left.rugs.map(rugTotal)).toEqual([51_600, 0]);
    expect(splitPreview(left, cents(55_778), all)).toEqual({
      ...{ services: 47_600, addOns: 0, delivery: 4_000, deliveryMinimum: 4_178, salesTax: 0 },
    });
  });

  test('agrees with the server to the cent, also where the page cannot tell how a refund was made up', () => {
    // Taken at Square: no lines, and another share of each rug than the page would work out.
    const refunds = [{ amount: 100, rugItems: [{ rugIndex: 7, amount: 100 }] }];
    const left = chargesLeft(order({ left: [450.01, 208.21, 41.78], refunds }));
    expect(left.rugs.map(rugTotal)).toEqual([45_001, 20_821]);
    expect(left.deliveryMinimum).toBe(4_178);
  });
});

describe('the preview of a refund', () => {
  const untouched = chargesLeft(order({ left: [516, 242.22, 41.78] }));

  test('of one rug is what the rug was charged for', () => {
    const chosen = { rugs: [{ rugIndex: 1, amount: cents(24_222) }], deliveryMinimum: cents(0) };
    expect(splitPreview(untouched, cents(24_222), chosen)).toEqual({
      ...{ services: 7_508, addOns: 13_475, delivery: 1_925, deliveryMinimum: 0, salesTax: 1_314 },
    });
  });

  test('of a free amount adds up to it', () => {
    const split = splitPreview(untouched, cents(10_001), all);
    expect(sumCents(Object.values(split ?? {}))).toBe(10_001);
  });

  test('of more than there is shows nothing', () => {
    expect(splitPreview(untouched, cents(80_001), all)).toBeUndefined();
  });
});

test('the dialog offers what the server says is left', () => {
  expect(refundableOf(order({ left: [516, 0, 41.78] }))).toEqual({
    ...{ total: 80_000, remaining: 55_778, rugs: [51_600, 0], deliveryMinimum: 4_178 },
  });
});
