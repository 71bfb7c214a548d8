import { type Day, dayAfter } from '@kilim/domain/day';
import { latestPickupDays, type PickupPlan } from '@kilim/domain/pickup-plan';
import type { Sql } from '../database/database.ts';

/**
 * From today on, without room for another pickup. An order counts while it is paid and not given back, and until its
 * contact is erased.
 */
export async function readFullPickupDays(sql: Sql, { mostPerDay }: PickupPlan, today: Day): Promise<readonly string[]> {
  if (mostPerDay === null) return [];
  const days: Day[] = [today];
  while (days.length <= latestPickupDays + 1) days.push(dayAfter(days.at(-1) ?? today));
  const rows = await sql<{ pickup_day: string }[]>`
    select pickup_day
    from ledger.customer_contact join ledger.order_summary using (order_id)
    where pickup_day = any(${days}) and captured_cents > refund_pending_cents + refunded_cents
    group by pickup_day having count(*) >= ${mostPerDay}
    order by pickup_day`;
  return rows.map(({ pickup_day: day }) => day);
}
