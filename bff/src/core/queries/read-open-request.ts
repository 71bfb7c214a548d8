import type { Day } from '@kilim/domain/day';
import type { SupplementRequested } from '@kilim/domain/order/events';
import type { OrderSummary } from '@kilim/domain/projection/order-summary';
import { isTrue, type Sql } from '../database/database.ts';
import { eventsOf, type OrderStream } from '../ledger/read.ts';
import { isAsked } from './list-orders.ts';

type Asked = { readonly stream: OrderStream; readonly summary: OrderSummary };

/** That the customer can pay by its link. @returns undefined when nothing is asked for, or it is paid or over. */
export async function readOpenRequest(
  sql: Sql,
  { stream, summary: { orderId, supplementId } }: Asked,
  today: Day,
): Promise<SupplementRequested | undefined> {
  if (supplementId === undefined) return undefined;
  const isOpen = await isTrue(sql`select ${isAsked(sql)} from ledger.order_summary where order_id = ${orderId}::uuid`);
  if (!isOpen) return undefined;
  return eventsOf(stream)
    .filter((event) => event.type === 'SupplementRequested')
    .find((event) => event.supplementId === supplementId && event.expiresOn >= today);
}
