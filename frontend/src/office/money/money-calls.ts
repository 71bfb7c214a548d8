import { type MonthMails, monthMails, type Program } from '@kilim/bff/contract/month-mails';
import { payouts } from '@kilim/bff/contract/payouts';
import { report } from '@kilim/bff/contract/reports';
import { type Figures, type Statistics, statistics } from '@kilim/bff/contract/statistics';
import { type Cents, cents, noCents } from '@kilim/domain/money';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/call.ts';
import { type DayRange, monthsFrom } from '../shared/accounting/day-range.ts';
import { adminQuery } from '../shared/api/admin-query.ts';
import { type Outcome, outcomeOf } from '../shared/api/outcome.ts';
import { booksKey, moneyKey, payoutsKey } from '../shared/api/query-keys.ts';

const shownMonths = 6;

/** With the month of today. */
export function firstShownDay(today: string): string {
  return monthsFrom(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - shownMonths + 1, 1).from;
}

export function statisticsQuery(range: DayRange) {
  return adminQuery(
    [...moneyKey, 'statistics', range],
    call('GET /api/admin/statistics', { query: range, answer: statistics }),
  );
}

export type Month = Figures & { readonly month: string; readonly isWhole: boolean };

const nothing: Figures = {
  ...{ orders: 0, refundCount: 0 },
  ...{ takings: noCents, refunds: noCents, fees: noCents, disputes: noCents, net: noCents },
};

/** The newest first, from the first one in which anything happened. */
export function monthsOf({ days, to }: Statistics): readonly Month[] {
  const months = new Map<string, Figures>();
  for (const { date, ...figures } of days) {
    const month = date.slice(0, 'yyyy-mm'.length);
    months.set(month, sumOf(months.get(month) ?? nothing, figures));
  }
  const all = [...months].map(([month, figures]) => ({ month, isWhole: !to.startsWith(month), ...figures }));
  const first = all.findIndex(
    ({ orders, takings, refunds, fees, disputes }) => orders + takings + refunds + fees + disputes !== 0,
  );
  return all.slice(first).toReversed();
}

function sumOf(first: Figures, second: Figures): Figures {
  const sum = (a: Cents, b: Cents) => cents(a + b);
  return {
    orders: first.orders + second.orders,
    refundCount: first.refundCount + second.refundCount,
    takings: sum(first.takings, second.takings),
    refunds: sum(first.refunds, second.refunds),
    fees: sum(first.fees, second.fees),
    disputes: sum(first.disputes, second.disputes),
    net: sum(first.net, second.net),
  };
}

/** The last few. */
export const payoutsQuery = adminQuery(
  [...payoutsKey, 'last'],
  call('GET /api/admin/payouts', { query: { page: 1, pageSize: 5 }, answer: payouts }),
);

/** To pay for a range of days. */
export function taxQuery(range: DayRange) {
  const found = adminQuery(
    [...booksKey, 'tax', range],
    call('GET /api/admin/ledger/report', { query: { report: 'sales-tax-return', ...range }, answer: report }),
  );
  return queryOptions({
    ...found,
    select: ({ figures }) =>
      cents(figures.filter(({ name }) => name !== 'taxable_sales').reduce((sum, { amount }) => sum + amount, 0)),
  });
}

export const monthMailsQuery = adminQuery(
  [...booksKey, 'month-mails'],
  call('GET /api/admin/month-mails', { answer: monthMails }),
);
export type MonthMail = MonthMails['mails'][number];

export function sendMonth(month: string, program: Program): Promise<Outcome<unknown>> {
  return outcomeOf(call('POST /api/admin/month-mails', { body: { month, program } }));
}
