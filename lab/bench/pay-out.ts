import { type Cents, cents, sumCents } from '@kilim/domain/money';
import type { PayoutEntry } from '@kilim/domain/payout/events';
import * as payouts from '@kilim/domain/payout/payout';
import type { Sql } from '../../bff/src/core/database/database.ts';
import { appendToStream } from '../../bff/src/core/ledger/append.ts';
import { payoutCodec } from '../../bff/src/core/ledger/codecs/payout.ts';
import { sha256 } from '../../bff/src/core/ledger/hash.ts';

type Moved = {
  /** In UTC. */
  readonly day: string;
  readonly paymentId: string;
  /** Null: the payment itself. */
  readonly refundId: string | null;
  readonly gross: number;
  readonly fee: number;
};

/**
 * One payout for each day but the last two, which arrives two days later. Disputes stay open items.
 * @param appSql with the rights of a server.
 * @returns the number of payouts; 0 when the database has them already.
 */
export async function payOut(appSql: Sql): Promise<number> {
  const [known] = await appSql`select from ledger.payout_entry limit 1`;
  if (known !== undefined) return 0;
  const moved = await appSql<Moved[]>`
    with moved as (
      select paid_at as at, square_payment_id as "paymentId", null as "refundId", captured_cents as gross, fee_cents as fee
      from ledger.order_summary where payment_status = 'paid'
      union all
      select refund.settled_at, square_payment_id, refund.square_refund_id, -refund.amount_cents, 0
      from ledger.refund_history refund join ledger.order_summary using (order_id)
      where refund.status = 'completed'
    )
    select (at at time zone 'UTC')::date::text as day, "paymentId", "refundId", gross, fee from moved
    where at < (select max(at) from moved) - interval '2 days' order by at`;
  const byDay = Map.groupBy(moved, ({ day }) => day);
  for (const [day, some] of byDay) await payOutDay(appSql, day, some);
  return byDay.size;
}

async function payOutDay(appSql: Sql, day: string, moved: readonly Moved[]): Promise<void> {
  const squarePayoutId = `po-${day}`;
  const entries = moved.map(
    ({ paymentId: squarePaymentId, refundId, ...amounts }): PayoutEntry => ({
      entryId: `${squarePayoutId}-${refundId ?? squarePaymentId}`,
      ...(refundId === null ? { activity: 'CHARGE' } : { activity: 'REFUND', squareRefundId: refundId }),
      standing: 'order',
      squarePaymentId,
      effectiveAt: `${day}T23:59:59.000Z`,
      ...netOf(amounts),
    }),
  );
  const sentAt = new Date(Date.parse(`${day}T08:00:00Z`) + dayMs).toISOString();
  const arrives = new Date(Date.parse(`${day}T20:00:00Z`) + 2 * dayMs);
  const dates = {
    createdAt: sentAt,
    updatedAt: arrives.toISOString(),
    arrivalDate: arrives.toISOString().slice(0, 10),
    endToEndId: undefined,
  };
  const amount = sumCents(entries.map(({ net }) => net));
  const payout = { squarePayoutId, status: 'paid', kind: 'batch', amount, ...dates } as const;
  const decided = payouts.decide({ payout, entries }, payouts.noPayout);
  if (!decided.ok) throw new Error(decided.rejection.code);
  const [first, ...others] = decided.value.map((event) => payoutCodec.encode(event));
  if (first === undefined) return;
  const streamId = `payout-${squarePayoutId}`;
  await appendToStream(appSql, {
    ...{ streamId, expectedVersion: 0, commandId: `payout:${squarePayoutId}`, requestHash: sha256(squarePayoutId) },
    ...{ actor: 'reconciliation', requestId: undefined, occurredAt: arrives, events: [first, ...others] },
  });
  await appSql`select ledger.list_payout_entries(${streamId})`;
}

const dayMs = 24 * 60 * 60 * 1000;

function netOf({ gross, fee }: Pick<Moved, 'gross' | 'fee'>): { gross: Cents; fee: Cents; net: Cents } {
  return { gross: cents(gross), fee: cents(fee), net: cents(gross - fee) };
}
