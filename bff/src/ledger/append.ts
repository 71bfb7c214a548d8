import type { OrderEvent } from '@kilim/domain/order/events';
import type { OrderId, PaymentId, RefundId } from '@kilim/domain/order/ids';
import {
  type OrderSummary,
  refundableOf,
  refundStanding,
  type StreamEvent,
} from '@kilim/domain/projection/order-summary';
import { type RefundHistoryRow, refundHistory } from '@kilim/domain/projection/refund-history';
import postgres from 'postgres';
import { rowText, type Sql, type Transaction } from '../database/database.ts';
import { encodeEvent, eventLines } from './codecs/order.ts';
import { type OrderStream, summaryOf } from './read.ts';

/** Who did it: shown in the order's timeline. */
export type Actor = 'customer' | 'settle-worker' | 'reconciliation' | `admin:${string}`;

/** `charge` is one payment attempt from its intent to its end. A refund is asked for first, then followed until Square has decided. */
export type EffectKind = 'charge' | 'refund' | 'follow_refund';

/** Something to ask of Square, opened together with the event that intends it. */
export type NewEffect = {
  readonly key: string;
  readonly paymentId: PaymentId;
  readonly refundId?: RefundId;
  readonly kind: EffectKind;
  /** How long other processes leave the effect alone. */
  readonly waitSeconds: number;
};

/** The contact as it is kept beside the ledger. Bytes are `\x`-prefixed hexadecimal text. */
export type ContactRow = {
  readonly order_id: OrderId;
  readonly salt: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly street: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip_code: string | null;
  readonly receipt_token_hash: string;
};

export type Append = {
  /** Chosen by whoever wants the thing done, before it is done: the same id again records nothing. */
  readonly commandId: string;
  /** SHA-256 of what was asked for, so that another request under the same id is refused. */
  readonly requestHash: Uint8Array;
  readonly actor: Actor;
  readonly requestId: string | undefined;
  readonly occurredAt: Date;
  readonly events: readonly [OrderEvent, ...OrderEvent[]];
  readonly contact?: ContactRow;
  readonly openEffects?: readonly NewEffect[];
  readonly closeEffects?: readonly string[];
};

export type AppendResult =
  | { readonly outcome: 'appended'; readonly stream: OrderStream }
  /** Recorded before, in this stream (`order-<id>`). */
  | { readonly outcome: 'duplicate'; readonly streamId: string }
  | { readonly outcome: 'key_reused' }
  /** Somebody else appended first: read again and decide again. */
  | { readonly outcome: 'conflict' };

/**
 * Appends the events of one command after the version that was read, all or nothing, in one statement.
 * @throws when the database cannot be reached or refuses: then nobody knows whether the events are there, and repeating the same
 * command is safe.
 */
export async function append(sql: Sql | Transaction, stream: OrderStream, command: Append): Promise<AppendResult> {
  const occurredAt = command.occurredAt.toISOString();
  const added = command.events.map((event, index) => ({ event, version: stream.version + index + 1, occurredAt }));
  const events = [...stream.events, ...added];
  const summary = summaryOf(events);
  if (summary === undefined) throw new Error('An append without events');
  const refunds = changedRefunds(stream.orderId, events, added);
  if (!(await isAppended(callAppend(sql, { stream, command, summary, refunds })))) return whyNot(sql, command);
  return { outcome: 'appended', stream: { orderId: stream.orderId, version: summary.version, events } };
}

/** What an append function answers, to whom a key that was taken before is no error. */
export async function isAppended(call: PromiseLike<readonly { readonly appended: boolean }[]>): Promise<boolean> {
  try {
    const [row] = await call;
    if (row === undefined) throw new Error('The append function answered nothing');
    return row.appended;
  } catch (error) {
    if (error instanceof postgres.PostgresError && takenKeys.has(error.constraint_name ?? '')) return false;
    throw error;
  }
}

/** Of a command that is recorded, and of an order that is placed. */
const takenKeys = new Set(['command_pkey', 'order_summary_pkey']);

/** Why nothing was appended: the command stands already, maybe in another stream, or somebody else was first. */
export async function whyNot(
  sql: Sql | Transaction,
  command: Pick<Append, 'commandId' | 'requestHash'>,
): Promise<Exclude<AppendResult, { outcome: 'appended' }>> {
  const [earlier] = await sql<{ stream_id: string; request_hash: Uint8Array }[]>`
    select stream_id, request_hash from ledger.command where command_id = ${command.commandId}`;
  if (earlier === undefined) return { outcome: 'conflict' };
  return Buffer.compare(earlier.request_hash, command.requestHash) === 0
    ? { outcome: 'duplicate', streamId: earlier.stream_id }
    : { outcome: 'key_reused' };
}

type PreparedAppend = {
  readonly stream: OrderStream;
  readonly command: Append;
  readonly summary: OrderSummary;
  readonly refunds: readonly RefundHistoryRow[];
};

/** The rows of the refunds that the new events speak of. */
function changedRefunds(
  orderId: OrderId,
  events: readonly StreamEvent[],
  added: readonly StreamEvent[],
): readonly RefundHistoryRow[] {
  const changed = new Set(
    added.map(({ event }) => {
      if (event.type === 'ExternalRefundRecorded') return event.squareRefundId;
      return 'refundId' in event ? event.refundId : undefined;
    }),
  );
  return changed.size === 1 && changed.has(undefined)
    ? []
    : refundHistory(orderId, events).filter(({ refundId }) => changed.has(refundId));
}

function callAppend(sql: Sql | Transaction, { stream, command, summary, refunds }: PreparedAppend) {
  const { types, schemaVersions, refundIds, amountsCents, payloads } = eventLines(command.events.map(encodeEvent));
  const openEffects = command.openEffects?.map(({ key, paymentId, refundId, kind, waitSeconds }) => ({
    key,
    payment_id: paymentId,
    refund_id: refundId ?? null,
    kind,
    wait_seconds: waitSeconds,
  }));
  const row = summaryRow(summary);
  return sql<{ appended: boolean }[]>`
    select ledger.append_to_order(
      ${stream.orderId}::uuid,
      ${stream.version},
      ${command.commandId},
      ${Buffer.from(command.requestHash)},
      ${command.actor},
      ${command.requestId ?? null},
      ${command.occurredAt.toISOString()}::timestamptz,
      ${types},
      ${sql.typed.textArray(schemaVersions)}::smallint[],
      ${refundIds},
      ${sql.typed.textArray(amountsCents)}::bigint[],
      ${payloads},
      ${rowText(sentOfSummary.map((column) => row[column]))}::ledger.next_summary,
      ${refunds.length === 0 ? null : JSON.stringify(refunds.map(refundRow))}::text::json,
      ${command.contact === undefined ? null : JSON.stringify(command.contact)}::text::json,
      ${openEffects === undefined ? null : JSON.stringify(openEffects)}::text::json,
      ${command.closeEffects === undefined ? null : sql.typed.textArray(command.closeEffects)}::text[]
    ) as appended`;
}

/** The columns of `ledger.next_summary`, in its order: what the function cannot derive. */
export const sentOfSummary = [
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
  'fee_cents',
  'dispute_status',
  'placed_at',
  'paid_at',
  'updated_at',
] as const satisfies readonly (keyof ReturnType<typeof summaryRow>)[];

/** The row as `ledger.order_summary` names its columns. */
export function summaryRow(summary: OrderSummary) {
  return {
    order_id: summary.orderId,
    version: summary.version,
    payment_id: summary.paymentId ?? null,
    square_payment_id: summary.squarePaymentId ?? null,
    payment_status: summary.paymentStatus,
    delivery_option: summary.deliveryOption,
    rug_count: summary.rugCount,
    total_cents: summary.total,
    captured_cents: summary.captured,
    refund_pending_cents: summary.refundPending,
    refunded_cents: summary.refunded,
    refundable_cents: refundableOf(summary),
    refund_status: refundStanding(summary),
    fee_cents: summary.fees,
    dispute_status: summary.disputeStatus,
    placed_at: summary.placedAt,
    paid_at: summary.paidAt ?? null,
    updated_at: summary.updatedAt,
  };
}

/** The row as `ledger.refund_history` names its columns. */
export function refundRow(refund: RefundHistoryRow) {
  return {
    refund_id: refund.refundId,
    order_id: refund.orderId,
    payment_id: refund.paymentId,
    square_refund_id: refund.squareRefundId ?? null,
    origin: refund.origin,
    status: refund.status,
    refund_type: refund.refundType,
    amount_cents: refund.amount,
    reason: refund.reason,
    notes: refund.notes ?? null,
    items: refund.items,
    delivery_minimum_cents: refund.deliveryMinimum,
    services_cents: refund.split.services,
    add_ons_cents: refund.split.addOns,
    delivery_cents: refund.split.delivery,
    minimum_cents: refund.split.deliveryMinimum,
    sales_tax_cents: refund.split.salesTax,
    requested_by: refund.requestedBy,
    failure_code: refund.failureCode ?? null,
    requested_at: refund.requestedAt,
    settled_at: refund.settledAt ?? null,
  };
}
