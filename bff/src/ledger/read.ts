import type { OrderEvent } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';
import { type OrderSummary, project, type StreamEvent } from '@kilim/domain/projection/order-summary';
import type { Sql } from '../database/database.ts';
import { decodeEvent } from './codecs/order.ts';

/** The whole stream of one order, oldest first. Version 0 is a stream that does not exist. */
export type OrderStream = {
  readonly orderId: OrderId;
  readonly version: number;
  readonly events: readonly StreamEvent[];
};

type EventRow = {
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly occurred_at: Date;
  readonly payload: string;
};

export async function readOrder(sql: Sql, orderId: OrderId): Promise<OrderStream> {
  const rows = await sql<EventRow[]>`
    select version, type, schema_version, occurred_at, payload::text as payload
    from ledger.event
    where stream_id = ${`order-${orderId}`}
    order by version`;
  return streamOf(orderId, rows);
}

/** With the salt of the order's contact, if one is kept, as it was at the same instant: two reads could see an order without its salt. */
export async function readOrderWithSalt(
  sql: Sql,
  orderId: OrderId,
): Promise<{ readonly stream: OrderStream; readonly salt: Uint8Array | undefined }> {
  const rows = await sql<(EventRow & { readonly salt: Uint8Array | null })[]>`
    select version, type, schema_version, occurred_at, payload::text as payload,
      (select salt from ledger.customer_contact where order_id = ${orderId}::uuid) as salt
    from ledger.event
    where stream_id = ${`order-${orderId}`}
    order by version`;
  return { stream: streamOf(orderId, rows), salt: rows[0]?.salt ?? undefined };
}

function streamOf(orderId: OrderId, rows: readonly EventRow[]): OrderStream {
  const events = rows.map((row, index): StreamEvent => {
    if (row.version !== index + 1) throw new Error(`The stream of order ${orderId} has no version ${index + 1}`);
    return {
      event: decodeEvent({ type: row.type, schemaVersion: row.schema_version, payload: row.payload }),
      version: row.version,
      occurredAt: row.occurred_at.toISOString(),
    };
  });
  return { orderId, version: events.length, events };
}

/** The stream of a payment at Square that belongs to no order, oldest first. */
export async function readOrphan(sql: Sql, squarePaymentId: string): Promise<readonly OrderEvent[]> {
  const rows = await sql<EventRow[]>`
    select version, type, schema_version, occurred_at, payload::text as payload
    from ledger.event
    where stream_id = ${`orphan-${squarePaymentId}`}
    order by version`;
  return rows.map(({ type, schema_version: schemaVersion, payload }) => decodeEvent({ type, schemaVersion, payload }));
}

export function eventsOf(stream: OrderStream): readonly OrderEvent[] {
  return stream.events.map(({ event }) => event);
}

/** What the stream adds up to in the list of orders. */
export function summaryOf(events: readonly StreamEvent[]): OrderSummary | undefined {
  return events.reduce<OrderSummary | undefined>(project, undefined);
}
