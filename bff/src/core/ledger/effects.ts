import {
  type OrderId,
  type PaymentId,
  parseOrderId,
  parsePaymentId,
  parseRefundId,
  type RefundId,
} from '@kilim/domain/order/ids';
import { isTrue, type Sql } from '../database/database.ts';
import type { EffectKind } from './append.ts';
import type { Watched } from './watch.ts';

/** Each takeover gets a higher fence. */
export type Fencing = { readonly key: string; readonly fence: number };

/** An open effect: ask Square and append the answer, which closes the effect. */
export type OpenEffect = Watched &
  Fencing & {
    readonly orderId: OrderId;
    readonly paymentId: PaymentId;
    readonly refundId: RefundId | undefined;
    readonly kind: EffectKind;
    readonly beat: number;
  };

export function effectKey(id: PaymentId | RefundId, kind: EffectKind): string {
  return `${id}:${kind}`;
}

/** PostgreSQL's interval, after which the shop is told of an unknown outcome. */
export const toldAfter = '2 minutes';

export async function isShopTold(sql: Sql, paymentId: PaymentId): Promise<boolean> {
  return await isTrue(sql`
    select state = 'parked' or opened_at < clock_timestamp() - ${toldAfter}::interval
    from ledger.effect where key = ${effectKey(paymentId, 'charge')} and state in ('open', 'parked')`);
}

/** Since the owner's last sign of life. */
export const leaseSeconds = 6;

type EffectRow = Pick<OpenEffect, 'key' | 'kind' | 'fence' | 'beat' | 'waitSeconds'> & {
  readonly order: string;
  readonly payment: string;
  readonly refund: string | null;
};

/** Oldest first, whether or not an owner works on them. */
export async function readOpenEffects(sql: Sql): Promise<readonly OpenEffect[]> {
  const rows = await sql<EffectRow[]>`
    select key, order_id as order, payment_id as payment, refund_id as refund, kind, fence, beat,
      wait_seconds as "waitSeconds"
    from ledger.effect where state = 'open' order by opened_at`;
  return rows.flatMap(({ order, payment, refund, ...row }) => {
    const orderId = parseOrderId(order);
    const paymentId = parsePaymentId(payment);
    // No server opens such an effect. It is parked after a day.
    if (orderId === undefined || paymentId === undefined) return [];
    const refundId = refund === null ? undefined : parseRefundId(refund);
    return [{ ...row, orderId, paymentId, refundId, mark: `${row.fence}/${row.beat}` }];
  });
}

/** @returns the effect with its new fence, or undefined when it has changed since it was read. */
export async function takeEffect(sql: Sql, seen: OpenEffect): Promise<OpenEffect | undefined> {
  const { key, fence, beat } = seen;
  const isTaken = await isTrue(sql`
    select ledger.take_effect(${key}, ${fence}::int, ${beat}::int, ${leaseSeconds}::int)`);
  return isTaken ? { ...seen, fence: fence + 1, beat: beat + 1 } : undefined;
}

/**
 * For a request that does not know whether its own append opened the effect. Another opener finds its fence outdated
 * and stops.
 * @returns the new fence, or undefined when the effect is closed or a worker has taken it over.
 */
export async function claimEffect(sql: Sql, key: string): Promise<Fencing | undefined> {
  return (await isTrue(sql`select ledger.claim_effect(${key})`)) ? { key, fence: 1 } : undefined;
}

/** @returns false when the effect is closed or another process has taken it over. */
export async function beatEffect(sql: Sql, { key, fence }: Fencing): Promise<boolean> {
  return await isTrue(sql`select ledger.beat_effect(${key}, ${fence}::int)`);
}

/**
 * Lets other processes take the effect after a delay, unless one of them has taken it.
 * @param word Square's word for the state of the payment or refund, if it is one that settles nothing.
 */
export async function releaseEffect(
  sql: Sql,
  { key, fence }: Fencing,
  { seconds, word }: { readonly seconds: number; readonly word?: string | undefined },
): Promise<void> {
  await sql`select ledger.put_effect_back(${key}, ${fence}::int, ${seconds}::int, ${word ?? null})`;
}

/** Marks a parked refund that no server requested. */
export const requestNotProven = 'REQUEST_NOT_PROVEN';

export async function parkUnproven(sql: Sql, { key, fence }: Fencing): Promise<void> {
  await sql`select ledger.park_effect(${key}, ${fence}::int, ${requestNotProven})`;
}

/** @returns undefined when it is not parked any more. */
export async function reopenEffect(sql: Sql, key: string): Promise<Fencing | undefined> {
  const [row] = await sql<{ fence: number | null }[]>`select ledger.reopen_effect(${key}) as fence`;
  const fence = row?.fence ?? null;
  return fence === null ? undefined : { key, fence };
}

/** Closes an effect whose outcome the stream has recorded. The database leaves others open. */
export async function closeEffect(sql: Sql, { key, fence }: Fencing): Promise<void> {
  await sql`select ledger.close_effect(${key}, ${fence}::int)`;
}

/**
 * The server does not repeat calls that are a day old, because Square does not say how long it remembers a key.
 * `follow_refund` stays open: it only looks a refund up, and a bank may take days.
 * @returns the keys that were parked.
 */
export async function parkOldEffects(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ key: string }[]>`select key from ledger.park_old_effects() as key`;
  return rows.map(({ key }) => key);
}
