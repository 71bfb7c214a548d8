import { daysFrom } from '@kilim/domain/day';
import type { Sql } from '../../../core/database/database.ts';
import { type ClearingItem, readClearingItems } from '../../queries/clearing-items.ts';
import { dayOfInstant, firstDay, openScope, type Scope } from '../scope.ts';
import { isAfterScope, isSelected } from '../selection.ts';
import { type Column, type Row, type Table, totalsOf } from './table.ts';

const columns: readonly Column[] = [
  { name: 'kind', kind: 'text' },
  { name: 'order_id', kind: 'order' },
  { name: 'square_id', kind: 'text' },
  { name: 'last_change', kind: 'day' },
  { name: 'days_open', kind: 'text' },
  { name: 'on_its_way_in', kind: 'text' },
  { name: 'amount', kind: 'amount' },
];

const kindTexts = {
  order: 'Order',
  orphan: 'Payment without an order',
  payout: 'Only in a payout',
  betweenPayouts: 'Between payouts',
} satisfies Record<ClearingItem['kind'], string>;

/**
 * The open items of the clearing account at the end of the last day, the oldest first. The first day of the range does
 * not matter.
 */
export async function readClearingReport(sql: Sql, { to, timeZone }: Scope): Promise<Table> {
  const scope = await openScope(sql, timeZone, { from: firstDay, to });
  const items = await sql.begin('read only', async (reader) => {
    // Years of orders are grouped in memory: on disk it takes half as long again.
    await reader`set local work_mem = '64MB'`;
    const until = { events: isSelected({ scope }), others: isAfterScope(scope), now: new Date() };
    return await readClearingItems(reader, { ...until, most: Number.MAX_SAFE_INTEGER });
  });
  const rows = items.map((item): Row => {
    const { kind, orderId, squareId, at, onItsWayIn, amount } = item;
    const changed = dayOfInstant(scope, at);
    return [kindTexts[kind], orderId, squareId, changed, String(daysFrom(changed, to)), onItsWayIn, amount];
  });
  return { columns, rows, totals: totalsOf(columns, rows) };
}
