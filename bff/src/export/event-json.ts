import { instantOf } from '../database/copy/instant.ts';
import type { LedgerRow } from './ledger-rows.ts';
import type { Scope } from './scope.ts';

/**
 * The fields that an event's hash covers, and the hash. The payload comes last as the stored text,
 * byte for byte, so that a reader can compute the hash.
 */
export function eventJsonLine(row: LedgerRow, scope: Scope): string {
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
  return `${known.slice(0, -1)},"payload":${row.payload}}\n`;
}
