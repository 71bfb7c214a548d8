import type { OrderPlaced, PaymentCaptured } from '@kilim/domain/order/events';
import { type OrderId, type PaymentId, parseOrderId } from '@kilim/domain/order/ids';
import type { OrderSummary } from '@kilim/domain/projection/order-summary';
import type { Sql } from '../database/database.ts';
import { type KeptContact, readContact } from '../ledger/contact.ts';
import { type OrderStream, readOrder, summaryOf } from '../ledger/read.ts';

export type FoundOrder = {
  readonly stream: OrderStream;
  readonly placed: OrderPlaced;
  readonly summary: OrderSummary;
  readonly capture: PaymentCaptured | undefined;
  /** A supplement has the contact of its order. Undefined after the contact was erased. */
  readonly kept: KeptContact | undefined;
};

export async function findOrderByPayment(sql: Sql, paymentId: PaymentId): Promise<FoundOrder | undefined> {
  const [row] = await sql<{ order_id: string }[]>`
    select order_id from ledger.order_summary where payment_id = ${paymentId}`;
  const orderId = row === undefined ? undefined : parseOrderId(row.order_id);
  return orderId === undefined ? undefined : await findOrder(sql, orderId);
}

/** @throws when the order was never placed. */
export async function findOrder(sql: Sql, orderId: OrderId): Promise<FoundOrder> {
  const stream = await readOrder(sql, orderId);
  const summary = summaryOf(stream.events);
  const placed = stream.events.map(({ event }) => event).find((event) => event.type === 'OrderPlaced');
  const capture = stream.events.map(({ event }) => event).find((event) => event.type === 'PaymentCaptured');
  if (summary === undefined || placed === undefined) throw new Error(`Order ${orderId} was never placed`);
  const kept = await readContact(sql, placed.supplementOf ?? orderId);
  return { stream, placed, summary, capture, kept };
}
