import { editionOn } from '@kilim/domain/accounting/books';
import { createSalesTaxReport, type TaxFigures, taxDue } from '@kilim/domain/accounting/sales-tax';
import { salesTaxBasisPoints, salesTaxSince } from '@kilim/domain/catalog';
import { cents, decimalDollars, negate } from '@kilim/domain/money';
import type { Sql } from '../../database/database.ts';
import { eachBooking } from '../bookings.ts';
import { monthsOf } from '../reports.ts';
import type { Scope } from '../scope.ts';
import { type Column, type Row, type Table, totalsOf } from './table.ts';

const columns: readonly Column[] = [
  { name: 'month', kind: 'text' },
  { name: 'from', kind: 'day' },
  { name: 'to', kind: 'day' },
  ...(
    [
      ...['gross_sales', 'exempt_sales', 'taxable_sales', 'tax_collected'],
      ...['gross_refunds', 'taxable_refunds', 'tax_refunded', 'net_taxable_sales', 'tax_due'],
    ] as const
  ).map((name) => ({ name, kind: 'amount' as const })),
];
/** Periods that were closed with the first edition keep their columns. */
const rateColumns: readonly Column[] = [
  { name: 'rate_percent', kind: 'decimal' },
  { name: 'rate_since', kind: 'day' },
];

/** Sales, refunds and tax of each month, with the rate. */
export async function readSalesTaxReport(sql: Sql, scope: Scope): Promise<Table> {
  const report = createSalesTaxReport();
  await eachBooking(sql, { scope }, report.add);
  const withRate = editionOn(scope.to, scope.books) > 1;
  const all = withRate ? [...columns, ...rateColumns] : columns;
  // Hundredths of a percent read like cents.
  const rate = withRate ? [decimalDollars(cents(salesTaxBasisPoints)), salesTaxSince] : [];
  const rows = monthsOf(scope).map(
    ({ month, from, to }): Row => [month, from, to, ...amountsOf(report.of(month)), ...rate],
  );
  return { columns: all, rows, totals: totalsOf(all, rows) };
}

function amountsOf(figures: TaxFigures): readonly number[] {
  const { grossSales, taxableSales, taxCollected, grossRefunds, taxableRefunds, taxRefunded } = figures;
  return [
    ...[grossSales, grossSales - taxableSales, taxableSales, taxCollected],
    ...[grossRefunds, taxableRefunds, taxRefunded].map(negate),
    ...[taxableSales - taxableRefunds, taxDue(figures)],
  ];
}
