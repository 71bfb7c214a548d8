import type { OrderEvent } from '@kilim/domain/order/events';
import type { OrderId, PaymentId, RefundId } from '@kilim/domain/order/ids';
import type { OrderSummary, StreamEvent } from '@kilim/domain/projection/order-summary';
import { type RefundHistoryRow, refundHistory } from '@kilim/domain/projection/refund-history';
import postgres from 'postgres';
import { inConfirmedCluster, lifeNow } from '../database/cluster.ts';
import { onlyRow, type Sql, type Transaction } from '../database/database.ts';
import { findAuthenticity, type StampedCommand } from './authenticity.ts';
import type { EncodedEvent } from './codecs/codec.ts';
import { orderCodec } from './codecs/order.ts';
import { refundRow, summaryRow } from './projection-rows.ts';
import { type OrderStream, orderStreamId, summaryOf } from './read.ts';
import { type Rider, withRiders } from './riders.ts';

export type Actor =
  | 'customer'
  | 'settle-worker'
  | 'reconciliation'
  | 'certificate-worker'
  | 'retention'
  | `admin:${string}`;

/**
 * `charge` is one payment attempt from its intent to its end. A refund is sent to Square first (`refund`), and then
 * looked up until Square has decided (`follow_refund`).
 */
export type EffectKind = 'charge' | 'refund' | 'follow_refund';

/** The append of the intent opens the effect. */
export type NewEffect = {
  readonly key: string;
  readonly paymentId: PaymentId;
  readonly refundId?: RefundId;
  readonly kind: EffectKind;
  /** Other processes leave the effect alone for so long. */
  readonly waitSeconds: number;
};

export type Recording<Event> = {
  /** A repeated id records nothing. */
  readonly commandId: string;
  /** Another request under the same id is refused. */
  readonly requestHash: Uint8Array;
  readonly actor: Actor;
  readonly requestId: string | undefined;
  readonly occurredAt: Date;
  readonly events: readonly [Event, ...Event[]];
};

export type Append = Recording<OrderEvent> & {
  readonly beside?: readonly Rider[];
  readonly openEffects?: readonly NewEffect[];
  readonly closeEffects?: readonly string[];
};

export type AppendResult = { readonly outcome: 'appended'; readonly stream: OrderStream } | NotAppended;

export type NotAppended =
  | { readonly outcome: 'duplicate'; readonly streamId: string }
  | { readonly outcome: 'key_reused' }
  /** Another command appended first: read and decide again. */
  | { readonly outcome: 'conflict' };

/**
 * All or nothing, in one statement with the changed rows of the projections.
 * @throws when it is unknown whether the events are recorded. Repeating the same command is safe.
 */
export async function append(sql: Sql | Transaction, stream: OrderStream, command: Append): Promise<AppendResult> {
  const occurredAt = command.occurredAt.toISOString();
  const added = command.events.map((event, index) => ({ event, version: stream.version + index + 1, occurredAt }));
  const events = [...stream.events, ...added];
  const summary = summaryOf(events);
  if (summary === undefined) throw new Error('An append without events');
  const refunds = changedRefunds(stream.orderId, events, added);
  const prepared = { stream, command, summary, refunds };
  if (!(await isAppended(sql, (life) => callAppendToOrder(sql, prepared, life)))) {
    return explainRejection(sql, command);
  }
  return { outcome: 'appended', stream: { orderId: stream.orderId, version: summary.version, events } };
}

/** `settings`, `admin-<name>`, `orphan-<Square's payment id>`. */
export type AppendToStream = Recording<EncodedEvent> & {
  readonly streamId: string;
  readonly expectedVersion: number;
};

/**
 * All or nothing, in one statement or within the given transaction.
 * @throws when the database cannot be reached or refuses: repeating the same command is safe.
 */
export async function appendToStream(
  sql: Sql | Transaction,
  command: AppendToStream,
): Promise<{ readonly outcome: 'appended' } | NotAppended> {
  return (await isAppended(sql, (life) => callAppendToStream(sql, command, life)))
    ? { outcome: 'appended' }
    : await explainRejection(sql, command);
}

type CallAppend = (life: string) => PromiseLike<readonly { readonly appended: boolean | null }[]>;

/** A command that is recorded already is no error. */
async function isAppended(sql: Sql | Transaction, call: CallAppend): Promise<boolean> {
  try {
    return await inConfirmedCluster(sql, async (life) => {
      const { appended } = await onlyRow(call(life));
      return appended;
    });
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.constraint_name === 'command_pkey') return false;
    throw error;
  }
}

/** The command is recorded, maybe in another stream, or another one was first. */
export async function explainRejection(
  sql: Sql | Transaction,
  { commandId, requestHash }: Pick<Append, 'commandId' | 'requestHash'>,
): Promise<NotAppended> {
  const earlier = await findCommand(sql, commandId);
  if (earlier === undefined) return { outcome: 'conflict' };
  return Buffer.compare(earlier.requestHash, requestHash) === 0
    ? { outcome: 'duplicate', streamId: earlier.streamId }
    : { outcome: 'key_reused' };
}

export async function findCommand(
  sql: Sql | Transaction,
  commandId: string,
): Promise<{ readonly streamId: string; readonly requestHash: Uint8Array } | undefined> {
  const [row] = await sql<{ stream_id: string; request_hash: Uint8Array }[]>`
    select stream_id, request_hash from ledger.command where command_id = ${commandId}`;
  return row === undefined ? undefined : { streamId: row.stream_id, requestHash: row.request_hash };
}

type PreparedAppend = {
  readonly stream: OrderStream;
  readonly command: Append;
  readonly summary: OrderSummary;
  readonly refunds: readonly RefundHistoryRow[];
};

function changedRefunds(
  orderId: OrderId,
  events: readonly StreamEvent[],
  added: readonly StreamEvent[],
): readonly RefundHistoryRow[] {
  const changed = new Set(
    added.map(({ event }) => {
      if (event.type === 'ExternalRefundRecorded') return event.squareRefundId;
      if (event.type === 'CustomerReimbursed') return event.reimbursementId;
      if (event.type === 'RefundSplitCorrected') return event.correctedRefundId;
      return 'refundId' in event ? event.refundId : undefined;
    }),
  );
  return changed.size === 1 && changed.has(undefined)
    ? []
    : refundHistory(orderId, events).filter(({ refundId }) => changed.has(refundId));
}

function callAppendToOrder(
  sql: Sql | Transaction,
  { stream, command, summary, refunds }: PreparedAppend,
  life: string,
) {
  const encoded = command.events.map(orderCodec.encode);
  const { types, schemaVersions, refundIds, amountsCents, payloads } = eventLines(encoded);
  const openEffects = command.openEffects?.map(({ key, paymentId, refundId, kind, waitSeconds }) => ({
    key,
    payment_id: paymentId,
    refund_id: refundId ?? null,
    kind,
    wait_seconds: waitSeconds,
  }));
  const place = { streamId: orderStreamId(stream.orderId), expectedVersion: stream.version };
  const appending = sql`
    ledger.append_to_order(
      ${stream.orderId}::uuid, ${stream.version}, ${command.commandId}, ${Buffer.from(command.requestHash)},
      ${command.actor}, ${command.requestId ?? null}, ${command.occurredAt.toISOString()}::timestamptz,
      ${types}, ${sql.typed.textArray(schemaVersions)}::smallint[], ${refundIds},
      ${sql.typed.textArray(amountsCents)}::bigint[], ${payloads},
      ${JSON.stringify(summaryRow(summary))}::text::json,
      ${refunds.length === 0 ? null : JSON.stringify(refunds.map(refundRow))}::text::json,
      ${openEffects === undefined ? null : JSON.stringify(openEffects)}::text::json,
      ${command.closeEffects === undefined ? null : sql.typed.textArray(command.closeEffects)}::text[],
      decode(${stampOf(sql, { ...command, ...place, events: encoded })}, 'hex')
    )`;
  return sql<{ appended: boolean | null }[]>`
    select case when ${lifeNow(sql)} = ${life} then ${withRiders(sql, command.beside ?? [], appending)} end as appended`;
}

function stampOf(sql: Sql | Transaction, command: StampedCommand): string | null {
  return findAuthenticity(sql)?.stamp(command) ?? null;
}

function callAppendToStream(sql: Sql | Transaction, command: AppendToStream, life: string) {
  const { types, schemaVersions, amountsCents, payloads } = eventLines(command.events);
  // Only orders have refunds.
  const stored = { ...command, events: command.events.map((event) => ({ ...event, refundId: null })) };
  return sql<{ appended: boolean | null }[]>`
    select case when ${lifeNow(sql)} = ${life} then ledger.append_to_stream(
      ${command.streamId}, ${command.expectedVersion}, ${command.commandId}, ${Buffer.from(command.requestHash)},
      ${command.actor}, ${command.requestId ?? null}, ${command.occurredAt.toISOString()}::timestamptz,
      ${types}, ${sql.typed.textArray(schemaVersions)}::smallint[],
      ${sql.typed.textArray(amountsCents)}::bigint[], ${payloads},
      decode(${stampOf(sql, stored)}, 'hex')
    ) end as appended`;
}

/**
 * Events as the append functions take them: a line for each event, and an empty line for an absent
 * refund.
 */
function eventLines(events: readonly EncodedEvent[]) {
  return {
    types: events.map(({ type }) => type).join('\n'),
    schemaVersions: events.map(({ schemaVersion }) => schemaVersion),
    refundIds: events.map(({ refundId }) => refundId ?? '').join('\n'),
    amountsCents: events.map(({ amountCents }) => amountCents),
    payloads: events.map(({ payload }) => payload).join('\n'),
  };
}
