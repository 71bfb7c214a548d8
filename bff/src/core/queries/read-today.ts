import { type Tier, tiers } from '@kilim/domain/catalog';
import { type PickupWindow, pickupWindows } from '@kilim/domain/contact';
import type { Day } from '@kilim/domain/day';
import { turnaroundDays } from '@kilim/domain/order/due';
import type { OrderId } from '@kilim/domain/order/ids';
import type { AgreedPickup } from '@kilim/domain/projection/order-summary';
import type { Sql } from '../database/database.ts';
import { type ContactColumns, contactColumns, contactOf, type KeptContact } from '../ledger/contact.ts';
import { isStillPaid, ofOrders, type StageFilter } from './list-orders.ts';
import type { Fragment } from './paging.ts';

export type Listed<Row> = { readonly total: number; readonly rows: readonly Row[] };

export type RugsRow = {
  readonly orderId: OrderId;
  readonly rugCount: number;
  /** Undefined after the contact was erased. */
  readonly contact: KeptContact['contact'] | undefined;
};

export type PickupRow = RugsRow & { readonly agreed: AgreedPickup | undefined };

export type DueRow = RugsRow & { readonly due: Day; readonly tier: Tier; readonly isHere: boolean };

const most = 20;
/** Later nobody calls any more: the rugs were collected, or never will be. */
const callFor = '60 days';
const dueWithinDays = 7;

/** The index of payments bounds it: it reads the orders of sixty days. */
export async function readToCall(sql: Sql, now: Date, timeZone: string): Promise<Listed<PickupRow>> {
  return await readPickups(sql, {
    condition: sql`
      payment_status = 'paid' and paid_at > ${now}::timestamptz - ${callFor}::interval and delivery_option = 'pickup'
      and summary.pickup_day is null and ${isStillPaid(sql)} and contact.order_id is not null and stage = 'waiting'`,
    order: sql`coalesce(contact.pickup_day, (paid_at at time zone ${timeZone})::date::text), paid_at`,
  });
}

export async function readPickupsOn(sql: Sql, day: Day): Promise<Listed<PickupRow>> {
  return await readPickups(sql, {
    condition: sql`summary.pickup_day = ${day} and ${isStillPaid(sql)}`,
    order: sql`array_position(${sql.typed.textArray(pickupWindows)}::text[], summary.pickup_window), placed_at`,
  });
}

type InShop = { readonly received: number; readonly ready: number; readonly asked: number };

/** Two indexes serve it: of the stage, and of the differences. */
export async function readInShop(sql: Sql): Promise<InShop> {
  const filters = (stage: StageFilter) =>
    ofOrders(sql, { stage, payment: 'paid', refunds: undefined, delivery: undefined });
  const [row] = await sql<InShop[]>`
    select
      (select count(*)::integer from ledger.order_summary where true ${filters('received')}) as received,
      (select count(*)::integer from ledger.order_summary where true ${filters('ready')}) as ready,
      (select count(*)::integer from ledger.order_summary where true ${filters('asked')}) as asked`;
  return row ?? { received: 0, ready: 0, asked: 0 };
}

type Asked = { readonly condition: Fragment; readonly order: Fragment };

type Row = ContactColumns & {
  readonly of_order: OrderId;
  readonly rug_count: number;
  readonly is_kept: boolean;
  readonly total: number;
};

function contactIn(sql: Sql): Fragment {
  return sql`contact.order_id is not null as is_kept, ${sql(contactColumns.map((column) => `contact.${column}`))}`;
}

function rugsOf(row: Row): RugsRow {
  const contact = row.is_kept ? contactOf(row).contact : undefined;
  return { orderId: row.of_order, rugCount: row.rug_count, contact };
}

type PickupColumns = Row & { readonly agreed_day: Day | null; readonly agreed_window: PickupWindow | null };

async function readPickups(sql: Sql, { condition, order }: Asked): Promise<Listed<PickupRow>> {
  const rows = await sql<PickupColumns[]>`
    select summary.order_id as of_order, rug_count, summary.pickup_day as agreed_day,
      summary.pickup_window as agreed_window, ${contactIn(sql)}, count(*) over ()::integer as total
    from ledger.order_summary summary left join ledger.customer_contact contact using (order_id)
    where ${condition} order by ${order}, summary.order_id limit ${most}`;
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map((row) => ({
      ...rugsOf(row),
      agreed:
        row.agreed_day === null || row.agreed_window === null
          ? undefined
          : { day: row.agreed_day, window: row.agreed_window },
    })),
  };
}

type DueAsked = { readonly today: Day; readonly timeZone: string };

/**
 * From the agreed or wished pickup, else from the order's day. It reads the orders of which rugs can be due: about two
 * weeks.
 */
export async function readDue(sql: Sql, { today, timeZone }: DueAsked): Promise<Listed<DueRow>> {
  const turnarounds = tiers.map((tier) => turnaroundDays[tier]);
  const [longest, shortest] = [Math.max(...turnarounds), Math.min(...turnarounds)];
  const first = sql`${today}::text::date - ${longest}::integer`;
  const isInSpan = sql`between (${first})::text and (${today}::text::date + ${dueWithinDays - shortest}::integer)::text`;
  const rows = await sql<(Row & { readonly due_day: Day; readonly tier: Tier; readonly is_here: boolean })[]>`
    with begun as materialized (
      select order_id, pickup_day as from_day from ledger.order_summary where pickup_day ${isInSpan}
      union all
      select order_id, contact.pickup_day
      from ledger.customer_contact contact join ledger.order_summary summary using (order_id)
      where contact.pickup_day ${isInSpan} and summary.pickup_day is null
      union all
      select order_id, (placed_at at time zone ${timeZone})::date::text
      from ledger.order_summary summary left join ledger.customer_contact contact using (order_id)
      where placed_at >= ledger.start_of_day(${first}, ${timeZone})
        and summary.pickup_day is null and contact.pickup_day is null
    ), due as (
      select order_id, tier, (from_day::date + days)::text as due_day, stage = 'received' as is_here,
        count(*)::integer as rug_count
      from begun join ledger.order_summary summary using (order_id)
        join ledger.event on event.stream_id = 'order-' || order_id and event.version = 1
        cross join lateral json_array_elements(event.payload -> 'rugs') rug
        join unnest(${sql.typed.textArray(tiers)}::text[], ${sql.typed.textArray(turnarounds)}::integer[]) turnaround (tier, days)
          on tier = rug ->> 'tier'
      where payment_status = 'paid' and ${isStillPaid(sql)} and supplement_of is null
        and stage in ('waiting', 'received')
      group by 1, 2, 3, 4
    )
    select due.order_id as of_order, tier, due_day, is_here, rug_count, ${contactIn(sql)}, count(*) over ()::integer as total
    from due left join ledger.customer_contact contact using (order_id)
    where due_day between ${today} and (${today}::text::date + ${dueWithinDays}::integer)::text
    order by due_day, due.order_id, tier limit ${most}`;
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map((row) => ({ ...rugsOf(row), due: row.due_day, tier: row.tier, isHere: row.is_here })),
  };
}
