import { type Cents, cents } from '@kilim/domain/money';
import { bookedTypes } from '@kilim/domain/projection/journal';
import { type CopiedRow, readAscii, readInteger, readText, readTextOrNothing } from '../database/copy/copied-row.ts';
import { type Place, readPlace } from '../database/copy/event-pages.ts';
import type { RowKind } from './selection.ts';

/** An event as it lies in the table. Instants are microseconds since the year 2000, ids and hashes as they are written. */
export type LedgerRow = Place & {
  readonly eventId: string;
  readonly commandId: string;
  readonly streamId: string;
  readonly version: number;
  readonly type: string;
  readonly schemaVersion: number;
  readonly refundId: string | null;
  readonly amountCents: Cents | null;
  readonly currency: string | null;
  readonly actor: string;
  readonly requestId: string | null;
  readonly occurredAt: number;
  readonly recordedAt: number;
  /** The bytes that were hashed. */
  readonly payload: string;
  readonly previousHash: string;
  readonly hash: string;
};

/** Values stand in a row in the order of its columns, and are read in it. */
function ledgerRowOf(row: CopiedRow): LedgerRow {
  return {
    ...readPlace(row),
    eventId: readAscii(row),
    commandId: readText(row),
    streamId: readText(row),
    version: readInteger(row) ?? 0,
    type: readText(row),
    schemaVersion: readInteger(row) ?? 0,
    refundId: readTextOrNothing(row),
    amountCents: readAmount(row),
    currency: readTextOrNothing(row),
    actor: readText(row),
    requestId: readTextOrNothing(row),
    occurredAt: readInteger(row) ?? 0,
    recordedAt: readInteger(row) ?? 0,
    payload: readText(row),
    previousHash: readAscii(row),
    hash: readAscii(row),
  };
}

/** With all that their hashes cover. */
export const ledgerRows: RowKind<LedgerRow> = {
  columns: [
    ...['event_id::text', 'command_id', 'stream_id', 'version', 'type', 'schema_version', 'refund_id', 'amount_cents'],
    ...['currency', 'actor', 'request_id', 'occurred_at', 'recorded_at', 'payload'],
    ...[`encode(previous_hash, 'hex')`, `encode(hash, 'hex')`],
  ],
  rowsPerPage: 1000,
  rowOf: ledgerRowOf,
};

/** @throws when it is larger than a number can tell exactly. */
function readAmount(row: CopiedRow): Cents | null {
  const amount = readInteger(row);
  return amount === null ? null : cents(amount);
}

/** An event that moved money, with the event that says what its amounts are made of. */
export type MoneyRow = Pick<
  LedgerRow,
  'epoch' | 'xid' | 'position' | 'eventId' | 'streamId' | 'type' | 'schemaVersion' | 'occurredAt' | 'payload'
> & {
  /** Its version and its payload, with a space between them. */
  readonly basis: string | null;
};

/** The events that move money. What they rest on is looked up one by one, which keeps them in order without sorting. */
export const moneyRows: RowKind<MoneyRow> = {
  types: bookedTypes,
  columns: [
    ...['event_id::text', 'stream_id', 'type', 'schema_version', 'occurred_at', 'payload'],
    `case type
      when 'PaymentCaptured' then (
        select placed.schema_version || ' ' || placed.payload::text from ledger.event placed
        where placed.stream_id = event.stream_id and placed.version = 1
      )
      when 'RefundCompleted' then (
        select requested.schema_version || ' ' || requested.payload::text from ledger.event requested
        where requested.refund_id = event.refund_id and requested.stream_id = event.stream_id
          and requested.type = 'RefundRequested'
      )
    end`,
  ],
  rowsPerPage: 250,
  rowOf: moneyRowOf,
};

function moneyRowOf(row: CopiedRow): MoneyRow {
  return {
    ...readPlace(row),
    eventId: readAscii(row),
    streamId: readText(row),
    type: readText(row),
    schemaVersion: readInteger(row) ?? 0,
    occurredAt: readInteger(row) ?? 0,
    payload: readText(row),
    basis: readTextOrNothing(row),
  };
}
