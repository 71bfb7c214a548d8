import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Day, laterOf } from '../day.ts';
import { cents, sumCents } from '../money.ts';
import type { OrderPlaced } from '../order/events.ts';
import type { Millipercent } from '../percent.ts';
import { builtInRates } from '../rates.ts';
import {
  capturedA,
  completedA,
  disputeOpenedA,
  disputeWonA,
  excessRefundA,
  externalRefundA,
  feeA,
  orderA,
  orderAPlaced,
  orphanA,
  orphanReturnedA,
  refundOfFirstRug,
  totalA,
} from '../testing/orders.ts';
import { payoutPaidA } from '../testing/payouts.ts';
import { type Booking, createDayEntries, entryOf, movedBy } from './booking.ts';
import { createDailyTakings, netOf } from './daily-takings.ts';
import { createRefundReasons, madeAtSquare, otherReasons } from './refund-reasons.ts';
import { createSalesReport } from './sales.ts';
import { createSalesTaxReport, taxDue } from './sales-tax.ts';

const noon = '2026-10-20' as Day;
const november1 = '2026-11-01' as Day;

const { salesTax } = builtInRates;

function booking(event: unknown, basis?: Booking['basis'], more: Partial<Booking> = {}): Booking {
  return { event, basis, day: noon, postedOn: noon, salesTax: undefined, ...more } as Booking;
}

const sale = booking(capturedA, orderAPlaced as OrderPlaced, { salesTax });
const refund = booking(completedA, refundOfFirstRug, { salesTax });
const all = [
  sale,
  refund,
  booking(externalRefundA, undefined, { salesTax }),
  ...[excessRefundA, feeA, disputeOpenedA, disputeWonA, orphanA, orphanReturnedA].map((event) => booking(event)),
];

const someDays = fc.constantFrom('2026-10-20', '2026-10-31', '2026-11-01') as fc.Arbitrary<Day>;
const someBookings = fc.array(
  fc.record({ index: fc.nat(all.length - 1), day: someDays, postedOn: someDays }).map(({ index, day, postedOn }) => {
    const known = all[index] ?? sale;
    return { ...known, day, postedOn: laterOf(day, postedOn) };
  }),
  { maxLength: 40 },
);

test('for all bookings, each day is balanced, and takings, tax and journal agree', () => {
  fc.assert(
    fc.property(someBookings, (bookings) => {
      const days = createDayEntries();
      const takings = createDailyTakings();
      const tax = createSalesTaxReport();
      for (const booked of bookings) {
        const entry = entryOf(booked);
        expect(sumCents(entry.map(({ amount }) => amount))).toBe(0);
        days.add(booked, entry);
        takings.add(booked);
        tax.add(booked);
      }
      const entries = days.entries();
      for (const { balances } of entries) expect(sumCents(balances.values())).toBe(0);
      const change = (account: 'clearing' | 'salesTaxPayable', from: string) =>
        sumCents(
          entries
            .filter(({ postedOn }) => postedOn.startsWith(from))
            .map((entry) => entry.balances.get(account) ?? cents(0)),
        );
      for (const day of new Set(bookings.map(({ postedOn }) => postedOn))) {
        expect(netOf(takings.on(day))).toBe(change('clearing', day));
      }
      for (const month of ['2026-10', '2026-11']) {
        expect(taxDue(tax.of(month)) + change('salesTaxPayable', month)).toBe(0);
      }
      expect(sumCents(bookings.map((booked) => movedBy(entryOf(booked))))).toBe(change('clearing', ''));
    }),
  );
});

test('unidentified receipts are the rest of an orphan payment after a part of it was returned', () => {
  const takings = createDailyTakings();
  takings.add(booking(orphanA));
  takings.add(booking({ ...orphanReturnedA, amount: cents(1000) }));
  expect(takings.on(booking(orphanA).postedOn).unidentified).toBe(orphanA.amount - 1000);
});

describe('one entry a day', () => {
  test('and one for each payout', () => {
    const payouts = ['payout-a', 'payout-b'].map((squarePayoutId) => booking({ ...payoutPaidA, squarePayoutId }));
    const sent = booking({ type: 'PayoutFailed', squarePayoutId: 'payout-a', amount: cents(9180), wasPaid: true });
    const days = createDayEntries();
    for (const booked of [booking(feeA), ...payouts, sent, booking(feeA)]) days.add(booked, entryOf(booked));
    expect(days.entries().map(({ payout, balances }) => [payout, balances.get('bank')])).toEqual([
      [undefined, undefined],
      [{ squarePayoutId: 'payout-a', isReturn: false }, 9180],
      [{ squarePayoutId: 'payout-b', isReturn: false }, 9180],
      [{ squarePayoutId: 'payout-a', isReturn: true }, -9180],
    ]);
  });

  test('keeps late bookings apart, after the day on which they are posted', () => {
    const days = createDayEntries();
    const late = booking(feeA, undefined, { postedOn: november1 });
    for (const booked of [late, booking(feeA, undefined, { day: november1, postedOn: november1 }), late])
      days.add(booked, entryOf(booked));
    expect(days.entries().map(({ postedOn, day, balances }) => [postedOn, day, balances.get('clearing')])).toEqual([
      ['2026-11-01', '2026-11-01', -2229],
      ['2026-11-01', '2026-10-20', -4458],
    ]);
  });
});

test('a sale is taxable by its add-ons only, and a refund counts in the month in which it is made', () => {
  const report = createSalesTaxReport();
  report.add(sale);
  report.add({ ...refund, postedOn: '2026-11-02' as Day });
  expect(report.of('2026-10')).toMatchObject({
    grossSales: 74_508,
    taxableSales: 13_475,
    taxCollected: 1314,
    taxRefunded: 0,
  });
  expect(report.of('2026-11')).toMatchObject({ grossSales: 0, grossRefunds: 51_600, taxRefunded: 0 });
});

test('a month has the figures of each rate, oldest first, and a refund counts under the rate of its order', () => {
  const later = { ...salesTax, since: '2026-11-01' as Day, millipercent: 10_250 as Millipercent };
  const report = createSalesTaxReport();
  report.add({ ...sale, postedOn: november1, salesTax: later });
  report.add({ ...refund, postedOn: november1 });
  report.add({ ...sale, postedOn: november1, salesTax: later });
  const rows = report.ratesOf('2026-11');
  expect(rows.map(({ rate }) => [rate.since, rate.millipercent])).toEqual([
    ['2000-01-01', 9_750],
    ['2026-11-01', 10_250],
  ]);
  expect(rows.map(({ figures }) => [figures.taxCollected, figures.grossRefunds])).toEqual([
    [0, 51_600],
    [2628, 0],
  ]);
  expect(report.of('2026-11')).toMatchObject({ taxCollected: 2628, grossRefunds: 51_600 });
  expect(report.ratesOf('2026-10')).toEqual([]);
});

describe('refunds by reason', () => {
  test('are counted by reason without regard to case, most expensive first', () => {
    const report = createRefundReasons();
    for (const reason of ['Goodwill', 'goodwill ', 'Late']) {
      report.add(booking({ ...completedA, amount: cents(100) }, { ...refundOfFirstRug, reason }));
    }
    report.add(booking(externalRefundA));
    expect(report.rows().map(({ reason, refunds, amount }) => [reason, refunds, amount])).toEqual([
      [madeAtSquare, 1, 1000],
      ['Goodwill', 2, 200],
      ['Late', 1, 100],
    ]);
  });

  test('have a row for each reason up to a limit, and one row for all others', () => {
    const report = createRefundReasons();
    for (let number = 0; number < 2100; number += 1) {
      report.add(booking({ ...completedA, amount: cents(1) }, { ...refundOfFirstRug, reason: `Reason ${number}` }));
    }
    const rows = report.rows();
    expect(rows.length).toBe(2001);
    expect(rows[0]).toMatchObject({ reason: otherReasons, refunds: 100, amount: 100 });
  });
});

test('a supplement is revenue of its day, and no new order and no new rug', () => {
  const supplement: OrderPlaced = { ...orderAPlaced, supplementOf: orderA };
  const takings = createDailyTakings();
  for (const basis of [orderAPlaced, supplement]) takings.add(booking(capturedA, basis, { salesTax }));
  expect(takings.on(noon)).toMatchObject({ orders: 1, takings: cents(2 * totalA) });
  const [once, twice] = [createSalesReport(), createSalesReport()];
  once.sell(orderAPlaced);
  for (const order of [orderAPlaced, supplement]) twice.sell(order);
  const { rugs, area, sales } = once.of('premium');
  expect(twice.of('premium')).toMatchObject({ rugs, area, sales: 2 * sales });
});
