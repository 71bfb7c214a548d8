import { type Cents, cents } from '@kilim/domain/money';
import type { DisputeStatus, OrderPaymentStatus } from '@kilim/domain/projection/order-summary';
import type { DeliveryOption } from '@kilim/domain/quote';
import type { Sql } from '../database.ts';
import { type Fragment, inOrder, type Page, type PagePlace, type PageRequest, placeOfPage } from './paging.ts';

/** What follows from an order's amounts: generated in the database, so that lists and filters agree. */
export type RefundStanding = 'none' | 'pending' | 'partial' | 'full';

export type OrdersRequest = PageRequest & {
  readonly search: string | undefined;
  readonly refunds: RefundStanding | undefined;
  readonly payment: 'paid' | 'attempts' | 'all';
  readonly delivery: DeliveryOption | undefined;
  /** Days on which orders were placed: `2026-11-21`. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly timeZone: string;
};

export type ListedOrder = {
  readonly orderId: string;
  readonly placedAt: Date;
  readonly total: Cents;
  readonly paymentId: string | null;
  readonly paymentStatus: OrderPaymentStatus;
  readonly delivery: DeliveryOption;
  readonly rugCount: number;
  readonly refunds: RefundStanding;
  readonly refundable: Cents;
  readonly disputeStatus: DisputeStatus;
  /** Gone once it was erased. */
  readonly contact: { readonly name: string; readonly email: string; readonly phone: string } | undefined;
};

/** A page of orders. What it costs does not depend on how many orders there are, nor on how far down the page is. */
export async function listOrders(sql: Sql, request: OrdersRequest): Promise<Page<ListedOrder>> {
  if (request.search !== undefined) return await searchOrders(sql, request.search, request);
  const place = await placeOfPage(sql, countedDays(sql, request), request);
  const { total } = place;
  if (place.day === null) return { rows: [], total, isLeast: false };
  const found = await sql<Row[]>`
    ${selectRows(sql)}
    from (
      select * from ledger.order_summary
      where ${beyond(sql, place, request.timeZone)} ${filters(sql, request)} ${ofDays(sql, request)}
      ${place.fromNewest ? sql`order by placed_at desc, order_id desc` : sql`order by placed_at, order_id`}
      limit ${place.take} offset ${place.skip}
    ) listed
    left join ledger.customer_contact contact using (order_id)
    ${place.fromNewest ? sql`order by placed_at desc, order_id desc` : sql`order by placed_at, order_id`}`;
  return { rows: inOrder(found.map(orderOf), place, request), total, isLeast: false };
}

/** How many orders a search looks at before it says that there are more. */
const mostFound = 5000;
/** How many of very many found orders can be paged through. */
const mostShown = 1000;

/**
 * Finds by the index first. Where so many orders are found that sorting them would take long, they are common: the newest are then met
 * soon when the list is read from its beginning.
 */
async function searchOrders(sql: Sql, search: string, request: OrdersRequest): Promise<Page<ListedOrder>> {
  const { page, pageSize, newestFirst } = request;
  const skip = (page - 1) * pageSize;
  const inTheirOrder = newestFirst ? sql`order by placed_at desc, order_id desc` : sql`order by placed_at, order_id`;
  const [counted] = await sql<{ found: number; total: number; rows: Row[] | null }[]>`
    with found as materialized (
      (
        select order_id from ledger.customer_contact
        where ledger.contact_words(name, email, phone) @@ ledger.search_query(${search})
        limit ${mostFound + 1}
      )
      union ${withId(sql, search)}
    ), listed as materialized (
      select order_summary.* from ledger.order_summary join found using (order_id)
      where true ${filters(sql, request)} ${ofDays(sql, request)}
    ), page as (
      ${selectRows(sql)}
      from (select * from listed ${inTheirOrder} limit ${pageSize} offset ${skip}) listed
      left join ledger.customer_contact contact using (order_id)
      ${inTheirOrder}
    )
    select (select count(*) from found) as found, (select count(*) from listed) as total,
      (select json_agg(page) from page) as rows`;
  if (counted === undefined) throw new Error('Searching answered nothing');
  if (counted.found <= mostFound) {
    return { rows: (counted.rows ?? []).map(orderOf), total: counted.total, isLeast: false };
  }
  const rows = await sql<Row[]>`
    ${selectRows(sql)}
    from (
      select * from ledger.order_summary where true ${filters(sql, request)} ${ofDays(sql, request)} ${inTheirOrder}
    ) listed
    cross join lateral (
      select * from ledger.customer_contact
      where customer_contact.order_id = listed.order_id
        and ledger.contact_words(name, email, phone) @@ ledger.search_query(${search})
      -- Keeps the order of the list: nothing is found first and sorted afterwards.
      offset 0
    ) contact
    limit ${Math.max(0, Math.min(pageSize, mostShown - skip))} offset ${Math.min(skip, mostShown)}`;
  return { rows: rows.map(orderOf), total: mostShown, isLeast: true };
}

/** Orders by what is copied and read out: an order's id or its last eight, a payment's id or its beginning, Square's id of the payment. */
function withId(sql: Sql, search: string): Fragment {
  // Ids are shown shortened, with points where something is missing.
  const id = search.trim().replaceAll(/^[#.…]+|[.…]+$/g, '');
  const hex = id.toLowerCase();
  const byOrder = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(hex)
    ? sql`union select order_id from ledger.order_summary where order_id = ${hex}::uuid`
    : sql``;
  const byEnd = /^[0-9a-f]{8}$/.test(hex)
    ? sql`union select order_id from ledger.order_summary where right(order_id::text, 8) = ${hex}`
    : sql``;
  const byPayment = /^[0-9a-f]{8,32}$/.test(hex)
    ? sql`union select order_id from ledger.order_summary where payment_id between ${hex} and ${`${hex}~`}`
    : sql``;
  return sql`select order_id from ledger.order_summary where square_payment_id = ${id} ${byOrder} ${byEnd} ${byPayment}`;
}

function countedDays(sql: Sql, request: OrdersRequest): Fragment {
  const { from, to, timeZone } = request;
  return sql`
    select day, sum(orders)::bigint as rows from ledger.order_days_now(${timeZone})
    where day between ${from ?? '-infinity'}::text::date and ${to ?? 'infinity'}::text::date ${filters(sql, request)}
    group by day`;
}

/** The same columns in the list of orders and in the counted days. */
function filters(sql: Sql, { refunds, payment, delivery }: OrdersRequest): Fragment {
  return sql`
    ${refunds === undefined ? sql`` : standings(sql)[refunds]}
    ${payment === 'all' ? sql`` : payment === 'paid' ? sql`and payment_status = 'paid'` : sql`and payment_status <> 'paid'`}
    ${delivery === undefined ? sql`` : sql`and delivery_option = ${delivery}`}`;
}

/** Written out: an index of the orders that have refunds serves only a statement that says which it looks for. */
function standings(sql: Sql) {
  return {
    none: sql`and refund_status = 'none'`,
    pending: sql`and refund_status = 'pending'`,
    partial: sql`and refund_status = 'partial'`,
    full: sql`and refund_status = 'full'`,
  } satisfies Record<RefundStanding, Fragment>;
}

function ofDays(sql: Sql, { from, to, timeZone }: OrdersRequest): Fragment {
  return sql`
    ${from === undefined ? sql`` : sql`and placed_at >= ledger.start_of_day(${from}::text::date, ${timeZone})`}
    ${to === undefined ? sql`` : sql`and placed_at < ledger.start_of_day(${to}::text::date + 1, ${timeZone})`}`;
}

function beyond(sql: Sql, { fromNewest, day }: PagePlace, timeZone: string): Fragment {
  return fromNewest
    ? sql`placed_at < ledger.start_of_day(${day}::text::date + 1, ${timeZone})`
    : sql`placed_at >= ledger.start_of_day(${day}::text::date, ${timeZone})`;
}

type Row = {
  readonly order_id: string;
  readonly placed_at: Date | string;
  readonly total_cents: number;
  readonly payment_id: string | null;
  readonly payment_status: OrderPaymentStatus;
  readonly delivery_option: DeliveryOption;
  readonly rug_count: number;
  readonly refund_status: RefundStanding;
  readonly refundable_cents: number;
  readonly dispute_status: DisputeStatus;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
};

function selectRows(sql: Sql): Fragment {
  return sql`
    select listed.order_id, placed_at, total_cents, payment_id, payment_status, delivery_option, rug_count, refund_status,
      refundable_cents, dispute_status, contact.name, contact.email, contact.phone`;
}

function orderOf(row: Row): ListedOrder {
  const { name, email, phone } = row;
  return {
    orderId: row.order_id,
    placedAt: new Date(row.placed_at),
    total: cents(row.total_cents),
    paymentId: row.payment_id,
    paymentStatus: row.payment_status,
    delivery: row.delivery_option,
    rugCount: row.rug_count,
    refunds: row.refund_status,
    refundable: cents(row.refundable_cents),
    disputeStatus: row.dispute_status,
    contact: name === null || email === null || phone === null ? undefined : { name, email, phone },
  };
}
