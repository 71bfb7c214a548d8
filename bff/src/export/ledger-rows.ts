import type { Horizon } from '@kilim/domain/accounting/books';
import { bookedTypes } from '@kilim/domain/projection/journal';
import { literal } from '../copy/sql-literal.ts';
import type { Sql } from '../database.ts';
import { readBatches } from './read-batches.ts';
import type { Scope } from './scope.ts';

/** An event as it lies in the table. Instants are as PostgreSQL writes them; `instantText` makes ISO 8601 of them. */
export type LedgerRow = {
  readonly position: number;
  readonly epoch: number;
  readonly xid: string;
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
  readonly occurred_at: string;
  readonly recorded_at: string;
  /** The bytes that were hashed. */
  readonly payload: string;
  readonly previous_hash: string;
  readonly hash: string;
};

/** An event that moved money, with the event that says what its amounts are made of. */
export type MoneyRow = Pick<
  LedgerRow,
  'position' | 'epoch' | 'xid' | 'stream_id' | 'event_id' | 'type' | 'schema_version' | 'occurred_at' | 'payload'
> & {
  /** Its version and its payload, with a space between them. */
  readonly basis: string | null;
};

/** Where a reading goes on: after the event at this position. */
export type After = { readonly position: number; readonly epoch: number; readonly xid: string };

export type Selection = { readonly scope: Scope; readonly after?: After | undefined };

/** Events of all streams in the order in which the ledger is read, with all that their hashes cover. */
export function readLedger(sql: Sql, selection: Selection): AsyncGenerator<readonly LedgerRow[], void> {
  return readBatches(
    sql,
    (reader) => reader<LedgerRow[]>`
      select position, epoch, xid::text, stream_id, version, event_id::text, command_id, type, schema_version, refund_id,
        amount_cents, currency, actor, request_id, occurred_at::text, recorded_at::text, payload::text,
        encode(previous_hash, 'hex') as previous_hash, encode(hash, 'hex') as hash
      from ledger.event
      where ${reader.unsafe(within(selection))}
      order by event.epoch, event.xid, event.position`,
  );
}

/** The events that move money. What they rest on is looked up one by one, which keeps them in order without sorting. */
export function readMoney(sql: Sql, selection: Selection): AsyncGenerator<readonly MoneyRow[], void> {
  return readBatches(
    sql,
    (reader) => reader<MoneyRow[]>`
      select position, epoch, xid::text, stream_id, event_id::text, type, schema_version, occurred_at::text, payload::text,
        case type
          when 'PaymentCaptured' then (
            select placed.schema_version || ' ' || placed.payload::text from ledger.event placed
            where placed.stream_id = event.stream_id and placed.version = 1
          )
          when 'RefundCompleted' then (
            select requested.schema_version || ' ' || requested.payload::text from ledger.event requested
            where requested.refund_id = event.refund_id and requested.stream_id = event.stream_id
              and requested.type = 'RefundRequested'
          )
        end as basis
      from ledger.event
      where ${reader.unsafe(within(selection))} and type = any (${bookedTypesText}::text::text[])
      order by event.epoch, event.xid, event.position`,
  );
}

/** Written as PostgreSQL writes arrays; names of types need no quotes. */
const bookedTypesText = `{${bookedTypes.join(',')}}`;

/** How many events there are, money or not. */
export async function countEvents(sql: Sql, scope: Scope): Promise<number> {
  const [row] = await sql<{ events: number }[]>`
    select count(*) as events from ledger.event where ${sql.unsafe(within({ scope }))}`;
  return row?.events ?? 0;
}

/** @returns undefined when there is no such event. */
export async function placeOf(sql: Sql, position: number): Promise<After | undefined> {
  const [row] = await sql<After[]>`select position, epoch, xid::text from ledger.event where position = ${position}`;
  return row;
}

/**
 * Which events are selected, as a condition. Below the oldest transaction that still runs nothing is added any more, so who reads on from the last
 * event misses none. A transaction counter of before a restore says nothing about those that run now. A closed period ends where nothing was added
 * any more when it was closed.
 */
export function within({ scope: { window }, after }: Selection): string {
  const { startsAt, endsAt, writtenBefore, orWrittenFrom } = window;
  const happenedFrom = `occurred_at >= ${literal(startsAt)}::timestamptz`;
  return [
    `occurred_at < ${literal(endsAt)}::timestamptz`,
    orWrittenFrom === undefined
      ? happenedFrom
      : `(${happenedFrom} or (event.epoch, event.xid) >= ${placeIn(orWrittenFrom)})`,
    writtenBefore === undefined
      ? `(event.xid < pg_snapshot_xmin(pg_current_snapshot())
          or event.epoch < (select max(last.epoch) from ledger.event last))`
      : `(event.epoch, event.xid) < ${placeIn(writtenBefore)}`,
    ...(after === undefined
      ? []
      : [
          `(event.epoch, event.xid, event.position)
            > (${after.epoch}::smallint, ${literal(after.xid)}::xid8, ${after.position}::bigint)`,
        ]),
  ].join(' and ');
}

function placeIn({ epoch, xid }: Horizon): string {
  return `(${epoch}::smallint, ${literal(xid)}::xid8)`;
}

/** `2026-11-21 15:07:56.123+00` as `2026-11-21T15:07:56.123Z`. Sessions are in Coordinated Universal Time. */
export function instantText(stored: string): string {
  return `${stored.slice(0, 10)}T${stored.slice(11, -3)}Z`;
}
