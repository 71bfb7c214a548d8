import type { OrderId } from '@kilim/domain/order/ids';
import type { Sql, Transaction } from '../../database/database.ts';
import { type Difference, differenceOf } from './difference.ts';
import { foldOrders, type OrderFolded } from './fold.ts';
import { comparePayoutEntries } from './payout-entries.ts';

export type Compared = { readonly orders: number; readonly differences: readonly Difference[] };

/**
 * In one snapshot, with the rows that the domain folds from the events. `onProgress` gets the number of events read
 * since its last call.
 */
export async function compareProjections(sql: Sql, onProgress: (events: number) => void): Promise<Compared> {
  return await sql.begin('isolation level repeatable read read only', async (transaction) => {
    await transaction.unsafe('set local idle_in_transaction_session_timeout = 0');
    // A rebuild has to wait: this snapshot would see its new tables as empty.
    await transaction`lock table ledger.order_summary, ledger.refund_history, ledger.payout_entry in access share mode`;
    const folded = await compareOrders(transaction, onProgress);
    const differences = [
      ...folded.differences,
      ...(await rowsWithoutStream(transaction)),
      ...(await comparePayoutEntries(transaction)),
      ...(await compareDays(transaction)),
    ];
    return { orders: folded.orders, differences };
  });
}

async function compareOrders(transaction: Transaction, onProgress: (events: number) => void): Promise<Compared> {
  const differences: Difference[] = [];
  let orders = 0;
  for await (const batch of foldOrders(transaction)) {
    const readable = batch.orders.flatMap((order) => {
      if (!('unreadable' in order)) return [order];
      differences.push({ of: order.orderId, what: order.unreadable });
      return [];
    });
    differences.push(...(await compareLive(transaction, readable)));
    orders += batch.orders.length;
    onProgress(batch.events);
  }
  return { orders, differences };
}

async function compareLive(transaction: Transaction, folded: readonly OrderFolded[]): Promise<readonly Difference[]> {
  if (folded.length === 0) return [];
  const ids = transaction.typed.textArray(folded.map(({ orderId }) => orderId));
  const summaries = await transaction<{ order_id: OrderId }[]>`
    select * from ledger.order_summary where order_id = any(${ids}::uuid[])`;
  const refunds = await transaction<{ order_id: OrderId; refund_id: string }[]>`
    select * from ledger.refund_history where order_id = any(${ids}::uuid[])`;
  const live = new Map(summaries.map((row) => [row.order_id, row]));
  const liveRefunds = Map.groupBy(refunds, (row) => row.order_id);
  return folded.flatMap(({ orderId, summary, refunds: expected }) => [
    ...differenceOf(orderId, 'The row', { live: live.get(orderId), folded: summary }),
    ...refundDifferences(orderId, liveRefunds.get(orderId) ?? [], expected),
  ]);
}

type RefundRow = { readonly refund_id: string };

function refundDifferences(
  orderId: OrderId,
  stored: readonly RefundRow[],
  expected: readonly RefundRow[],
): readonly Difference[] {
  const live = new Map(stored.map((row) => [row.refund_id, row]));
  const folded = new Map(expected.map((row) => [row.refund_id, row]));
  return [...new Set([...live.keys(), ...folded.keys()])].flatMap((id) =>
    differenceOf(orderId, `Refund ${id}`, { live: live.get(id), folded: folded.get(id) }),
  );
}

async function rowsWithoutStream(transaction: Transaction): Promise<readonly Difference[]> {
  const rows = await transaction<{ order_id: string }[]>`
    select distinct order_id from (
      select order_id from ledger.order_summary union all select order_id from ledger.refund_history
    ) stored
    where not exists (select from ledger.event where stream_id = 'order-' || stored.order_id)`;
  return rows.map(({ order_id: of }) => ({ of, what: 'There are rows of it, and it has no events' }));
}

async function compareDays(transaction: Transaction): Promise<readonly Difference[]> {
  const rows = await transaction<{ day: string; counts: string }[]>`
    with zone as (select time_zone from ledger.day_progress), live as (
      select 'orders' as counts, day, payment_status || refund_status || delivery_option as part, array[orders] as sums
      from zone, ledger.order_days_now(time_zone)
      union all
      select 'refunds', day, status, array[refunds] from zone, ledger.refund_days_now(time_zone)
      union all
      select 'money', day, '', array[orders, takings_cents, refunds, refunds_cents, fees_cents]
      from zone, ledger.money_days_now(time_zone, '-infinity', 'infinity')
    ), counted as (
      select 'orders' as counts, (placed_at at time zone time_zone)::date as day,
        payment_status || refund_status || delivery_option as part, array[count(*)] as sums
      from zone, ledger.order_summary where supplement_of is null group by 2, 3
      union all
      select 'refunds', (requested_at at time zone time_zone)::date, status, array[count(*)]
      from zone, ledger.refund_history group by 2, 3
      union all
      select 'money', day, '', array[orders, takings_cents, refunds, refunds_cents, fees_cents]
      from zone, ledger.money_between(
        time_zone, row(true, '', 0::smallint, '0'::xid8, 0::bigint)::ledger.day_progress, null)
    )
    select distinct day::text, counts from live full join counted using (counts, day, part)
    where live.sums is distinct from counted.sums order by 1, 2`;
  return rows.map(({ day, counts }) => ({
    of: day,
    what: `The counted ${counts} of this day are not those of the rows`,
  }));
}
