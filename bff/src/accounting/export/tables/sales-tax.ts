import { createSalesTaxReport, noTax, type TaxFigures, taxDue } from '@kilim/domain/accounting/sales-tax';
import { negate } from '@kilim/domain/money';
import { decimalPercent } from '@kilim/domain/percent';
import type { Sql } from '../../../core/database/database.ts';
import { eachBooking } from '../bookings.ts';
import { monthsOf } from '../reports.ts';
import type { Scope } from '../scope.ts';
import type { Column, Row, Table } from './table.ts';

const columns: readonly Column[] = [
  { name: 'month', kind: 'month' },
  { name: 'from', kind: 'day' },
  { name: 'to', kind: 'day' },
  ...(
    [
      ...['gross_sales', 'exempt_sales', 'taxable_sales', 'tax_collected'],
      ...['gross_refunds', 'taxable_refunds', 'tax_refunded', 'net_taxable_sales', 'tax_due'],
    ] as const
  ).map((name) => ({ name, kind: 'amount' as const })),
  { name: 'rate_percent', kind: 'decimal' },
  { name: 'rate_since', kind: 'day' },
];

type Report = ReturnType<typeof createSalesTaxReport>;

export async function readSalesTaxReport(sql: Sql, scope: Scope): Promise<Table> {
  const report = createSalesTaxReport();
  await eachBooking(sql, { scope }, report.add);
  const rows = salesTaxRows(report, scope);
  return { columns, rows, totals: undefined };
}

/** A month without sales and refunds has one row, without a rate. */
export function salesTaxRows(report: Report, scope: Scope): readonly Row[] {
  return monthsOf(scope).flatMap(({ month, from, to }): readonly Row[] => {
    const rates = report.ratesOf(month);
    if (rates.length === 0) return [[month, from, to, ...amountsOf(noTax), null, null]];
    return rates.map(({ rate, figures }) => [
      ...[month, from, to, ...amountsOf(figures)],
      ...[decimalPercent(rate.millipercent), rate.since],
    ]);
  });
}

function amountsOf(figures: TaxFigures): readonly number[] {
  const { grossSales, taxableSales, taxCollected, grossRefunds, taxableRefunds, taxRefunded } = figures;
  return [
    ...[grossSales, grossSales - taxableSales, taxableSales, taxCollected],
    ...[grossRefunds, taxableRefunds, taxRefunded].map(negate),
    ...[taxableSales - taxableRefunds, taxDue(figures)],
  ];
}
