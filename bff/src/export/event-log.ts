import { cents, decimalDollars } from '@kilim/domain/money';
import { csvLine, textCell } from './csv.ts';
import { instantText, type LedgerRow, type LogRow } from './ledger-rows.ts';
import type { Scope } from './scope.ts';

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

export function eventLogLine(row: LogRow, scope: Scope): string {
  const occurredAt = instantText(row.occurred_at);
  const { day, postedOn } = scope.daysOf({ occurredAt, epoch: row.epoch, xid: row.xid });
  const { type } = row;
  const said = whatPayloadSays(row);
  const amount = row.amount_cents === null ? '' : dollars(row.amount_cents, outgoing.has(type));
  const moved = moving.has(type) || (type === 'DisputeClosed' && said?.outcome === 'won') || said?.wasPaid === true;
  const orderId = row.stream_id.startsWith('order-') ? row.stream_id.slice('order-'.length) : '';
  return (
    `${row.position},${row.event_id},${postedOn},${day},${postedOn === day ? '' : 'late'},${occurredAt},` +
    `${instantText(row.recorded_at)},${textCell(row.stream_id)},${row.version},${type},${orderId},${amount},` +
    `${moved ? amount : ''},${row.currency ?? ''},${said?.ids ?? ',,'},${textCell(said?.at ?? '')},` +
    `${textCell(said?.reason ?? '')},${textCell(row.actor)},${row.hash}\r\n`
  );
}

function dollars(amount: number, isOutgoing: boolean): string {
  return decimalDollars(cents(isOutgoing && amount !== 0 ? -amount : amount));
}

/** What is the same in all events that have it. Every kind of stream passes through, also events that this program does not know. */
function whatPayloadSays({ payload, refund_id: refundId }: LogRow) {
  if (payload === null) return undefined;
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
    ids: `${textCell(text('paymentId'))},${textCell(refundId ?? '')},${textCell(squareId)}`,
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
