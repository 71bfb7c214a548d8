import type { Day } from '@kilim/domain/day';
import type { OrderId } from '@kilim/domain/order/ids';
import type { PickupPlan } from '@kilim/domain/pickup-plan';
import type { Sql } from '../database/database.ts';
import { isStillPaid } from './list-orders.ts';

type Asked = {
  readonly days: readonly Day[];
  /** An order does not fill its own day. */
  readonly except?: OrderId;
};

/**
 * Without room for another pickup. An order counts while it is paid and not given back: on the agreed day, else on the
 * wished one, which is forgotten with the contact.
 */
export async function readFullPickupDays(
  sql: Sql,
  { mostPerDay }: PickupPlan,
  { days, except }: Asked,
): Promise<readonly string[]> {
  if (mostPerDay === null) return [];
  const rows = await sql<{ day: string }[]>`
    with taken as (
      select order_id, pickup_day as day from ledger.order_summary
      where pickup_day = any(${sql.typed.textArray(days)}::text[])
      union all
      select order_id, contact.pickup_day
      from ledger.customer_contact contact join ledger.order_summary summary using (order_id)
      where contact.pickup_day = any(${sql.typed.textArray(days)}::text[]) and summary.pickup_day is null
    )
    select day from taken join ledger.order_summary using (order_id)
    where ${isStillPaid(sql)} and order_id is distinct from ${except ?? null}::uuid
    group by day having count(*) >= ${mostPerDay}
    order by day`;
  return rows.map(({ day }) => day);
}
