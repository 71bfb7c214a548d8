import { type OrderId, parseOrderId } from '@kilim/domain/order/ids';
import type { StreamEvent } from '@kilim/domain/projection/order-summary';
import { refundHistory } from '@kilim/domain/projection/refund-history';
import type { Transaction } from '../../database/database.ts';
import type { StoredEvent } from '../codecs/codec.ts';
import { orderCodec } from '../codecs/order.ts';
import { refundRow, summaryRow } from '../projection-rows.ts';
import { summaryOf } from '../read.ts';

// The projections of orders, folded from their events by the domain, as an append does.

export type OrderFolded = {
  readonly orderId: OrderId;
  /** Undefined: the order was never placed. */
  readonly summary: ReturnType<typeof summaryRow> | undefined;
  readonly refunds: readonly ReturnType<typeof refundRow>[];
};

export type Unreadable = { readonly orderId: OrderId; readonly unreadable: string };

export type FoldedBatch = {
  readonly orders: readonly (OrderFolded | Unreadable)[];
  /** Also of streams that the next batch completes. */
  readonly events: number;
};

type EventRow = StoredEvent & { readonly streamId: string; readonly version: number; readonly occurredAt: Date };

const eventsPerBatch = 2000;

/**
 * A cursor of postgres.js would block the connection until its last row.
 * @param streams absent: all of them
 */
export async function* foldOrders(
  transaction: Transaction,
  streams?: readonly string[],
): AsyncGenerator<FoldedBatch, void> {
  const chosen =
    streams === undefined
      ? transaction`stream_id like 'order-%'`
      : transaction`stream_id = any(${transaction.typed.textArray(streams)}::text[])`;
  await transaction`
    declare order_events no scroll cursor for
    select stream_id as "streamId", version, type, schema_version as "schemaVersion", occurred_at as "occurredAt",
      payload::text as payload
    from ledger.event
    where ${chosen} order by stream_id, version`;
  let rest: readonly EventRow[] = [];
  for (;;) {
    const batch = await transaction.unsafe<EventRow[]>(`fetch ${eventsPerBatch} from order_events`);
    const rows = [...rest, ...batch];
    const last = batch.length === 0 ? undefined : rows.at(-1)?.streamId;
    const complete = rows.filter((row) => row.streamId !== last);
    rest = rows.slice(complete.length);
    yield { orders: [...Map.groupBy(complete, (row) => row.streamId)].flatMap(foldOne), events: batch.length };
    if (batch.length === 0) break;
  }
  await transaction.unsafe('close order_events');
}

function foldOne([streamId, rows]: [string, readonly EventRow[]]): readonly (OrderFolded | Unreadable)[] {
  const orderId = parseOrderId(streamId.slice('order-'.length));
  if (orderId === undefined) return [];
  try {
    const events = rows.map(decoded);
    const summary = summaryOf(events);
    return [
      { orderId, summary: summary && summaryRow(summary), refunds: refundHistory(orderId, events).map(refundRow) },
    ];
  } catch (error) {
    return [{ orderId, unreadable: error instanceof Error ? error.message : String(error) }];
  }
}

function decoded({ version, occurredAt, ...stored }: EventRow): StreamEvent {
  return { event: orderCodec.decode(stored), version, occurredAt: occurredAt.toISOString() };
}
