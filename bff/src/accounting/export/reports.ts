import { type DayTakings, netOf } from '@kilim/domain/accounting/daily-takings';
import { type Day, daysBetween, monthOf } from '@kilim/domain/day';
import { decimalDollars, negate } from '@kilim/domain/money';
import { csvLine } from '../../core/csv/csv.ts';
import type { DayRange } from './scope.ts';

export function monthsOf({ from, to }: DayRange): readonly (DayRange & { readonly month: string })[] {
  const byMonth = new Map<string, { month: string; from: Day; to: Day }>();
  for (const day of daysBetween(from, to)) {
    const known = byMonth.get(monthOf(day));
    if (known === undefined) byMonth.set(monthOf(day), { month: monthOf(day), from: day, to: day });
    else known.to = day;
  }
  return [...byMonth.values()];
}

export const takingsHeader = csvLine([
  ...['posted_on', 'orders', 'takings', 'card_refund_count', 'card_refunds', 'fees', 'disputes'],
  ...['unidentified', 'net', 'currency'],
]);

export function takingsLine(day: Day, figures: DayTakings): string {
  const { orders, takings, cardRefundCount, cardRefunds, fees, disputes, unidentified } = figures;
  const [out, kept, disputed] = [cardRefunds, fees, disputes].map((amount) => decimalDollars(negate(amount)));
  return csvLine([
    ...[day, orders, decimalDollars(takings), cardRefundCount, out ?? '', kept ?? '', disputed ?? ''],
    ...[decimalDollars(unidentified), decimalDollars(netOf(figures)), 'USD'],
  ]);
}
