import { type OrderId, parseOrderId } from '@kilim/domain/order/ids';
import type { Sql } from '../../database/database.ts';
import { refundColumns, summaryColumns } from './fold-in-sql.ts';
import { differingEntries } from './payout-entries-in-sql.ts';

/** How many of the orders whose rows differ are folded by the domain. If the statements were wrong, the first would show it. */
const mostProven = 1000;

/**
 * Before anything live is replaced: where the new rows differ from the live ones, the domain's own functions decide which are right.
 * @returns how many orders' rows were wrong.
 * @throws when the new ones are: then nothing has changed.
 */
export async function proveShadows(sql: Sql): Promise<number> {
  const differing = await differingOrders(sql);
  if (differing.length === 0) return 0;
  // Loaded only now: what the domain needs takes longer to load than most of a rebuild.
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

/** The same for the entries of payouts. */
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

/** Something was appended since the rows were made: they are made once more before the tables change places. */
async function isBehind(sql: Sql, orderId: OrderId): Promise<boolean> {
  const [order] = await sql<{ behind: boolean }[]>`
    select (select max(version) from ledger.event where stream_id = ${`order-${orderId}`})
      > coalesce((select version from rebuild.order_summary where order_id = ${orderId}), 0) as behind`;
  return order?.behind === true;
}
