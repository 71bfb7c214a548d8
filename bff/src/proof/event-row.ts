import { hash } from 'node:crypto';
import { type CopiedRow, openRow, readAscii, readInteger } from '../copy/copied-row.ts';
import {
  appendByte,
  appendId,
  appendInteger,
  appendString,
  appendValue,
  createTextBytes,
  makeRoom,
} from '../copy/text-bytes.ts';
import type { HashText } from './merkle.ts';

// Verifying reads everything there is, so it reads it in the form that costs PostgreSQL and us least: binary COPY. No expression of the
// database makes anything of what is read: the text that is hashed is put together here, from the columns as they lie in the table.

/** What `readEvent` reads: where an event stands, then what its hash covers. */
export const eventColumns = `epoch, xid, stream_id, version, event_id, command_id, type, schema_version, refund_id, amount_cents, currency,
  actor, request_id, occurred_at, recorded_at, payload, previous_hash, hash`;
const columns = 18;

export type EventRow = {
  readonly epoch: number;
  readonly xid: number;
  readonly streamId: string;
  readonly version: number;
  readonly type: string;
  readonly amountCents: number | null;
  /** The stored text, until the next row is read. */
  readonly payload: Bytes;
  readonly previousHash: HashText;
  readonly hash: HashText;
  /** Of what stands in the row. */
  readonly computedHash: HashText;
};

/** A part of a buffer. */
export type Bytes = { readonly buffer: Buffer; readonly at: number; readonly end: number };

const hashBytes = 32;
const heading = 'kilim-event-1\n';
const lineFeed = 10;
/** Numbers, ids and the heading are longer than what stands in the row, by no more than this altogether. */
const mostLonger = 512;
/** PostgreSQL's instants count microseconds from the year 2000, and those that are hashed from 1970. */
const microsecondsTo2000 = 946_684_800_000_000;

/** The canonical form of one event: the hash before it, a heading, and its fields as lines. */
const canonical = createTextBytes(64 * 1024);

/**
 * One row of a binary COPY of `eventColumns`, with its hash as `ledger.event_hash` makes it (migration 0001).
 * @throws when it is not such a row.
 */
export function readEvent(bytes: Buffer): EventRow {
  const row = openRow(bytes, columns);
  const epoch = readInteger(row) ?? 0;
  const xid = readInteger(row) ?? 0;
  canonical.length = 0;
  makeRoom(canonical, bytes.length + mostLonger);
  canonical.length = hashBytes;
  appendString(canonical, heading);
  const streamId = appendTextLine(row);
  const version = appendNumberLine(row, 0) ?? 0;
  appendId(canonical, row);
  appendByte(canonical, lineFeed);
  appendLine(row);
  const type = appendTextLine(row);
  appendNumberLine(row, 0);
  appendLine(row);
  const amountCents = appendNumberLine(row, 0);
  for (let texts = 0; texts < 3; texts += 1) appendLine(row);
  for (let instants = 0; instants < 2; instants += 1) appendNumberLine(row, microsecondsTo2000);
  const payloadAt = canonical.length;
  appendValue(canonical, row);
  const { buffer, length: end } = canonical;
  const previousHash = readAscii(row);
  buffer.write(previousHash, 0, 'latin1');
  return {
    epoch,
    xid,
    streamId,
    version,
    type,
    amountCents,
    payload: { buffer, at: payloadAt, end },
    previousHash,
    hash: readAscii(row),
    computedHash: hash('sha256', buffer.subarray(0, end), 'binary'),
  };
}

function appendLine(row: CopiedRow): void {
  appendValue(canonical, row);
  appendByte(canonical, lineFeed);
}

function appendTextLine(row: CopiedRow): string {
  const at = canonical.length;
  appendLine(row);
  return canonical.buffer.toString('utf8', at, canonical.length - 1);
}

function appendNumberLine(row: CopiedRow, more: number): number | null {
  const stored = appendInteger(canonical, row, more);
  appendByte(canonical, lineFeed);
  return stored;
}
