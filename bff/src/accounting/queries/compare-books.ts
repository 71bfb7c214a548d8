import { pendingRefunds, refundsOfOrders, salesOfOrders, sumOf } from '@kilim/domain/accounting/money-of-events';
import { cents } from '@kilim/domain/money';
import { z } from 'zod';
import { allowLongStatements, onlyRow, type Sql, type Transaction } from '../../core/database/database.ts';
import { rememberComparison } from '../../core/ledger/findings.ts';
import { readHorizon } from '../../core/ledger/horizon.ts';
import { isOneOf, sumInSql, typesOfOrders } from '../../core/ledger/money-in-sql.ts';
import { clearingComparison, compareClearing } from './compare-clearing.ts';
import { comparePayouts, payoutComparison } from './compare-payouts.ts';

const money = z.int().transform(cents);
const figures = z.object({ taken: money, refunded: money, pending: money, fees: money });

export const booksComparison = z.object({
  orders: z.int(),
  ledger: figures,
  orderList: figures,
  /** Only the first hundred are named. */
  differing: z.int(),
  differingOrders: z.array(z.object({ orderId: z.string(), ledger: figures, orderList: figures })),
  payouts: payoutComparison,
  clearing: clearingComparison,
});
export type BooksComparison = z.output<typeof booksComparison>;

/** Far more than a comparison of a million orders takes. */
const longestComparisonSeconds = 600;

/** Reads the whole ledger in one snapshot, in the background. No write waits for its locks. */
export async function compareBooks(sql: Sql, now: Date): Promise<BooksComparison> {
  const horizon = await readHorizon(sql);
  const comparison = await sql.begin('isolation level repeatable read read only', async (reader) => {
    await allowLongStatements(reader, longestComparisonSeconds);
    const orders = await compareOrders(reader);
    const payouts = await comparePayouts(reader, now);
    return booksComparison.parse({ ...orders, payouts, clearing: await compareClearing(reader, now) });
  });
  await rememberComparison(sql, 'books', { ...comparison, horizon });
  return comparison;
}

const sumsOfOrder = `${sumInSql(salesOfOrders)} as taken, ${sumInSql(refundsOfOrders)} as refunded,
  ${sumInSql(pendingRefunds)} as pending, ${sumInSql(sumOf('fees'))} as fees`;

async function compareOrders(reader: Transaction): Promise<object> {
  const row = await onlyRow(reader<{ found: string }[]>`
    with told as (
      select stream_id, ${reader.unsafe(sumsOfOrder)}
      from ledger.event
      where stream_id like 'order-%' and ${reader.unsafe(isOneOf(['OrderPlaced', ...typesOfOrders]))}
      group by stream_id
    ), compared as materialized (
      select coalesce(substr(told.stream_id, 7), summary.order_id::text) as order_id,
        coalesce(told.taken, 0)::bigint as taken, coalesce(told.refunded, 0)::bigint as refunded,
        coalesce(told.pending, 0)::bigint as pending, coalesce(told.fees, 0)::bigint as fees,
        coalesce(summary.captured_cents, 0) as list_taken, coalesce(summary.refunded_cents, 0) as list_refunded,
        coalesce(summary.refund_pending_cents, 0) as list_pending, coalesce(summary.fee_cents, 0) as list_fees,
        told.stream_id is null or summary.order_id is null as is_missing
      from told full join ledger.order_summary summary on told.stream_id = 'order-' || summary.order_id::text
    ), differing as materialized (
      select * from compared
      where is_missing or (taken, refunded, pending, fees) <> (list_taken, list_refunded, list_pending, list_fees)
    )
    select json_build_object(
      'orders', count(*),
      'ledger', json_build_object('taken', coalesce(sum(taken), 0), 'refunded', coalesce(sum(refunded), 0),
        'pending', coalesce(sum(pending), 0), 'fees', coalesce(sum(fees), 0)),
      'orderList', json_build_object('taken', coalesce(sum(list_taken), 0), 'refunded', coalesce(sum(list_refunded), 0),
        'pending', coalesce(sum(list_pending), 0), 'fees', coalesce(sum(list_fees), 0)),
      'differing', (select count(*) from differing),
      'differingOrders', coalesce((
        select json_agg(json_build_object(
          'orderId', order_id,
          'ledger', json_build_object('taken', taken, 'refunded', refunded, 'pending', pending, 'fees', fees),
          'orderList', json_build_object(
            'taken', list_taken, 'refunded', list_refunded, 'pending', list_pending, 'fees', list_fees)
        ) order by order_id)
        from (select * from differing order by order_id limit 100) first
      ), '[]')
    )::text as found
    from compared`);
  return JSON.parse(row.found) as object;
}
