import { badDebtOf, createSalesTaxReturn, type SalesTaxReturn } from '@kilim/domain/accounting/sales-tax-return';
import { type Cents, negate } from '@kilim/domain/money';
import type { DisputeClosed } from '@kilim/domain/order/events';
import { decimalPercent } from '@kilim/domain/percent';
import type { Sql } from '../../../core/database/database.ts';
import { orderCodec } from '../../../core/ledger/codecs/order.ts';
import { eventsOf, readStream } from '../../../core/ledger/read.ts';
import { eachBooking } from '../bookings.ts';
import type { Scope } from '../scope.ts';
import type { Column, Row, Table } from './table.ts';

/** `line` is the one of CDTFA-401-A. */
const columns: readonly Column[] = [
  { name: 'line', kind: 'text' },
  { name: 'item', kind: 'text' },
  { name: 'rate_percent', kind: 'decimal' },
  { name: 'sales', kind: 'amount' },
  { name: 'tax', kind: 'amount' },
];

export async function readSalesTaxReturn(sql: Sql, scope: Scope): Promise<Table> {
  const report = createSalesTaxReturn();
  const lost: { readonly streamId: string; readonly dispute: DisputeClosed }[] = [];
  await eachBooking(sql, { scope }, (booking, { streamId }) => {
    report.add(booking, streamId);
    const { event } = booking;
    if (event.type === 'DisputeClosed' && event.outcome !== 'won') lost.push({ streamId, dispute: event });
  });
  for (const { streamId, dispute } of lost) {
    const events = eventsOf(await readStream(sql, { streamId, codec: orderCodec }));
    const [placed] = events;
    if (placed?.type === 'OrderPlaced') report.addBadDebt(placed.salesTax, badDebtOf(events, dispute));
  }
  const lines = report.lines();
  const { taxable, due, excess, credits } = lines;
  return {
    ...{ columns, rows: rowsOf(lines), totals: undefined },
    figures: [
      { name: 'taxable_sales', amount: taxable },
      { name: 'tax_due', amount: due },
      { name: 'excess_tax', amount: excess },
      { name: 'tax_credits', amount: negate(credits) },
    ],
  };
}

function rowsOf({ rates, sales, earlier, ...whole }: SalesTaxReturn): readonly Row[] {
  const credits = (item: string, of: (ofRate: (typeof rates)[number]) => readonly [sales: Cents, tax: Cents]) =>
    rates
      .map((ofRate): Row => ['20b', item, decimalPercent(ofRate.rate.millipercent), ...of(ofRate).map(negate)])
      .filter((row) => row.slice(-2).some((amount) => amount !== 0));
  return [
    [null, 'Sales', null, sales.grossSales, sales.taxCollected],
    [null, 'Refunds of these sales', null, negate(sales.grossRefunds), negate(sales.taxRefunded)],
    ['1', 'Total sales', null, whole.total, null],
    ['11', 'Exempt services', null, whole.exempt, null],
    ['12', 'Taxable sales', null, whole.taxable, null],
    ...rates.map(({ rate, measure, due }): Row => {
      return ['12', `Rate: ${rate.name}`, decimalPercent(rate.millipercent), measure, due];
    }),
    ['17', 'Tax due', null, null, whole.due],
    [null, 'Tax collected', null, null, whole.collected],
    ['18', 'Excess tax collected', null, null, whole.excess],
    [null, 'Tax due and not collected', null, null, whole.uncollected],
    [null, 'Refunds of earlier sales, exempt', null, earlier.taxableRefunds - earlier.grossRefunds, null],
    ...credits('Refunds of earlier sales, taxable', (ofRate) => {
      return [ofRate.earlier.taxableRefunds, ofRate.earlier.taxRefunded];
    }),
    ...credits('Bad debts: lost disputes', ({ badDebts: { taxable, tax } }) => [taxable, tax]),
  ];
}
