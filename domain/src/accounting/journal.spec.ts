import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deliveryOptions, tiers } from '../catalog.ts';
import { type Cents, cents, sumCents } from '../money.ts';
import type { OrderEvent } from '../order/events.ts';
import * as place from '../order/place.ts';
import * as refund from '../order/refund.ts';
import { quoteOrder } from '../quote.ts';
import { builtInRates } from '../rates.ts';
import { choose, newRug, side } from '../rug.ts';
import {
  authorizedA,
  capturedA,
  completedA,
  contactErasedA,
  declinedA,
  disputeOpenedA,
  disputeWonA,
  excessRefundA,
  externalRefundA,
  failedA,
  feeA,
  orderAPlaced,
  orphanA,
  orphanReturnedA,
  placeOrderA,
  refundA,
  refundOfFirstRug,
  startedA,
  submittedA,
  totalA,
  voidedA,
} from '../testing/orders.ts';
import type { Account, Posting } from './chart.ts';
import { evolve, nothingBooked, postingsOf } from './journal.ts';
import { bookedTypes } from './money-of-events.ts';

function booked(...events: readonly OrderEvent[]): readonly Posting[] {
  const last = events.at(-1) ?? expect.fail('no event');
  return postingsOf(last, events.slice(0, -1).reduce(evolve, nothingBooked));
}

const asTable = (postings: readonly Posting[]) =>
  Object.fromEntries(postings.map(({ account, amount }) => [account, amount]));

describe('an order that is paid', () => {
  test('is income by tier, add-ons, delivery and tax, against the clearing account', () => {
    expect(asTable(booked(orderAPlaced, startedA, authorizedA, capturedA))).toEqual({
      clearing: 75_822,
      premiumRevenue: -47_600,
      economyRevenue: -7508,
      addOnRevenue: -13_475,
      deliveryRevenue: -5925,
      salesTaxPayable: -1314,
    });
  });
});

describe('a refund', () => {
  test('is booked when it is completed, with the tax that is no longer owed', () => {
    expect(asTable(booked(orderAPlaced, refundOfFirstRug, completedA))).toEqual({ refunds: 51_600, clearing: -51_600 });
    const taxed: OrderEvent = {
      ...externalRefundA,
      amount: cents(110),
      split: {
        services: cents(0),
        addOns: cents(100),
        delivery: cents(0),
        deliveryMinimum: cents(0),
        salesTax: cents(10),
      },
    } as OrderEvent;
    expect(asTable(booked(orderAPlaced, taxed))).toEqual({ refunds: 100, salesTaxPayable: 10, clearing: -110 });
  });
});

test("Square's fee is a cost, and a returned fee reduces the cost", () => {
  expect(asTable(booked(feeA))).toEqual({ processingFees: 2229, clearing: -2229 });
  expect(asTable(booked({ ...feeA, amount: cents(-29) } as OrderEvent))).toEqual({ processingFees: -29, clearing: 29 });
});

describe('a dispute', () => {
  const lost = { ...disputeWonA, outcome: 'lost' } as OrderEvent;

  test('takes the money when it opens, and gives it back only when it is won', () => {
    expect(asTable(booked(disputeOpenedA))).toEqual({ disputes: totalA, clearing: -totalA });
    expect(asTable(booked(disputeOpenedA, disputeWonA))).toEqual({ disputes: -totalA, clearing: totalA });
    expect(booked(disputeOpenedA, lost)).toEqual([]);
  });
});

test('an orphan payment is booked to unidentified receipts', () => {
  expect(asTable(booked(orphanA))).toEqual({ clearing: 5000, unidentifiedReceipts: -5000 });
});

test('a return clears its orphan payment, and an excess refund is booked to unidentified receipts', () => {
  expect(asTable(booked(orphanA, orphanReturnedA))).toEqual({ clearing: -5000, unidentifiedReceipts: 5000 });
  expect([...balances([orphanA, orphanReturnedA]).values()]).toEqual([0, 0]);
  expect(asTable(booked(orderAPlaced, excessRefundA))).toEqual({ clearing: -2500, unidentifiedReceipts: 2500 });
});

test.each([
  orderAPlaced,
  startedA,
  authorizedA,
  declinedA,
  voidedA,
  refundOfFirstRug,
  submittedA,
  failedA,
  contactErasedA,
])('an event that moves no money is not booked: $type', (event) => {
  expect(booked(orderAPlaced, refundOfFirstRug, event)).toEqual([]);
  expect(bookedTypes).not.toContain(event.type);
});

test.each([
  capturedA,
  completedA,
  externalRefundA,
  excessRefundA,
  feeA,
  disputeOpenedA,
  disputeWonA,
  orphanA,
  orphanReturnedA,
])('events that move money are read by the accountants: $type', (event) => {
  expect(booked(orderAPlaced, refundOfFirstRug, event)).not.toEqual([]);
  expect(bookedTypes).toContain(event.type);
});

test('a refund that was completed and never requested is a bug', () => {
  expect(() => booked(orderAPlaced, completedA)).toThrow(`Refund ${refundA}`);
});

const rugs = fc.array(
  fc.record({
    tier: fc.constantFrom(...tiers),
    width: fc.integer({ min: 1, max: 30 }),
    length: fc.integer({ min: 1, max: 30 }),
    inches: fc.integer({ min: 0, max: 11 }),
    stainProtection: fc.boolean(),
    greenPad: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

test('for all sales and refunds, debits equal credits, and the clearing account holds what Square has', () => {
  fc.assert(
    fc.property(
      rugs,
      fc.constantFrom(...deliveryOptions),
      fc.array(fc.nat(), { maxLength: 5 }),
      (ordered, deliveryOption, wanted) => {
        const sized = ordered.map(({ tier, width, length, inches, ...addOns }) => ({
          ...choose(newRug, { tier }),
          width: side(width, inches),
          length: side(length, 0),
          greenPad: addOns.greenPad,
          stainProtection: tier === 'premium' || addOns.stainProtection,
        }));
        const quote = quoteOrder({ rugs: sized, deliveryOption }, builtInRates);
        const placed = place.decide({ ...placeOrderA, quote }, place.notPlaced);
        if (!placed.ok) return;
        const events: OrderEvent[] = [...placed.value, startedA, authorizedA, { ...capturedA, amount: quote.total }];
        for (const [index, nat] of wanted.entries()) events.push(...refundOf(events, index, nat));

        const balance = balances(events);
        expect(sumCents(balance.values())).toBe(0);
        const out = events.flatMap((event) => (event.type === 'RefundCompleted' ? [event.amount] : []));
        expect(balance.get('clearing') ?? 0).toBe(quote.total - sumCents(out));
        if (balance.get('clearing') === 0) expect(balance.get('salesTaxPayable') ?? 0).toBe(0);
      },
    ),
  );
});

function refundOf(events: readonly OrderEvent[], index: number, nat: number): readonly OrderEvent[] {
  const state = events.reduce(refund.evolve, refund.nothingRefunded);
  const left = refund.refundableOf(state);
  const refundId = `refund-number-${String(index).padStart(4, '0')}` as typeof refundA;
  const amount = cents(nat % 3 === 0 ? left : nat % (left + 1));
  const asked = refund.decide(
    {
      type: 'RequestRefund',
      refundId,
      refundType: amount === left ? 'full' : 'partial',
      amount,
      reason: 'Goodwill',
      items: [],
      deliveryMinimum: cents(0),
      requestedBy: 'admin',
      askedAt: capturedA.capturedAt,
    },
    state,
  );
  if (!asked.ok) return [];
  return [...asked.value, { ...completedA, refundId, amount } as OrderEvent];
}

function balances(events: readonly OrderEvent[]): ReadonlyMap<Account, Cents> {
  const balance = new Map<Account, Cents>();
  let state = nothingBooked;
  for (const event of events) {
    const entry = postingsOf(event, state);
    expect(sumCents(entry.map(({ amount }) => amount))).toBe(0);
    for (const { account, amount } of entry) balance.set(account, cents((balance.get(account) ?? 0) + amount));
    state = evolve(state, event);
  }
  return balance;
}
