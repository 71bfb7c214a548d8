import { type OrderId, parseOrderId } from '@kilim/domain/order/ids';
import type { Sql } from '../../database/database.ts';
import { refundColumns, summaryColumns } from './fold-in-sql.ts';
import { differingEntries } from './payout-entries-in-sql.ts';

/** The domain folds so many differing orders. A wrong statement would show in the first one. */
const mostProven = 1000;

/**
 * Runs before a live table is replaced: the domain decides which of two differing rows is right.
 * @returns the number of orders with wrong live rows.
 * @throws if a rebuilt row is wrong; then nothing has changed.
 */
export async function proveShadows(sql: Sql): Promise<number> {
  const differing = await differingOrders(sql);
  if (differing.length === 0) return 0;
  // A late import: loading the domain takes longer than most of a rebuild.
  const { isProven } = await import('./prove-order.ts');
  let behind = 0;
  for (const orderId of differing.slice(0, mostProven)) {
    if (await isBehind(sql, orderId)) behind += 1;
    else if (!(await isProven(sql, orderId)) && !(await isBehind(sql, orderId))) {
      throw new Error(
        `The rebuilt rows of order ${orderId} are not what the ledger adds up to, so nothing was changed.`,
      );
    }
  }
  return differing.length - behind;
}

export async function provePayoutEntries(sql: Sql): Promise<number> {
  const differing = await differingEntries(sql, 'rebuild.payout_entry');
  if (differing.length === 0) return 0;
  const { proveEntries } = await import('./payout-entries.ts');
  return await proveEntries(sql, differing);
}

async function differingOrders(sql: Sql): Promise<readonly OrderId[]> {
  const rows = await sql.unsafe<{ order_id: string }[]>(`
    select order_id from (
      select coalesce(live.order_id, rebuilt.order_id) as order_id
      from ledger.order_summary live full join rebuild.order_summary rebuilt using (order_id)
      where ${differ(summaryColumns)} and coalesce(live.version, rebuilt.version) = coalesce(rebuilt.version, live.version)
      union
      select coalesce(live.order_id, rebuilt.order_id)
      from ledger.refund_history live full join rebuild.refund_history rebuilt using (refund_id)
      where ${differ(refundColumns)}
    ) differing`);
  return rows.map(({ order_id: id }) => parseOrderId(id)).filter((id) => id !== undefined);
}

function differ(columns: readonly string[]): string {
  const row = (table: string) => `row(${columns.map((column) => `${table}.${column}`).join(', ')})`;
  return `${row('live')} is distinct from ${row('rebuilt')}`;
}

/** The order has new events since its rows were folded; they are folded again before the swap. */
async function isBehind(sql: Sql, orderId: OrderId): Promise<boolean> {
  const [order] = await sql<{ behind: boolean }[]>`
    select (select max(version) from ledger.event where stream_id = ${`order-${orderId}`})
      > coalesce((select version from rebuild.order_summary where order_id = ${orderId}), 0) as behind`;
  return order?.behind === true;
}
