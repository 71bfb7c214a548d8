import { createHash } from 'node:crypto';
import type { OrderId } from '@kilim/domain/order/ids';
import { type OrderSummary, project, type StreamEvent } from '@kilim/domain/projection/order-summary';
import { refundHistory } from '@kilim/domain/projection/refund-history';
import { v7 } from 'uuid';
import type { Authenticity } from '../../bff/src/core/ledger/authenticity.ts';
import type { EncodedEvent } from '../../bff/src/core/ledger/codecs/codec.ts';
import { orderCodec } from '../../bff/src/core/ledger/codecs/order.ts';
import type { ContactRow } from '../../bff/src/core/ledger/contact.ts';
import { sha256 } from '../../bff/src/core/ledger/hash.ts';
import { refundRow, summaryRow } from '../../bff/src/core/ledger/projection-rows.ts';
import type { LifeStep } from './order-life.ts';

const summaryColumns = [
  'order_id',
  'version',
  'payment_id',
  'square_payment_id',
  'payment_status',
  'delivery_option',
  'rug_count',
  'total_cents',
  'captured_cents',
  'refund_pending_cents',
  'refunded_cents',
  'refundable_cents',
  'refund_status',
  'fee_cents',
  'dispute_status',
  'pickup_day',
  'pickup_window',
  'stage',
  'supplement_of',
  'supplement_id',
  'placed_at',
  'paid_at',
  'updated_at',
] as const satisfies readonly (keyof ReturnType<typeof summaryRow>)[];

const refundColumns = [
  'refund_id',
  'order_id',
  'payment_id',
  'square_refund_id',
  'origin',
  'status',
  'refund_type',
  'amount_cents',
  'reason',
  'items',
  'delivery_minimum_cents',
  'services_cents',
  'add_ons_cents',
  'delivery_cents',
  'minimum_cents',
  'sales_tax_cents',
  'requested_by',
  'failure_code',
  'requested_at',
  'settled_at',
  'paid_by',
  'paid_on',
  'reference',
] as const satisfies readonly (keyof ReturnType<typeof refundRow>)[];

/** In the order in which they are filled. */
export const copied = {
  event: [
    'stream_id',
    'version',
    'event_id',
    'command_id',
    'type',
    'schema_version',
    'refund_id',
    'amount_cents',
    'currency',
    'actor',
    'request_id',
    'occurred_at',
    'recorded_at',
    'payload',
    'previous_hash',
    'hash',
  ],
  command: ['command_id', 'request_hash', 'stream_id', 'from_version', 'to_version', 'stamp', 'recorded_at'],
  order_summary: summaryColumns,
  refund_history: refundColumns,
  customer_contact: [
    'order_id',
    'salt',
    'name',
    'email',
    'phone',
    'street',
    'city',
    'state',
    'zip_code',
    'unit',
    'pickup_day',
    'pickup_window',
    'driver_note',
    'receipt_token_hash',
  ],
} as const;

export type CopiedTable = keyof typeof copied;
/** Of `COPY ... FROM STDIN`, with the time by which lines are sorted. */
export type Line = { readonly at: number; readonly text: string };
export type OrderRows = Readonly<Record<CopiedTable, readonly Line[]>>;

type SeededOrder = {
  readonly orderId: OrderId;
  readonly steps: readonly LifeStep[];
  readonly contact: ContactRow;
  /** Undefined without a key. */
  readonly stamp: Authenticity['stamp'] | undefined;
};

/** As appending the steps one by one would have written them. */
export function rowsOf({ orderId, steps, contact, stamp }: SeededOrder): OrderRows {
  const streamId = `order-${orderId}`;
  const events: Line[] = [];
  const commands: Line[] = [];
  const stream: StreamEvent[] = [];
  let summary: OrderSummary | undefined;
  let previousHash: Uint8Array = Buffer.alloc(32);
  for (const { commandId, actor, at, events: recorded } of steps) {
    const occurredAt = new Date(at).toISOString();
    const expectedVersion = stream.length;
    const encoded: EncodedEvent[] = [];
    for (const event of recorded) {
      const version = stream.length + 1;
      const stored = orderCodec.encode(event);
      encoded.push(stored);
      const line = eventLine({ streamId, version, commandId, actor, at, previousHash }, stored);
      events.push({ at, text: line.text });
      previousHash = line.hash;
      const added = { event, version, occurredAt };
      stream.push(added);
      summary = project(summary, added);
    }
    const requestHash = sha256(commandId);
    const command = { streamId, expectedVersion, commandId, requestHash, actor, requestId: undefined };
    const macs = stamp?.({ ...command, occurredAt: new Date(at), events: encoded });
    const stored = [requestHash, streamId, expectedVersion + 1, stream.length, macs && Buffer.from(macs, 'hex')];
    commands.push({ at, text: copyLine([commandId, ...stored, occurredAt]) });
  }
  if (summary === undefined) throw new Error(`${streamId} has no events`);
  const at = steps[0]?.at ?? 0;
  const whole = <Table extends CopiedTable>(table: Table, row: Record<(typeof copied)[Table][number], unknown>) => {
    const columns: readonly (keyof typeof row)[] = copied[table];
    return { at, text: copyLine(columns.map((column) => row[column])) };
  };
  return {
    event: events,
    command: commands,
    order_summary: [whole('order_summary', summaryRow(summary))],
    refund_history: refundHistory(orderId, stream).map((refund) => whole('refund_history', refundRow(refund))),
    customer_contact: [whole('customer_contact', contact)],
  };
}

type Place = Pick<LifeStep, 'commandId' | 'actor' | 'at'> & {
  readonly streamId: string;
  readonly version: number;
  readonly previousHash: Uint8Array;
};

function eventLine(place: Place, event: EncodedEvent): { readonly text: string; readonly hash: Uint8Array } {
  const { streamId, version, commandId, actor, at, previousHash } = place;
  const { type, schemaVersion, refundId, amountCents, payload } = event;
  const eventId = v7({ msecs: at });
  const currency = amountCents === null ? null : 'USD';
  const microseconds = `${at}000`;
  const stored = { streamId, version, eventId, commandId, type, schemaVersion, refundId, amountCents, currency, actor };
  const hash = eventHash({
    ...stored,
    previousHash,
    requestId: null,
    occurredAtMicroseconds: microseconds,
    recordedAtMicroseconds: microseconds,
    payload,
  });
  const instant = new Date(at).toISOString();
  return { text: copyLine([...Object.values(stored), null, instant, instant, payload, previousHash, hash]), hash };
}

function copyLine(values: readonly unknown[]): string {
  return `${values.map(copyText).join('\t')}\n`;
}

function copyText(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString('hex')}`;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

/** What the hash covers. Instants are microseconds since 1970. */
type HashedEvent = {
  readonly previousHash: Uint8Array;
  readonly streamId: string;
  readonly version: number;
  readonly eventId: string;
  readonly commandId: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly refundId: string | null;
  readonly amountCents: number | null;
  readonly currency: string | null;
  readonly actor: string;
  readonly requestId: string | null;
  readonly occurredAtMicroseconds: string;
  readonly recordedAtMicroseconds: string;
  readonly payload: string;
};

/** The same as `ledger.event_hash` in SQL: an event's canonical form. */
function eventHash(event: HashedEvent): Buffer {
  const text = `kilim-event-1
${event.streamId}
${event.version}
${event.eventId}
${event.commandId}
${event.type}
${event.schemaVersion}
${event.refundId ?? ''}
${event.amountCents ?? ''}
${event.currency ?? ''}
${event.actor}
${event.requestId ?? ''}
${event.occurredAtMicroseconds}
${event.recordedAtMicroseconds}
${event.payload}`;
  return createHash('sha256').update(event.previousHash).update(text).digest();
}
