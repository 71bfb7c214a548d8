import { createCardPayments, grossOf } from '@kilim/domain/accounting/card-payments';
import type { Sql } from '../../../core/database/database.ts';
import { eachBooking } from '../bookings.ts';
import { monthsOf } from '../reports.ts';
import { dayOfInstant, firstDay, type Scope } from '../scope.ts';
import { type Column, type Row, type Table, totalsOf } from './table.ts';

const columns: readonly Column[] = [
  { name: 'month', kind: 'month' },
  { name: 'box', kind: 'text' },
  { name: 'payments', kind: 'count' },
  { name: 'orders', kind: 'amount' },
  { name: 'without_order', kind: 'amount' },
  { name: 'outside', kind: 'amount' },
  { name: 'gross', kind: 'amount' },
];

/** Boxes 5a to 5l of the form are the months of a year. */
const boxes = 'abcdefghijkl';

/** A month before the range has a row when the ledger learned of its payments after it was closed. */
export async function readForm1099K(sql: Sql, scope: Scope): Promise<Table> {
  const report = createCardPayments((instant) => {
    const at = new Date(instant);
    return at >= new Date(firstDay) ? dayOfInstant(scope, at) : undefined;
  });
  await eachBooking(sql, { scope }, report.add);
  const asked = monthsOf(scope).map(({ month }) => month);
  const rows = [...new Set([...asked, ...report.months()])].toSorted().map((month): Row => {
    const found = report.of(month);
    const { payments, orders, withoutOrder, outside } = found;
    const box = `5${boxes.charAt(Number(month.slice('yyyy-'.length)) - 1)}`;
    return [month, box, payments, orders, withoutOrder, outside, grossOf(found)];
  });
  return { columns, rows, totals: totalsOf(columns, rows) };
}
