import {
  type OrderId,
  type PaymentId,
  parseOrderId,
  parsePaymentId,
  parseRefundId,
  type RefundId,
} from '@kilim/domain/order/ids';
import type { Sql } from '../database.ts';
import type { EffectKind } from './append.ts';

/** An effect that this process holds for a while: it is to ask Square, append what Square says, and thereby close the effect. */
export type LeasedEffect = {
  readonly key: string;
  readonly orderId: OrderId;
  readonly paymentId: PaymentId;
  readonly refundId: RefundId | undefined;
  readonly kind: EffectKind;
  /** How often it was leased, this time included. */
  readonly tries: number;
};

export function effectKey(id: PaymentId | RefundId, kind: EffectKind): string {
  return `${id}:${kind}`;
}

type LeaseOptions = { readonly most: number; readonly leaseSeconds: number };

type EffectRow = {
  key: string;
  order_id: string;
  payment_id: string;
  refund_id: string | null;
  kind: EffectKind;
  tries: number;
};

/** Takes effects that are due, each by one process only. An effect whose process died is due when its lease ends. */
export async function leaseDueEffects(
  sql: Sql,
  { most, leaseSeconds }: LeaseOptions,
): Promise<readonly LeasedEffect[]> {
  const rows = await sql<EffectRow[]>`
    update ledger.effect
    set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}), tries = tries + 1
    where key in (
      select key from ledger.effect
      where state = 'open' and lease_until <= clock_timestamp()
      order by lease_until
      limit ${most}
      for update skip locked
    )
    returning key, order_id, payment_id, refund_id, kind, tries`;
  return rows.map((row) => {
    const orderId = parseOrderId(row.order_id);
    const paymentId = parsePaymentId(row.payment_id);
    if (orderId === undefined || paymentId === undefined) throw new Error(`The effect ${row.key} names no order`);
    const refundId = row.refund_id === null ? undefined : parseRefundId(row.refund_id);
    return { key: row.key, orderId, paymentId, refundId, kind: row.kind, tries: row.tries };
  });
}

/** Lets others have an effect after a while: it is still open. */
export async function releaseEffect(sql: Sql, key: string, delaySeconds: number): Promise<void> {
  await sql`
    update ledger.effect set lease_until = clock_timestamp() + make_interval(secs => ${delaySeconds})
    where key = ${key} and state = 'open'`;
}

/** Closes an effect whose outcome the stream already tells. */
export async function closeEffect(sql: Sql, key: string): Promise<void> {
  await sql`update ledger.effect set state = 'done' where key = ${key} and state = 'open'`;
}

/**
 * After a day nothing is sent again by itself: Square does not say how long it remembers a key. The effect waits for a person.
 * What Square took on is only looked at, and a bank may take its days.
 * @returns the keys that were parked.
 */
export async function parkOldEffects(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ key: string }[]>`
    update ledger.effect set state = 'parked'
    where state = 'open' and kind <> 'follow_refund' and opened_at < clock_timestamp() - interval '24 hours'
    returning key`;
  return rows.map(({ key }) => key);
}
