import type { OrderId } from '@kilim/domain/order/ids';
import type { Sql } from '../../database/database.ts';
import { readOrder } from '../read.ts';
import { foldOrder, textOfRow } from './fold-in-domain.ts';

/** Whether the rebuilt rows of an order are those that the domain folds from its events. */
export async function isProven(sql: Sql, orderId: OrderId): Promise<boolean> {
  const { events } = await readOrder(sql, orderId);
  const [row] = await sql<object[]>`select * from rebuild.order_summary where order_id = ${orderId}`;
  const refunds = await sql<{ refund_id: string }[]>`select * from rebuild.refund_history where order_id = ${orderId}`;
  const folded = foldOrder(orderId, events);
  return (
    folded.summary === (row && textOfRow(row)) &&
    folded.refunds.size === refunds.length &&
    refunds.every((refund) => folded.refunds.get(refund.refund_id) === textOfRow(refund))
  );
}
