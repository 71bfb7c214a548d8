import type { VoidReason } from '@kilim/domain/order/events';
import { type IdempotencyKey, type OrderId, type PaymentId, parseOrderId } from '@kilim/domain/order/ids';
import { attemptWithKey } from '@kilim/domain/order/payment';
import { unreachable } from '@kilim/domain/unreachable';
import type { Sql } from '../database/database.ts';
import { type OrderStream, readOrder } from '../ledger/read.ts';
import { attemptOf, paymentStateOf } from './record-payment.ts';
import { chargeOf, type ReturnedCharge } from './returned-charge.ts';

/** What a person may be told of an attempt: always what the stream says, never what Square just answered. */
export type Attempted =
  | { readonly kind: 'captured'; readonly orderId: OrderId; readonly paymentId: PaymentId }
  | { readonly kind: 'pending'; readonly orderId: OrderId; readonly idempotencyKey: IdempotencyKey }
  | { readonly kind: 'declined'; readonly orderId: OrderId; readonly code: string; readonly charge?: ReturnedCharge }
  | {
      readonly kind: 'voided';
      readonly orderId: OrderId;
      readonly reason: VoidReason;
      readonly charge?: ReturnedCharge;
    };

export function attemptedOf(stream: OrderStream, paymentId: PaymentId): Attempted {
  const { orderId } = stream;
  const { status, idempotencyKey, decline, voided } = attemptOf(stream, paymentId);
  switch (status) {
    case 'captured':
      return { kind: 'captured', orderId, paymentId };
    case 'started':
    case 'authorized':
      return { kind: 'pending', orderId, idempotencyKey };
    case 'declined':
      return { kind: 'declined', orderId, code: decline?.code ?? 'GENERIC_DECLINE', ...chargeOf(stream, paymentId) };
    case 'voided':
      return {
        kind: 'voided',
        orderId,
        reason: voided?.reason ?? 'AuthorizationUnknown',
        ...chargeOf(stream, paymentId),
      };
    default:
      return unreachable(status);
  }
}

/** What became of the attempt that a browser started under this key, or undefined when no such request ever arrived. */
export async function findAttempt(sql: Sql, key: IdempotencyKey): Promise<Attempted | undefined> {
  const command = await orderOfCommand(sql, payCommandId(key));
  if (command === undefined) return undefined;
  const stream = await readOrder(sql, command.orderId);
  const attempt = attemptWithKey(paymentStateOf(stream), key);
  return attempt === undefined ? undefined : attemptedOf(stream, attempt.paymentId);
}

/** The command under which a browser's request to pay is recorded. */
export function payCommandId(key: IdempotencyKey): string {
  return `pay:${key}`;
}

/** The order to which a command was recorded, and the hash of what it asked for. */
export async function orderOfCommand(
  sql: Sql,
  commandId: string,
): Promise<{ readonly orderId: OrderId; readonly requestHash: Uint8Array } | undefined> {
  const [row] = await sql<{ stream_id: string; request_hash: Uint8Array }[]>`
    select stream_id, request_hash from ledger.command where command_id = ${commandId}`;
  const orderId = row === undefined ? undefined : parseOrderId(row.stream_id.replace(/^order-/, ''));
  return row === undefined || orderId === undefined ? undefined : { orderId, requestHash: row.request_hash };
}
