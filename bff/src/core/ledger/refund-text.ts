import { createHash } from 'node:crypto';
import type { OrderEvent } from '@kilim/domain/order/events';
import type { OrderId, RefundId } from '@kilim/domain/order/ids';
import type { RefundText } from '@kilim/domain/order/refund-reasons';
import type { Sql } from '../database/database.ts';
import { canonicalJson } from './hash.ts';
import type { OrderStream } from './read.ts';
import type { Rider } from './riders.ts';

/** The digest is salted, because an attacker could try names and usual sentences. Hexadecimal. */
export function refundTextDigest(text: RefundText, salt: Uint8Array): string {
  return createHash('sha256').update(salt).update(canonicalJson(text)).digest('hex');
}

type TextToKeep = { readonly refundId: RefundId; readonly salt: Uint8Array; readonly text: RefundText };

/** The event holds the text's digest. */
export function keepRefundText(orderId: OrderId, { refundId, salt, text }: TextToKeep): Rider {
  return {
    rows: (sql) => sql`ledger.keep_refund_text(
      ${orderId}::uuid, ${refundId}, ${Buffer.from(salt)}, ${text.reason ?? null}, ${text.notes ?? null}
    )`,
  };
}

async function readRefundTexts(sql: Sql, orderId: OrderId): Promise<ReadonlyMap<string, RefundText>> {
  const rows = await sql<{ refund_id: string; reason: string | null; notes: string | null }[]>`
    select refund_id, reason, notes from ledger.refund_text where order_id = ${orderId}`;
  return new Map(
    rows.map(({ refund_id: id, reason, notes }) => [
      id,
      { ...(reason === null ? {} : { reason }), ...(notes === null ? {} : { notes }) },
    ]),
  );
}

/** Never append after such a stream, hash or export it. */
export async function withRefundTexts(sql: Sql, stream: OrderStream): Promise<OrderStream> {
  const isTold = stream.events.some(({ event }) => event.type === 'RefundRequested' && event.textDigest !== undefined);
  if (!isTold) return stream;
  const texts = await readRefundTexts(sql, stream.orderId);
  const told = (event: OrderEvent): OrderEvent =>
    event.type === 'RefundRequested' ? { ...event, ...texts.get(event.refundId) } : event;
  return { ...stream, events: stream.events.map((row) => ({ ...row, event: told(row.event) })) };
}
