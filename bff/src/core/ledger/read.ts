import { type Books, type BooksEvent, evolve, newBooks, withReopenings } from '@kilim/domain/accounting/books';
import type { ClosingsEvent } from '@kilim/domain/accounting/closings';
import type { OrderEvent } from '@kilim/domain/order/events';
import { type OrderId, parseOrderId } from '@kilim/domain/order/ids';
import { type OrderSummary, project, type StreamEvent } from '@kilim/domain/projection/order-summary';
import type { Sql, Transaction } from '../database/database.ts';
import { booksCodec, booksStream } from './codecs/books.ts';
import { closingsCodec, closingsStream } from './codecs/closings.ts';
import type { AnyEvent, Codec, StoredEvent } from './codecs/codec.ts';
import { orderCodec } from './codecs/order.ts';

/** Version 0 is a stream that does not exist. */
export type Stream<Event> = {
  readonly version: number;
  readonly events: readonly RecordedEvent<Event>[];
};

export type RecordedEvent<Event> = {
  readonly event: Event;
  readonly version: number;
  /** ISO 8601 instant. */
  readonly occurredAt: string;
};

export type OrderStream = Stream<OrderEvent> & { readonly orderId: OrderId };

export type StreamKind<Event extends AnyEvent> = {
  readonly streamId: string;
  readonly codec: Codec<Event>;
};

export async function readStream<Event extends AnyEvent>(
  sql: Sql | Transaction,
  { streamId, codec }: StreamKind<Event>,
): Promise<Stream<Event>> {
  const rows = await sql<EventRow[]>`
    select version, type, schema_version as "schemaVersion", occurred_at as "occurredAt", payload::text as payload
    from ledger.event
    where stream_id = ${streamId}
    order by version`;
  return streamOf({ streamId, codec }, rows);
}

export async function readOrder(sql: Sql, orderId: OrderId): Promise<OrderStream> {
  const stream = await readStream(sql, { streamId: orderStreamId(orderId), codec: orderCodec });
  return { ...stream, orderId };
}

/** Two statements could see an order without its salt. */
export async function readOrderWithSalt(
  sql: Sql,
  orderId: OrderId,
): Promise<OrderStream & { readonly salt: Uint8Array | undefined }> {
  const streamId = orderStreamId(orderId);
  const rows = await sql<(EventRow & { readonly salt: Uint8Array | null })[]>`
    select version, type, schema_version as "schemaVersion", occurred_at as "occurredAt", payload::text as payload,
      (select salt from ledger.customer_contact where order_id = ${orderId}::uuid) as salt
    from ledger.event
    where stream_id = ${streamId}
    order by version`;
  return { ...streamOf({ streamId, codec: orderCodec }, rows), orderId, salt: rows[0]?.salt ?? undefined };
}

/** Both streams as they were at one instant. */
export type BooksHistory = { readonly books: Stream<BooksEvent>; readonly closings: Stream<ClosingsEvent> };

/** Two statements could see a second closing without the reopening before it. */
export async function readBooksHistory(sql: Sql | Transaction): Promise<BooksHistory> {
  const rows = await sql<(EventRow & { readonly stream_id: string })[]>`
    select stream_id, version, type, schema_version as "schemaVersion", occurred_at as "occurredAt", payload::text as payload
    from ledger.event
    where stream_id in (${booksStream}, ${closingsStream})
    order by stream_id, version`;
  const rowsOf = (streamId: string) => rows.filter((row) => row.stream_id === streamId);
  return {
    books: streamOf({ streamId: booksStream, codec: booksCodec }, rowsOf(booksStream)),
    closings: streamOf({ streamId: closingsStream, codec: closingsCodec }, rowsOf(closingsStream)),
  };
}

export function booksOf({ books, closings }: BooksHistory): Books {
  return withReopenings(eventsOf(books).reduce<Books>(evolve, newBooks), eventsOf(closings));
}

export async function readBooks(sql: Sql): Promise<Books> {
  return booksOf(await readBooksHistory(sql));
}

type EventRow = StoredEvent & { readonly version: number; readonly occurredAt: Date };

function streamOf<Event extends AnyEvent>(
  { streamId, codec }: StreamKind<Event>,
  rows: readonly EventRow[],
): Stream<Event> {
  const events = rows.map((row, index): RecordedEvent<Event> => {
    const { version, occurredAt } = row;
    if (version !== index + 1) throw new Error(`The stream ${streamId} has no version ${index + 1}`);
    const event = codec.decode(row);
    return { event, version, occurredAt: occurredAt.toISOString() };
  });
  return { version: events.length, events };
}

export function orderStreamId(orderId: OrderId): string {
  return `order-${orderId}`;
}

/** @returns undefined for a stream of another kind. */
export function orderIdOf(streamId: string): OrderId | undefined {
  return streamId.startsWith('order-') ? parseOrderId(streamId.slice('order-'.length)) : undefined;
}

export function orphanStream(squarePaymentId: string): StreamKind<OrderEvent> {
  return { streamId: `orphan-${squarePaymentId}`, codec: orderCodec };
}

export function eventsOf<Event>(stream: Stream<Event>): readonly Event[] {
  return stream.events.map(({ event }) => event);
}

export function summaryOf(events: readonly StreamEvent[]): OrderSummary | undefined {
  return events.reduce<OrderSummary | undefined>(project, undefined);
}
