import { createRefundReasons } from '@kilim/domain/accounting/refund-reasons';
import { negate } from '@kilim/domain/money';
import type { Sql } from '../../../core/database/database.ts';
import { eachBooking } from '../bookings.ts';
import type { Scope } from '../scope.ts';
import { type Column, type Row, type Table, totalsOf } from './table.ts';

const amountNames = ['amount', 'services', 'add_ons', 'delivery', 'delivery_minimum', 'sales_tax'] as const;
const columns: readonly Column[] = [
  { name: 'reason', kind: 'text' },
  { name: 'refund_count', kind: 'count' },
  ...amountNames.map((name) => ({ name, kind: 'amount' as const })),
];

/** Card refunds and reimbursements, the reason with the largest amount first. */
export async function readRefundsReport(sql: Sql, scope: Scope): Promise<Table> {
  const report = createRefundReasons();
  await eachBooking(sql, { scope }, report.add);
  const rows = report.rows().map(({ reason, refunds, ...figures }): Row => {
    const { amount, services, addOns, delivery, deliveryMinimum, salesTax } = figures;
    return [reason, refunds, ...[amount, services, addOns, delivery, deliveryMinimum, salesTax].map(negate)];
  });
  return { columns, rows, totals: totalsOf(columns, rows) };
}
