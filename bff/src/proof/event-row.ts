import { hash } from 'node:crypto';
import { payoutCodec } from '../core/ledger/codecs/payout.ts';
import { type HashText, hashBytes } from './hash-text.ts';

/** Not as `bigint`, which holds no infinite instant. */
const microseconds = (instant: string) => `trunc(extract(epoch from ${instant}) * 1000000)::text`;

/** Values that are only hashed are one value, as in `ledger.event_hash`. */
export const eventColumns = `stream_id as "streamId", version, event_id as "eventId", type,
  amount_cents::text as "amountCents", concat_ws(E'\\n', command_id, type, schema_version, coalesce(refund_id, ''),
    coalesce(amount_cents::text, ''), coalesce(currency, ''), actor, coalesce(request_id, '')) as fields,
  ${microseconds('occurred_at')} as "occurredAt", ${microseconds('recorded_at')} as "recordedAt",
  payload::text as payload, previous_hash as "previousHash", hash`;

export type StoredRow = {
  readonly streamId: string;
  readonly version: number;
  readonly eventId: string;
  readonly type: string;
  readonly amountCents: string | null;
  readonly fields: string;
  /** Microseconds since 1970. */
  readonly occurredAt: string;
  readonly recordedAt: string;
  readonly payload: string;
  readonly previousHash: Buffer;
  readonly hash: Buffer;
};

export type EventRow = {
  readonly streamId: string;
  readonly version: number;
  readonly type: string;
  /** Microseconds since 1970. */
  readonly occurredAt: number;
  readonly recordedAt: number;
  readonly previousHash: HashText;
  readonly hash: HashText;
  readonly fault: 'EventChanged' | 'ColumnDiffers' | undefined;
  /** The lines that a MAC covers: those that the hash covers, without the database's own. */
  readonly authenticated: string;
};

/** Computes the hash as `ledger.event_hash` does. */
export function readEvent(row: StoredRow): EventRow {
  const { streamId, version, type, fields, occurredAt, recordedAt, payload, previousHash } = row;
  const hashed = `kilim-event-1\n${streamId}\n${version}\n${row.eventId}\n${fields}\n${occurredAt}\n${recordedAt}\n${payload}`;
  const storedHash = row.hash.toString('latin1');
  const isChanged = hash('sha256', Buffer.concat([previousHash, Buffer.from(hashed)]), 'binary') !== storedHash;
  return {
    ...{ streamId, version, type, occurredAt: Number(occurredAt), recordedAt: Number(recordedAt) },
    previousHash: previousHash.toString('latin1'),
    hash: storedHash,
    fault: isChanged ? 'EventChanged' : isAmountRight(row) ? undefined : 'ColumnDiffers',
    authenticated: `${streamId}\n${version}\n${fields}\n${occurredAt}\n${payload}`,
  };
}

function isAmountRight({ amountCents, type, payload }: StoredRow): boolean {
  return (amountCents === null ? null : Number(amountCents)) === amountInPayload(type, payload);
}

/** From the stored payload alone, for any type and version. */
export function amountInPayload(type: string, payload: string): number | null {
  // The only amount that is not in the payload: a sum of the entries.
  if (type === 'PayoutEntriesRecorded') return amountOfEntries(payload);
  const fields = (JSON.parse(payload) ?? {}) as Readonly<Record<string, unknown>>;
  const stated = fields[type === 'OrderPlaced' ? 'total' : 'amount'];
  return Number.isSafeInteger(stated) ? (stated as number) : null;
}

function amountOfEntries(payload: string): number | null {
  try {
    const stored = { type: 'PayoutEntriesRecorded', schemaVersion: 1, payload };
    return payoutCodec.encode(payoutCodec.decode(stored)).amountCents;
  } catch {
    return null;
  }
}

export const commandColumn = `(
  select substr(request_hash || '\\x${'00'.repeat(hashBytes)}', 1, ${hashBytes}) || int4send(from_version) || coalesce(stamp, '')
  from ledger.command where command.command_id = event.command_id) as command`;

const macsAt = hashBytes + 4;

export type OfCommand = {
  readonly requestHash: Buffer;
  readonly fromVersion: number;
  /** As `ledger.command` has them; empty without a MAC. */
  readonly macs: Buffer;
};

/** A missing command has its own fault. */
export function readCommand(stored: Buffer | null): OfCommand {
  const bytes = stored ?? Buffer.alloc(macsAt);
  return {
    requestHash: bytes.subarray(0, hashBytes),
    fromVersion: bytes.readInt32BE(hashBytes),
    macs: bytes.subarray(macsAt),
  };
}
