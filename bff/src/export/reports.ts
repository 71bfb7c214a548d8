import { type DayTakings, netOf } from '@kilim/domain/accounting/daily-takings';
import { type Day, daysBetween, monthOf } from '@kilim/domain/accounting/day';
import type { ReasonFigures } from '@kilim/domain/accounting/refund-reasons';
import { type TaxFigures, taxDue } from '@kilim/domain/accounting/sales-tax';
import { cents, decimalDollars } from '@kilim/domain/money';
import { csvLine, textCell } from './csv.ts';
import type { DayRange } from './scope.ts';

export const salesTaxHeader = csvLine([
  'month',
  'from',
  'to',
  'gross_sales',
  'exempt_sales',
  'taxable_sales',
  'tax_collected',
  'gross_refunds',
  'taxable_refunds',
  'tax_refunded',
  'net_taxable_sales',
  'tax_due',
  'currency',
]);

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

export function salesTaxLine(month: DayRange & { readonly month: string }, figures: TaxFigures): string {
  const { grossSales, taxableSales, taxCollected, grossRefunds, taxableRefunds, taxRefunded } = figures;
  const amounts = [
    grossSales,
    cents(grossSales - taxableSales),
    taxableSales,
    taxCollected,
    minus(grossRefunds),
    minus(taxableRefunds),
    minus(taxRefunded),
    cents(taxableSales - taxableRefunds),
    taxDue(figures),
  ];
  return csvLine([month.month, month.from, month.to, ...amounts.map(decimalDollars), 'USD']);
}

export const takingsHeader = csvLine([
  'posted_on',
  'orders',
  'takings',
  'refund_count',
  'refunds',
  'fees',
  'disputes',
  'unidentified',
  'net',
  'currency',
]);

export function takingsLine(day: Day, figures: DayTakings): string {
  const { orders, takings, refundCount, refunds, fees, disputes, unidentified } = figures;
  const [out, kept, disputed] = [refunds, fees, disputes].map((amount) => decimalDollars(minus(amount)));
  return csvLine([
    ...[day, orders, decimalDollars(takings), refundCount, out ?? '', kept ?? '', disputed ?? ''],
    ...[decimalDollars(unidentified), decimalDollars(netOf(figures)), 'USD'],
  ]);
}

export const reasonsHeader = csvLine([
  'reason',
  'refunds',
  'amount',
  'services',
  'add_ons',
  'delivery',
  'delivery_minimum',
  'sales_tax',
  'currency',
]);

export function reasonLine({ reason, refunds, ...split }: ReasonFigures): string {
  const { amount, services, addOns, delivery, deliveryMinimum, salesTax } = split;
  const amounts = [amount, services, addOns, delivery, deliveryMinimum, salesTax].map((part) =>
    decimalDollars(minus(part)),
  );
  return csvLine([textCell(reason), refunds, ...amounts, 'USD']);
}

/** Money out is negative. */
function minus(amount: number) {
  return cents(amount === 0 ? 0 : -amount);
}
