import type { Edition } from '@kilim/domain/accounting/books';
import { type DayTakings, netOf } from '@kilim/domain/accounting/daily-takings';
import { type Day, daysBetween, monthOf } from '@kilim/domain/accounting/day';
import type { ReasonFigures } from '@kilim/domain/accounting/refund-reasons';
import { decimalDollars, negate } from '@kilim/domain/money';
import { csvLine, textCell } from './csv.ts';
import type { DayRange } from './scope.ts';

/** The days of each month in a range. */
export function monthsOf({ from, to }: DayRange): readonly (DayRange & { readonly month: string })[] {
  const byMonth = new Map<string, { month: string; from: Day; to: Day }>();
  for (const day of daysBetween(from, to)) {
    const known = byMonth.get(monthOf(day));
    if (known === undefined) byMonth.set(monthOf(day), { month: monthOf(day), from: day, to: day });
    else known.to = day;
  }
  return [...byMonth.values()];
}

/** The names of the columns in a file of an edition: the first one had no word for refunds outside Square. */
export function takingsHeader(edition: Edition): string {
  const refunds = edition === 1 ? ['refund_count', 'refunds'] : ['card_refund_count', 'card_refunds'];
  return csvLine(['posted_on', 'orders', 'takings', ...refunds, 'fees', 'disputes', 'unidentified', 'net', 'currency']);
}

export function takingsLine(day: Day, figures: DayTakings): string {
  const { orders, takings, cardRefundCount, cardRefunds, fees, disputes, unidentified } = figures;
  const [out, kept, disputed] = [cardRefunds, fees, disputes].map((amount) => decimalDollars(negate(amount)));
  return csvLine([
    ...[day, orders, decimalDollars(takings), cardRefundCount, out ?? '', kept ?? '', disputed ?? ''],
    ...[decimalDollars(unidentified), decimalDollars(netOf(figures)), 'USD'],
  ]);
}

export function reasonsHeader(edition: Edition): string {
  const parts = ['services', 'add_ons', 'delivery', 'delivery_minimum', 'sales_tax'];
  return csvLine(['reason', edition === 1 ? 'refunds' : 'refund_count', 'amount', ...parts, 'currency']);
}

export function reasonLine({ reason, refunds, ...split }: ReasonFigures): string {
  const { amount, services, addOns, delivery, deliveryMinimum, salesTax } = split;
  const amounts = [amount, services, addOns, delivery, deliveryMinimum, salesTax].map((part) =>
    decimalDollars(negate(part)),
  );
  return csvLine([textCell(reason), refunds, ...amounts, 'USD']);
}
