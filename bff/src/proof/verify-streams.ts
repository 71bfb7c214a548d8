import { createHash } from 'node:crypto';
import type { Sql } from '../database.ts';
import { amountInPayload } from '../ledger/stored-event.ts';

/** What is wrong with one stream, and where. */
export type StreamFault = {
  readonly code: /** The stored hash is not that of the stored event: something of it was changed. */
    | 'EventChanged'
    /** It does not follow the event before it. */
    | 'ChainBroken'
    /** A version is not there. */
    | 'EventMissing'
    /** A typed column says something else than the payload. */
    | 'ColumnDiffers';
  readonly streamId: string;
  readonly version: number;
};

/** Streams from one name on, and before another; everything without. */
export type StreamRange = { readonly from: string | undefined; readonly before: string | undefined };

export type VerifiedStreams = {
  readonly events: number;
  readonly streams: number;
  readonly faults: readonly StreamFault[];
};

type Row = {
  readonly stream_id: string;
  readonly version: number;
  readonly event_id: string;
  readonly command_id: string;
  readonly type: string;
  readonly schema_version: number;
  readonly refund_id: string | null;
  readonly amount_cents: number | null;
  readonly currency: string | null;
  readonly actor: string;
  readonly request_id: string | null;
  readonly occurred: string;
  readonly recorded: string;
  readonly payload: string;
  readonly previous_hash: Buffer;
  readonly hash: Buffer;
};

const rowsAtOnce = 2000;

/**
 * Recomputes every hash of a range of streams in this process: a function in the database could have been exchanged together with
 * the data. `onProgress` hears how many events were read.
 */
export async function verifyStreams(
  sql: Sql,
  range: StreamRange,
  onProgress: (events: number) => void,
): Promise<VerifiedStreams> {
  const faults: StreamFault[] = [];
  let events = 0;
  let streams = 0;
  let last: Pick<Row, 'stream_id' | 'version' | 'hash'> | undefined;
  const rows = sql<Row[]>`
    select stream_id, version, event_id, command_id, type, schema_version, refund_id, amount_cents, currency, actor,
      request_id, (extract(epoch from occurred_at) * 1000000)::bigint::text as occurred,
      (extract(epoch from recorded_at) * 1000000)::bigint::text as recorded, payload::text as payload, previous_hash, hash
    from ledger.event
    where stream_id >= ${range.from ?? ''} and (${range.before ?? null}::text is null or stream_id < ${range.before ?? null})
    order by stream_id, version`;
  for await (const batch of rows.cursor(rowsAtOnce)) {
    for (const row of batch) {
      const before = last?.stream_id === row.stream_id ? last : undefined;
      if (before === undefined) streams += 1;
      faults.push(...faultsOf(row, before));
      last = row;
    }
    events += batch.length;
    onProgress(batch.length);
  }
  return { events, streams, faults };
}

const noHash = Buffer.alloc(32);

function faultsOf(row: Row, before: Pick<Row, 'version' | 'hash'> | undefined): readonly StreamFault[] {
  const { stream_id: streamId, version } = row;
  const faults: StreamFault[] = [];
  const expected = (before?.version ?? 0) + 1;
  for (let missing = expected; missing < version; missing += 1) {
    faults.push({ code: 'EventMissing', streamId, version: missing });
  }
  if (expected === version && !row.previous_hash.equals(before?.hash ?? noHash)) {
    faults.push({ code: 'ChainBroken', streamId, version });
  }
  if (!row.hash.equals(hashOf(row))) faults.push({ code: 'EventChanged', streamId, version });
  else if (row.amount_cents !== amountInPayload(row.type, row.payload)) {
    faults.push({ code: 'ColumnDiffers', streamId, version });
  }
  return faults;
}

/** As `ledger.event_hash` makes it (migration 0001): the canonical form of an event is these lines. */
function hashOf(row: Row): Buffer {
  const lines = [
    'kilim-event-1',
    row.stream_id,
    row.version,
    row.event_id,
    row.command_id,
    row.type,
    row.schema_version,
    row.refund_id ?? '',
    row.amount_cents ?? '',
    row.currency ?? '',
    row.actor,
    row.request_id ?? '',
    row.occurred,
    row.recorded,
    row.payload,
  ];
  return createHash('sha256').update(row.previous_hash).update(lines.join('\n')).digest();
}
