import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Day } from '../day.ts';
import { type Cents, cents, noCents, sumCents } from '../money.ts';
import type { DisputeClosed, ExternalRefundRecorded, OrderPlaced, RefundSplit } from '../order/events.ts';
import { allocate, chargesOf, splitOf } from '../order/refund-allocation.ts';
import type { Millipercent } from '../percent.ts';
import { builtInRates } from '../rates.ts';
import {
  authorizedA,
  capturedA,
  disputeOpenedA,
  disputeWonA,
  externalRefundA,
  orderAPlaced,
  startedA,
  totalA,
} from '../testing/orders.ts';
import type { Booking } from './booking.ts';
import { badDebtOf, createSalesTaxReturn, type SalesTaxReturn } from './sales-tax-return.ts';

const { salesTax } = builtInRates;
const newRate = { ...salesTax, millipercent: 10_250 as Millipercent, since: '2026-07-01' as Day };
const quarters = ['2026-01', '2026-04', '2026-07', '2026-10'] as const;
const noSplit: RefundSplit = {
  ...{ services: noCents, addOns: noCents, delivery: noCents, deliveryMinimum: noCents, salesTax: noCents },
};

type Fact = { readonly order: string; readonly quarter: number; readonly booking: Booking };

function sale(order: number, quarter: number): Fact {
  const rate = quarter < 2 ? salesTax : newRate;
  const booking = { event: capturedA, basis: orderAPlaced, salesTax: rate };
  return { order: `order-${order}`, quarter, booking: booking as unknown as Booking };
}

function refund({ order, quarter, booking }: Fact, later: number, split: Partial<RefundSplit>): Fact {
  const event = { ...externalRefundA, split: { ...noSplit, ...split } };
  const refunded = { ...booking, event, basis: undefined } as Booking;
  return { order, quarter: Math.min(quarter + later, quarters.length - 1), booking: refunded };
}

function returnOf(facts: readonly Fact[]): SalesTaxReturn {
  const report = createSalesTaxReturn();
  for (const { order, booking } of facts) report.add(booking, order);
  return report.lines();
}

const upTo = (amount: Cents) => fc.nat(amount).map(cents);
const { lines }: OrderPlaced = orderAPlaced;
const addOns = sumCents([lines.stainProtection, lines.greenPad]);
/** Orders of a year, most with a refund in the same or a later quarter. */
const year = fc
  .array(
    fc.record({
      quarter: fc.nat(3),
      later: fc.nat(2),
      split: fc.record({ services: upTo(lines.subtotal), addOns: upTo(addOns), salesTax: upTo(lines.salesTax) }),
    }),
    { maxLength: 20 },
  )
  .map((orders) =>
    orders
      .flatMap(({ quarter, later, split }, order) => [sale(order, quarter), refund(sale(order, quarter), later, split)])
      .toSorted((first, second) => first.quarter - second.quarter),
  );

describe('the return', () => {
  test('adds up: total = exempt + taxable, the rates to the whole, and the tax', () => {
    fc.assert(
      fc.property(year, (facts) => {
        const { rates, total, exempt, taxable, due, collected, excess, uncollected } = returnOf(facts);
        expect(exempt + taxable).toBe(total);
        expect(sumCents(rates.map(({ measure }) => measure))).toBe(taxable);
        expect(sumCents(rates.map((ofRate) => ofRate.due))).toBe(due);
        expect(due + excess - uncollected).toBe(collected);
        expect(excess === 0 || uncollected === 0).toBe(true);
        for (const { measure, due: ofRate, rate } of rates) {
          expect(Math.abs(ofRate - (measure * rate.millipercent) / 100_000)).toBeLessThanOrEqual(0.5);
        }
      }),
    );
  });

  test('of a year is the sum of its quarters once the refunds of earlier sales are counted', () => {
    fc.assert(
      fc.property(year, (facts) => {
        const net = ({ total, taxable, collected, earlier }: SalesTaxReturn) => [
          total - earlier.grossRefunds,
          taxable - earlier.taxableRefunds,
          collected - earlier.taxRefunded,
        ];
        const parts = quarters.map((_, quarter) => net(returnOf(facts.filter((fact) => fact.quarter === quarter))));
        const sums = [0, 1, 2].map((index) => parts.reduce((sum, part) => sum + (part[index] ?? 0), 0));
        const whole = returnOf(facts);
        expect(net(whole)).toEqual(sums);
        // Every sale of the year is in it.
        expect(whole.earlier.grossRefunds + whole.earlier.taxRefunded).toBe(0);
      }),
    );
  });

  test('has a refund of a sale from before its days apart, under the rate of that sale', () => {
    const { total, taxable, collected, earlier, credits, rates } = returnOf([
      refund(sale(1, 1), 1, { services: cents(1000), addOns: cents(500), salesTax: cents(49) }),
      sale(2, 2),
    ]);
    expect([total, taxable, collected]).toEqual([totalA - lines.salesTax, addOns, lines.salesTax]);
    expect(earlier).toMatchObject({ grossRefunds: 1500, taxableRefunds: 500, taxRefunded: 49 });
    expect(credits).toBe(49);
    expect(rates.map((ofRate) => [ofRate.rate.millipercent, ofRate.measure, ofRate.earlier.taxableRefunds])).toEqual([
      [salesTax.millipercent, 0, 500],
      [newRate.millipercent, addOns, 0],
    ]);
  });

  test('names tax that was given back alone as due and not collected', () => {
    const whole = returnOf([sale(1, 0), refund(sale(1, 0), 0, { salesTax: cents(100) })]);
    expect([whole.due, whole.collected, whole.uncollected, whole.excess]).toEqual([1314, 1214, 100, 0]);
  });

  test('names tax beyond the measure as excess', () => {
    const whole = returnOf([sale(1, 0), refund(sale(1, 0), 0, { addOns })]);
    expect([whole.taxable, whole.due, whole.excess]).toEqual([0, 0, lines.salesTax]);
  });
});

test('the credits are the tax of refunds of earlier sales and of bad debts', () => {
  const report = createSalesTaxReturn();
  report.add(refund(sale(1, 1), 1, { salesTax: cents(49) }).booking, 'order-1');
  report.addBadDebt(newRate, { taxable: cents(1000), tax: cents(103) });
  expect(report.lines()).toMatchObject({ due: 0, excess: 0, credits: 152 });
});

describe('the bad debt of a lost dispute', () => {
  const lost: DisputeClosed = { ...disputeWonA, outcome: 'lost' };
  const paid = [orderAPlaced, startedA, authorizedA, capturedA];

  test('is the taxable part of the order and its tax', () => {
    expect(badDebtOf([...paid, disputeOpenedA, lost], lost)).toEqual({ taxable: addOns, tax: lines.salesTax });
  });

  test('leaves out what was refunded before, and what happened later', () => {
    const amount = cents(20_000);
    const allocation = allocate(chargesOf(orderAPlaced), amount, { rugs: [], deliveryMinimum: noCents });
    const split = splitOf(allocation);
    const before: ExternalRefundRecorded = { ...externalRefundA, amount, allocation, split };
    const later = { ...before, squareRefundId: 'later' };
    const debt = badDebtOf([...paid, before, disputeOpenedA, lost, later], lost);
    expect(split.addOns).toBeGreaterThan(0);
    expect(debt).toEqual({ taxable: addOns - split.addOns, tax: lines.salesTax - split.salesTax });
  });
});
