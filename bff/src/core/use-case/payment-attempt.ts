import type { VoidReason } from '@kilim/domain/order/events';
import type { IdempotencyKey, OrderId, PaymentId } from '@kilim/domain/order/ids';
import { attemptWithKey } from '@kilim/domain/order/payment';
import { unreachable } from '@kilim/domain/unreachable';
import type { Sql } from '../database/database.ts';
import { findCommand } from '../ledger/append.ts';
import { isShopTold } from '../ledger/effects.ts';
import { type OrderStream, orderIdOf, readOrder } from '../ledger/read.ts';
import { attemptOf, paymentStateOf } from './record-payment.ts';
import { chargeOf, type ReturnedCharge } from './returned-charge.ts';

/** Always from the stream, never from Square's latest answer. */
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

export type FoundAttempt =
  | Exclude<Attempted, { kind: 'pending' }>
  /** `isShopTold`: the outcome has been unknown for so long that the shop was told. */
  | (Extract<Attempted, { kind: 'pending' }> & { readonly isShopTold: boolean });

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

/** Undefined when no such request arrived. */
export async function findAttempt(sql: Sql, key: IdempotencyKey): Promise<FoundAttempt | undefined> {
  const command = await findCommand(sql, payCommandId(key));
  const orderId = command === undefined ? undefined : orderIdOf(command.streamId);
  if (orderId === undefined) return undefined;
  const stream = await readOrder(sql, orderId);
  const attempt = attemptWithKey(paymentStateOf(stream), key);
  if (attempt === undefined) return undefined;
  const attempted = attemptedOf(stream, attempt.paymentId);
  return attempted.kind === 'pending'
    ? { ...attempted, isShopTold: await isShopTold(sql, attempt.paymentId) }
    : attempted;
}

export function payCommandId(key: IdempotencyKey): string {
  return `pay:${key}`;
}
