import { cents, decimalDollars } from '@kilim/domain/money';
import { type CopiedRow, openRow, readAscii, readInteger, readText } from '../copy/copied-row.ts';
import { appendInstant } from '../copy/instant.ts';
import {
  appendByte,
  appendHex,
  appendId,
  appendInteger,
  appendString,
  makeRoom,
  type TextBytes,
} from '../copy/text-bytes.ts';
import { csvLine, textCell } from './csv.ts';
import { instantText, type LedgerRow } from './ledger-rows.ts';
import { columnsOfLog } from './log-pages.ts';
import type { Scope } from './scope.ts';

const comma = 44;

/** What the event log's spreadsheet shows; `docs/accounting.md` explains each. */
const columns = [
  'position',
  'event_id',
  'posted_on',
  'business_date',
  'late',
  'occurred_at',
  'recorded_at',
  'stream',
  'version',
  'type',
  'order_id',
  'amount',
  'moved',
  'currency',
  'payment_id',
  'refund_id',
  'square_id',
  'square_at',
  'reason',
  'actor',
  'hash',
] as const;

export const eventLogHeader = csvLine(columns);

/** Money that goes out, is promised to go out, or does not go out after all: its amount is negative. */
const outgoing: ReadonlySet<string> = new Set([
  'RefundRequested',
  'RefundCompleted',
  'RefundFailed',
  'ExternalRefundRecorded',
  'ProcessingFeeAssessed',
  'DisputeOpened',
  'PayoutPaid',
]);

/** What moves Square's balance as soon as it is recorded. A dispute that closes moves it only when it is won. */
const moving: ReadonlySet<string> = new Set([
  'PaymentCaptured',
  'RefundCompleted',
  'ExternalRefundRecorded',
  'ProcessingFeeAssessed',
  'DisputeOpened',
  'OrphanPaymentFound',
  'PayoutEntriesRecorded',
  'PayoutPaid',
]);

/** An event may be repeated in its line, its texts with twice as many quotation marks; what else is in a line is not longer than this. */
const mostRepeated = 4;
const mostBesides = 1024;

/** One row of `readLogPages`, as bytes: what goes over all events has no time to make a string of every value. */
export function appendLogLine(line: TextBytes, bytes: Buffer, scope: Scope): void {
  makeRoom(line, mostRepeated * bytes.length + mostBesides);
  const row = openRow(bytes, columnsOfLog);
  appendInteger(line, row, 0);
  const [epoch, xid] = [readInteger(row) ?? 0, String(readInteger(row))];
  appendByte(line, comma);
  appendId(line, row);
  appendByte(line, comma);
  appendInstants(line, row, (occurredAt) => scope.daysOf({ occurredAt, epoch, xid }));
  const streamId = readText(row);
  appendString(line, textCell(streamId));
  appendByte(line, comma);
  appendInteger(line, row, 0);
  const type = readAscii(row);
  const amountCents = readInteger(row);
  const currency = readAscii(row);
  const refundId = readText(row);
  const said = whatPayloadSays(readText(row), refundId);
  const amount = amountCents === null ? '' : dollars(amountCents, outgoing.has(type));
  const moved = moving.has(type) || (type === 'DisputeClosed' && said?.outcome === 'won') || said?.wasPaid === true;
  const orderId = streamId.startsWith('order-') ? streamId.slice('order-'.length) : '';
  appendString(
    line,
    `,${type},${orderId},${amount},${moved ? amount : ''},${currency},${said?.ids ?? ',,'},${textCell(said?.at ?? '')},` +
      `${textCell(said?.reason ?? '')},${textCell(readText(row))},`,
  );
  appendHex(line, row);
  appendString(line, '\r\n');
}

/** Days and instants: both days come before the instant that they are of. */
function appendInstants(
  line: TextBytes,
  row: CopiedRow,
  daysOf: (occurredAt: string) => ReturnType<Scope['daysOf']>,
): void {
  const start = line.length;
  appendInstant(line, readInteger(row) ?? 0);
  const occurredAt = line.buffer.toString('latin1', start, line.length);
  const { day, postedOn } = daysOf(occurredAt);
  line.length = start;
  appendString(line, `${postedOn},${day},${postedOn === day ? '' : 'late'},${occurredAt},`);
  appendInstant(line, readInteger(row) ?? 0);
  appendByte(line, comma);
}

function dollars(amount: number, isOutgoing: boolean): string {
  return decimalDollars(cents(isOutgoing && amount !== 0 ? -amount : amount));
}

/** What is the same in all events that have it. Every kind of stream passes through, also events that this program does not know. */
function whatPayloadSays(payload: string, refundId: string) {
  if (payload === '') return undefined;
  const fields = JSON.parse(payload) as Readonly<Record<string, unknown>>;
  const text = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' ? value : '';
  };
  const squareId =
    text('squareRefundId') ||
    text('squareDisputeId') ||
    text('squarePayoutId') ||
    text('squarePaymentId') ||
    text('squareId');
  return {
    ids: `${textCell(text('paymentId'))},${textCell(refundId)},${textCell(squareId)}`,
    at:
      text('capturedAt') ||
      text('completedAt') ||
      text('refundedAt') ||
      text('takenAt') ||
      text('paidAt') ||
      text('failedAt') ||
      text('sentAt'),
    reason: text('reason') || text('code') || text('outcome'),
    outcome: fields['outcome'],
    wasPaid: fields['wasPaid'],
  };
}

/**
 * Everything that the hash of an event covers, and the hash. The payload comes last and is the stored text, byte for byte: whoever knows
 * how hashes are made can make it again.
 */
export function eventJsonLine(row: LedgerRow, scope: Scope): string {
  const occurredAt = instantText(row.occurred_at);
  const { day, postedOn } = scope.daysOf({ occurredAt, epoch: row.epoch, xid: row.xid });
  const known = JSON.stringify({
    position: row.position,
    epoch: row.epoch,
    xid: row.xid,
    postedOn,
    businessDate: day,
    late: postedOn !== day,
    streamId: row.stream_id,
    version: row.version,
    eventId: row.event_id,
    commandId: row.command_id,
    type: row.type,
    schemaVersion: row.schema_version,
    refundId: row.refund_id,
    amountCents: row.amount_cents,
    currency: row.currency,
    actor: row.actor,
    requestId: row.request_id,
    occurredAt,
    recordedAt: instantText(row.recorded_at),
    previousHash: row.previous_hash,
    hash: row.hash,
  });
  return `${known.slice(0, -1)},"payload":${row.payload}}\n`;
}
