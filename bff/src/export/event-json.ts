import { type CopiedRow, readLength } from '../database/copy/copied-row.ts';
import { instantOf } from '../database/copy/instant.ts';
import { appendBytes, appendLine, makeRoom, type TextBytes } from '../database/copy/text-bytes.ts';
import { readLedgerRow } from './ledger-rows.ts';
import type { Scope } from './scope.ts';

/**
 * Appends the fields that an event's hash covers, and the hash. The payload comes last as the
 * stored text, byte for byte, so that a reader can compute the hash.
 */
export function appendEventJson(lines: TextBytes, copied: CopiedRow, scope: Scope): void {
  const row = readLedgerRow(copied);
  const { day, postedOn } = scope.daysOf(row);
  const known = JSON.stringify({
    position: row.position,
    epoch: row.epoch,
    xid: String(row.xid),
    postedOn,
    businessDate: day,
    late: postedOn !== day,
    streamId: row.streamId,
    version: row.version,
    eventId: row.eventId,
    commandId: row.commandId,
    type: row.type,
    schemaVersion: row.schemaVersion,
    refundId: row.refundId,
    amountCents: row.amountCents,
    currency: row.currency,
    actor: row.actor,
    requestId: row.requestId,
    occurredAt: instantOf(row.occurredAt),
    recordedAt: instantOf(row.recordedAt),
    previousHash: row.previousHash,
    hash: row.hash,
  });
  appendLine(lines, `${known.slice(0, -1)},"payload":`);
  const length = readLength(copied);
  makeRoom(lines, length);
  appendBytes(lines, { buffer: copied.bytes, at: copied.at, end: copied.at + length });
  appendLine(lines, '}\n');
}
