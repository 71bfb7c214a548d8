import type { FigureName } from '@kilim/bff/contract/reports';
import { cents } from '@kilim/domain/money';
import { expect, test } from 'vitest';
import { firstShownDay, monthsOf, taxQuery } from './money-calls.ts';

const figures = (takings: number, refunds = 0) => ({
  ...{ orders: takings > 0 ? 1 : 0, refundCount: refunds > 0 ? 1 : 0 },
  ...{ takings: cents(takings), refunds: cents(refunds), fees: cents(0), disputes: cents(0) },
  net: cents(takings - refunds),
});
const statistics = (days: readonly (readonly [string, number, number?])[]) => {
  const none = figures(0);
  return {
    ...{ from: days[0]?.[0] ?? '', to: days.at(-1)?.[0] ?? '', timeZone: 'America/Los_Angeles' },
    days: days.map(([date, takings, refunds]) => ({ date, ...figures(takings, refunds) })),
    ...{ total: none, today: none, yesterday: none, thisMonth: none, lastMonth: none },
  };
};

test('days are added up by month, the newest first, without the months before the first payment', () => {
  const found = monthsOf(
    statistics([
      ['2026-08-31', 0],
      ['2026-09-01', 100],
      ['2026-09-30', 250, 50],
      ['2026-10-15', 0],
      ['2026-11-02', 300],
    ]),
  );
  expect(found.map(({ month, isWhole, takings, net }) => [month, isWhole, takings, net])).toEqual([
    ['2026-11', false, 300, 300],
    ['2026-10', true, 0, 0],
    ['2026-09', true, 350, 300],
  ]);
});

test('a shop without a payment sees the month of today', () => {
  expect(
    monthsOf(
      statistics([
        ['2026-10-31', 0],
        ['2026-11-01', 0],
      ]),
    ).map(({ month }) => month),
  ).toEqual(['2026-11']);
});

test('six months are shown, also over the turn of a year', () => {
  expect(firstShownDay('2026-11-28')).toBe('2026-06-01');
  expect(firstShownDay('2026-02-01')).toBe('2025-09-01');
});

test('the tax to pay is what is due and was collected beyond it, less the credits', () => {
  const range = { from: '2026-07-01', to: '2026-09-30' };
  const figure = (name: FigureName, amount: number) => ({ name, amount: cents(amount) });
  const answer = {
    ...{ report: 'sales-tax-return' as const, ...range, timeZone: 'America/Los_Angeles', closed: true },
    ...{ columns: [], rows: [], count: 0, totals: null },
    figures: [
      ...[figure('taxable_sales', 50_000), figure('tax_due', 4875)],
      ...[figure('excess_tax', 25), figure('tax_credits', -900)],
    ],
  };
  expect(taxQuery(range).select?.(answer)).toBe(4000);
});
