import { type Basis, basisTypes } from '@kilim/domain/accounting/booking';
import { bookedTypes, typesOfRefundEntries } from '@kilim/domain/accounting/money-of-events';
import { type Cents, cents } from '@kilim/domain/money';
import { type CopiedRow, readAscii, readInteger, readText, readTextOrNothing } from '../database/copy/copied-row.ts';
import { type Place, readPlace } from '../database/copy/event-pages.ts';
import { literal } from '../database/copy/sql-literal.ts';
import type { RowKind } from './selection.ts';

/**
 * A row of `ledger.event`. Instants are microseconds since the year 2000; ids and hashes are text.
 */
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
  readonly previousHash: string;
  readonly hash: string;
};

/** Reads the values of a row in the order of its columns, and leaves the payload, the last one. */
export function readLedgerRow(row: CopiedRow): LedgerRow {
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
    previousHash: readAscii(row),
    hash: readAscii(row),
  };
}

/** Every column that the hash of an event covers, and the hash. */
export const ledgerRows: RowKind<CopiedRow> = {
  columns: [
    ...['event_id::text', 'command_id', 'stream_id', 'version', 'type', 'schema_version', 'refund_id', 'amount_cents'],
    ...['currency', 'actor', 'request_id', 'occurred_at', 'recorded_at'],
    ...[`encode(previous_hash, 'hex')`, `encode(hash, 'hex')`, 'payload'],
  ],
  rowsPerPage: 250,
  rowOf: (row) => row,
};

/** @throws when the amount is not a safe integer. */
function readAmount(row: CopiedRow): Cents | null {
  const amount = readInteger(row);
  return amount === null ? null : cents(amount);
}

/** An event that moved money, with the event that its amounts are split by. */
export type MoneyRow = Pick<
  LedgerRow,
  'epoch' | 'xid' | 'position' | 'eventId' | 'streamId' | 'type' | 'schemaVersion' | 'occurredAt'
> & {
  readonly payload: string;
  /** That event's schema version and payload, with a space between them. */
  readonly basis: string | null;
  /** Of a refund: the sales tax in the event that placed its order. Null for other events. */
  readonly refundedTax: string | null;
};

/** Where the event that another event's amounts are split by is found in its stream. */
const basisConditions = {
  OrderPlaced: 'basis.version = 1',
  RefundRequested: `basis.refund_id = event.refund_id and basis.type = 'RefundRequested'`,
} satisfies Record<Basis['type'], string>;

function basisCase(type: keyof typeof basisTypes): string {
  const basisType = basisTypes[type];
  return basisType === undefined
    ? ''
    : `when ${literal(type)} then (
        select basis.schema_version || ' ' || basis.payload::text from ledger.event basis
        where basis.stream_id = event.stream_id and ${basisConditions[basisType]}
      )`;
}

/** The events that move money. A subquery for each basis keeps the rows in order without a sort. */
export const moneyRows: RowKind<MoneyRow> = {
  types: bookedTypes,
  columns: [
    ...['event_id::text', 'stream_id', 'type', 'schema_version', 'occurred_at', 'payload'],
    `case type ${bookedTypes.map(basisCase).join(' ')} end`,
    `case when type in (${typesOfRefundEntries.map(literal).join(', ')}) then (
      select placed.payload ->> 'salesTax' from ledger.event placed
      where placed.stream_id = event.stream_id and placed.version = 1
    ) end`,
  ],
  rowsPerPage: 100,
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
    refundedTax: readTextOrNothing(row),
  };
}
