import { hash } from 'node:crypto';
import { type Bytes, bytesOf } from '../../database/copy/bytes.ts';
import { type CopiedRow, openRow, readAscii, readLength } from '../../database/copy/copied-row.ts';
import { placeColumns, readPlace } from '../../database/copy/event-pages.ts';
import {
  appendByte,
  appendBytes,
  appendId,
  appendInteger,
  appendValue,
  createTextBytes,
  makeRoom,
} from '../../database/copy/text-bytes.ts';
import { type HashText, hashBytes, isHashAt } from './hash-text.ts';

// Verification reads every event by binary COPY, the cheapest format. No SQL expression touches the
// values: the hashed text is built here from the stored columns.

/** The columns that `readEvent` reads after the place: hashed fields, previous hash, hash. */
export const eventColumns = [
  ...[
    'stream_id',
    'version',
    'event_id',
    'command_id',
    'type',
    'schema_version',
    'refund_id',
    'amount_cents',
    'currency',
  ],
  ...['actor', 'request_id', 'occurred_at', 'recorded_at', 'payload', 'previous_hash', 'hash'],
];

/** Its bytes are valid until the next event is read. */
export type EventRow = {
  readonly epoch: number;
  readonly xid: number;
  readonly streamId: Bytes;
  readonly version: number;
  /** The line of the event's id in the hashed text, which begins with the stream, as `recording` does. */
  readonly eventId: Bytes;
  readonly type: Bytes;
  readonly amountCents: number | null;
  /** Microseconds since 2000, as `recordedAt`. */
  readonly occurredAt: number;
  readonly recordedAt: number;
  /** The line of `recordedAt`. */
  readonly recording: Bytes;
  /** The stored text. */
  readonly payload: Bytes;
  readonly previousHash: Bytes;
  /** The hash stored in the row. */
  readonly hash: HashText;
  readonly computedHash: HashText;
};

const heading = bytesOf('kilim-event-1\n');
const lineFeed = 10;
/** The hashed text is longer than the row by at most this. */
const mostLonger = 512;
/** PostgreSQL counts microseconds from the year 2000; the hashed text counts from 1970. */
const microsecondsTo2000 = 946_684_800_000_000;

/** The canonical form of one event: the previous hash, a heading, and the fields as lines. */
const canonical = createTextBytes(64 * 1024);

/** Computes the hash as `ledger.event_hash` does. */
export function readEvent(row: CopiedRow): EventRow {
  const { epoch, xid } = readPlace(row);
  canonical.length = 0;
  makeRoom(canonical, row.bytes.length + mostLonger);
  canonical.length = hashBytes;
  appendBytes(canonical, heading);
  const streamId = appendLine(row);
  const version = appendNumberLine(row, 0) ?? 0;
  const idAt = canonical.length;
  appendId(canonical, row);
  appendByte(canonical, lineFeed);
  const idEnd = canonical.length;
  appendLine(row);
  const type = appendLine(row);
  appendNumberLine(row, 0);
  appendLine(row);
  const amountCents = appendNumberLine(row, 0);
  for (let texts = 0; texts < 3; texts += 1) appendLine(row);
  const occurredAt = appendNumberLine(row, microsecondsTo2000) ?? 0;
  const recordingAt = canonical.length;
  const recordedAt = appendNumberLine(row, microsecondsTo2000) ?? 0;
  const payloadAt = canonical.length;
  appendValue(canonical, row);
  const { buffer, length: end } = canonical;
  writePreviousHash(row);
  const computedHash = hash('sha256', buffer.subarray(0, end), 'binary');
  return {
    epoch,
    xid,
    streamId,
    version,
    eventId: { buffer, at: idAt, end: idEnd },
    type,
    amountCents,
    occurredAt,
    recordedAt,
    recording: { buffer, at: recordingAt, end: payloadAt },
    payload: { buffer, at: payloadAt, end },
    previousHash: { buffer, at: 0, end: hashBytes },
    hash: readHash(row, computedHash),
    computedHash,
  };
}

/** The column that `readCommand` reads after `eventColumns`. */
export const commandColumn = `(
  select substr(request_hash || '\\x${'00'.repeat(hashBytes)}', 1, ${hashBytes}) || int4send(from_version) || coalesce(macs, '')
  from ledger.command where command.command_id = event.command_id)`;

/** What verification reads of an event's command. Strings have one character for each byte. */
export type OfCommand = {
  readonly requestHash: string;
  readonly fromVersion: number;
  /** As `ledger.command` has them; empty without a MAC. */
  readonly macs: string;
};

/** A missing command has its own fault. */
export function readCommand(row: CopiedRow): OfCommand {
  const bytes = readAscii(row).padEnd(macsAt, '\0');
  return {
    requestHash: bytes.slice(0, hashBytes),
    fromVersion: Buffer.from(bytes.slice(hashBytes, macsAt), 'latin1').readInt32BE(),
    macs: bytes.slice(macsAt),
  };
}

const macsAt = hashBytes + 4;

/** The bytes of the place, and of the request hash. See `RangeSum`. */
export function sealedPlaceOf(row: CopiedRow, { requestHash }: OfCommand): string {
  const place = openRow(row.bytes, row.bytes.readInt16BE(0));
  return placeColumns.map(() => readAscii(place)).join('') + requestHash;
}

function appendLine(row: CopiedRow): Bytes {
  const at = canonical.length;
  appendValue(canonical, row);
  const { buffer, length: end } = canonical;
  appendByte(canonical, lineFeed);
  return { buffer, at, end };
}

function appendNumberLine(row: CopiedRow, more: number): number | null {
  const stored = appendInteger(canonical, row, more);
  appendByte(canonical, lineFeed);
  return stored;
}

const noHashByte = 0xff;

/** A stored hash of another length matches no computed hash. */
function writePreviousHash(row: CopiedRow): void {
  const length = readLength(row);
  const { buffer } = canonical;
  for (let index = 0; index < hashBytes; index += 1) {
    buffer[index] = length === hashBytes ? (row.bytes[row.at + index] ?? 0) : noHashByte;
  }
  row.at += length;
}

/** It mostly equals the computed hash, and then needs no new string. */
function readHash(row: CopiedRow, computed: HashText): HashText {
  const { at } = row;
  const length = readLength(row);
  if (length === hashBytes && isHashAt(computed, row.bytes, row.at)) {
    row.at += length;
    return computed;
  }
  row.at = at;
  return readAscii(row);
}
