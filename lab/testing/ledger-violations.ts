import type { OrderEvent } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';
import { type OrderSummary, project, type StreamEvent } from '@kilim/domain/projection/order-summary';
import { refundHistory } from '@kilim/domain/projection/refund-history';
import type { Sql, Transaction } from '../../bff/src/core/database/database.ts';
import { orderCodec } from '../../bff/src/core/ledger/codecs/order.ts';
import { canonicalJson } from '../../bff/src/core/ledger/hash.ts';
import { refundRow, summaryRow } from '../../bff/src/core/ledger/projection-rows.ts';

/** By stream id. */
export type Streams = ReadonlyMap<string, readonly StreamEvent[]>;

/**
 * I7: versions are contiguous, hashes form a chain, readers meet a stream's events in order, and every event belongs to
 * exactly one command.
 */
export async function brokenStreams(sql: Transaction): Promise<readonly string[]> {
  const broken = await sql<{ stream_id: string; version: number }[]>`
    select stream_id, version from (
      select e.*, ledger.event_hash(e) as expected_hash,
        row_number() over (partition by e.stream_id order by e.version) as expected_version,
        coalesce(lag(e.hash) over (partition by e.stream_id order by e.version), decode(repeat('00', 32), 'hex')) as before
      from ledger.event e
    ) chain
    where hash <> expected_hash or previous_hash <> before or version <> expected_version`;
  const misplaced = await sql<{ stream_id: string; version: number }[]>`
    select stream_id, version from (
      select stream_id, version,
        row(epoch, xid, position) < lag(row(epoch, xid, position)) over (partition by stream_id order by version)
          as is_before
      from ledger.event
    ) place
    where is_before`;
  const strangers = await sql<{ stream_id: string; version: number }[]>`
    select e.stream_id, e.version from ledger.event e
    left join ledger.command c on c.command_id = e.command_id and c.stream_id = e.stream_id
      and e.version between c.from_version and c.to_version
    where c.command_id is null`;
  return [
    ...broken.map(({ stream_id: id, version }) => `I7 the chain of ${id} breaks at version ${version}`),
    ...misplaced.map(({ stream_id: id, version }) => `I7 version ${version} of ${id} is read too early`),
    ...strangers.map(({ stream_id: id, version }) => `I7 version ${version} of ${id} belongs to no command`),
  ];
}

/** A row equals what its stream adds up to. */
export async function wrongRows(sql: Transaction, streams: Streams): Promise<readonly string[]> {
  const found: string[] = [];
  const summaries = new Map((await sql<Row[]>`select * from ledger.order_summary`).map((row) => [row.order_id, row]));
  const refunds = await sql<Row[]>`select * from ledger.refund_history`;
  for (const [streamId, events] of streams) {
    const orderId = streamId.slice('order-'.length) as OrderId;
    const summary = events.reduce<OrderSummary | undefined>(project, undefined);
    if (summary === undefined) {
      found.push(`${streamId} has events and was never placed`);
      continue;
    }
    const isRebuilt = sameRow(summaries.get(orderId) ?? {}, summaryRow(summary));
    if (!isRebuilt) found.push(`The row of ${streamId} is not what its stream adds up to`);
    const rebuilt = refundHistory(orderId, events).map(refundRow);
    const stored = refunds.filter(({ order_id }) => order_id === orderId);
    const agree = rebuilt.every((refund) => {
      const same = stored.find(({ refund_id }) => refund_id === refund.refund_id);
      return same !== undefined && sameRow(same, refund);
    });
    if (!agree || stored.length !== rebuilt.length)
      found.push(`The refunds of ${streamId} are not what its stream says`);
  }
  for (const orderId of summaries.keys()) {
    if (!streams.has(`order-${orderId}`)) found.push(`The row of ${orderId} has no stream`);
  }
  return found;
}

type Row = Readonly<Record<string, unknown>> & { readonly order_id?: string; readonly refund_id?: string };

function sameRow(stored: Row, rebuilt: Row): boolean {
  // JSON turns instants into text, as the rebuilt row has them.
  return canonicalJson(JSON.parse(JSON.stringify(stored))) === canonicalJson(rebuilt);
}

type EventRow = {
  readonly stream_id: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly occurred_at: Date;
  readonly payload: string;
};

export async function readStreams(sql: Sql | Transaction): Promise<Streams> {
  const rows = await sql<EventRow[]>`
    select stream_id, version, type, schema_version, occurred_at, payload::text as payload
    from ledger.event where stream_id like 'order-%' order by stream_id, version`;
  const streams = new Map<string, StreamEvent[]>();
  for (const row of rows) {
    const event: OrderEvent = orderCodec.decode({
      type: row.type,
      schemaVersion: row.schema_version,
      payload: row.payload,
    });
    const stream = streams.get(row.stream_id) ?? [];
    stream.push({ event, version: row.version, occurredAt: row.occurred_at.toISOString() });
    streams.set(row.stream_id, stream);
  }
  return streams;
}
