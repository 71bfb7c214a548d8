import { cents } from '@kilim/domain/money';
import { z } from 'zod';
import { onlyRow, type Transaction } from '../../core/database/database.ts';

const money = z.int().transform(cents);

const unmatchedEntry = z.object({
  code: z.enum([
    'EntryNotInLedger',
    'ChargeDiffers',
    'RefundDiffers',
    'FeeDiffers',
    /** An unreadable entry never ends the comparison of all others. */
    'Unreadable',
  ]),
  squareId: z.string(),
  orderId: z.string().nullable(),
  atSquare: money.nullable(),
  inLedger: money.nullable(),
  /** ISO 8601; null when it is not known. */
  at: z.string().nullable(),
});

const named = z.object({ squareId: z.string() }).or(z.object({ orderId: z.string() }));

function entryOf(found: unknown): z.output<typeof unmatchedEntry> {
  const read = unmatchedEntry.safeParse(found);
  if (read.success) return read.data;
  const name = named.safeParse(found).data;
  const squareId = name === undefined ? 'unknown' : 'squareId' in name ? name.squareId : name.orderId;
  return { code: 'Unreadable', squareId, orderId: null, atSquare: null, inLedger: null, at: null };
}

export const payoutComparison = z.object({
  charges: z.object({ atSquare: money, inLedger: money }),
  /** Without any, nothing was compared. */
  entries: z.int(),
  /** Sold at the counter or with another program. */
  elsewhere: money,
  /** Only the first hundred are named. */
  unmatched: z.int(),
  unmatchedEntries: z.array(z.unknown().transform(entryOf)),
});
export type PayoutComparison = z.output<typeof payoutComparison>;

/** The parts of a fee come with different payouts: an order that has not changed for so long has them all. */
const daysUntilFees = 7;

export async function comparePayouts(reader: Transaction, now: Date): Promise<unknown> {
  const longAgo = new Date(now.getTime() - daysUntilFees * 24 * 60 * 60 * 1000).toISOString();
  const row = await onlyRow(reader<{ found: string }[]>`
    with charge as materialized (
      select square_payment_id, sum(gross_cents)::bigint as gross
      from ledger.payout_entry where standing = 'order' and activity = 'CHARGE' group by 1
    ), of_order as materialized (
      select charge.square_payment_id, charge.gross, summary.order_id, summary.paid_at, (
        select sum(captured.amount_cents)::bigint from ledger.event captured
        where captured.stream_id = 'order-' || summary.order_id::text and captured.type = 'PaymentCaptured'
      ) as captured_cents
      from charge left join ledger.order_summary summary on summary.square_payment_id = charge.square_payment_id
    ), fee as (
      select square_payment_id, sum(case when activity = 'FEE' then fee_cents - gross_cents else fee_cents end)::bigint as fee
      from ledger.payout_entry
      where standing = 'order' and activity in ('CHARGE', 'REFUND', 'FEE') group by 1
    ), excess as materialized (
      select payload ->> 'squareRefundId' as square_refund_id, sum(amount_cents)::bigint as amount_cents
      from ledger.event where type = 'ExcessRefundFound' group by 1
    ), unmatched (code, square_id, order_id, at_square, in_ledger, at) as (
      select 'EntryNotInLedger', coalesce(square_refund_id, square_dispute_id, square_payment_id, entry_id), null::uuid,
        gross_cents, null::bigint, effective_at
      from ledger.payout_entry where standing = 'unknown'
      union all
      select 'ChargeDiffers', square_payment_id, order_id, gross, captured_cents, paid_at
      from of_order where gross is distinct from captured_cents
      union all
      select 'RefundDiffers', refund.square_refund_id, refund.order_id, -sum(entry.gross_cents)::bigint,
        refund.amount_cents + coalesce(excess.amount_cents, 0), refund.settled_at
      from ledger.payout_entry entry join ledger.refund_history refund on refund.square_refund_id = entry.square_refund_id
        left join excess on excess.square_refund_id = refund.square_refund_id
      where entry.standing = 'order' and entry.activity = 'REFUND'
      group by refund.refund_id, excess.amount_cents
      having -sum(entry.gross_cents) <> refund.amount_cents + coalesce(excess.amount_cents, 0) or refund.status <> 'completed'
      union all
      select 'FeeDiffers', fee.square_payment_id, summary.order_id, fee.fee, summary.fee_cents, summary.paid_at
      from fee join ledger.order_summary summary on summary.square_payment_id = fee.square_payment_id
      where summary.updated_at < ${longAgo}::text::timestamptz and fee.fee <> summary.fee_cents
    )
    select json_build_object(
      'charges', (select json_build_object(
        'atSquare', coalesce(sum(gross), 0), 'inLedger', coalesce(sum(captured_cents), 0)) from of_order),
      'entries', (select count(*) from ledger.payout_entry),
      'elsewhere', (select coalesce(sum(gross_cents), 0) from ledger.payout_entry where standing = 'elsewhere'),
      'unmatched', (select count(*) from unmatched),
      'unmatchedEntries', coalesce((
        select json_agg(json_build_object('code', code, 'squareId', square_id, 'orderId', order_id, 'atSquare', at_square,
          'inLedger', in_ledger, 'at', at) order by code, square_id)
        from (select * from unmatched order by code, square_id limit 100) first
      ), '[]')
    )::text as found`);
  return JSON.parse(row.found);
}
