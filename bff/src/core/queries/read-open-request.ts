import type { Day } from '@kilim/domain/day';
import { type Cents, cents } from '@kilim/domain/money';
import type { SupplementRequested } from '@kilim/domain/order/events';
import type { OrderId, PaymentId } from '@kilim/domain/order/ids';
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

export type PaidDifference = { readonly paymentId: PaymentId; readonly amount: Cents };

/** Oldest first. */
export async function readPaidDifferences(sql: Sql, orderId: OrderId): Promise<PaidDifference[]> {
  const rows = await sql<{ payment_id: PaymentId; captured_cents: number }[]>`
    select payment_id, captured_cents from ledger.order_summary
    where supplement_of = ${orderId}::uuid and payment_status = 'paid' order by paid_at`;
  return rows.map(({ payment_id: paymentId, captured_cents: amount }) => ({ paymentId, amount: cents(amount) }));
}
