import type { DeliveryOption } from '@kilim/domain/catalog';
import { type Cents, cents } from '@kilim/domain/money';
import type { OrderId } from '@kilim/domain/order/ids';
import { idEndings, type OrderNumber, parseOrderNumber } from '@kilim/domain/order/number';
import type {
  DisputeStatus,
  OrderPaymentStatus,
  OrderStage,
  RefundFilter,
  RefundStanding,
} from '@kilim/domain/projection/order-summary';
import { onlyRow, type Sql } from '../database/database.ts';
import { literal } from '../database/values.ts';
import {
  betweenDays,
  type Fragment,
  inOrder,
  ofDays,
  type Page,
  type PageRequest,
  placeOfPage,
  seenFrom,
} from './paging.ts';

/** `asked`: the customer was asked for a difference and has not paid it. */
export type StageFilter = OrderStage | 'asked';

export type OrdersRequest = PageRequest & {
  readonly search: string | undefined;
  /** A match of a name or an address would reveal it. */
  readonly searchesContacts: boolean;
  readonly refunds: RefundFilter | undefined;
  readonly payment: 'paid' | 'attempts' | 'all';
  readonly delivery: DeliveryOption | undefined;
  readonly stage: StageFilter | undefined;
  /** Days on which orders were placed: `2026-11-21`. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly timeZone: string;
};

export type ListedOrder = {
  readonly orderId: OrderId;
  readonly placedAt: Date;
  readonly total: Cents;
  readonly paymentId: string | null;
  readonly paymentStatus: OrderPaymentStatus;
  readonly delivery: DeliveryOption;
  readonly rugCount: number;
  readonly refunds: RefundStanding;
  readonly refundable: Cents;
  readonly disputeStatus: DisputeStatus;
  readonly stage: OrderStage;
  /** The customer was asked for a difference and has not paid it. */
  readonly isAsked: boolean;
  /** Of refunds that failed, and that nobody made good since. */
  readonly owed: Cents;
  /** Undefined after the contact was erased. */
  readonly contact: { readonly name: string; readonly email: string; readonly phone: string } | undefined;
};

/** The cost depends neither on the number of orders nor on the page's position. */
export async function listOrders(sql: Sql, request: OrdersRequest): Promise<Page<ListedOrder>> {
  if (request.search !== undefined) return await searchOrders(sql, request.search, request);
  // Neither is counted by day.
  if (request.refunds === 'failed' || request.stage !== undefined) return await listWhole(sql, request);
  const place = await placeOfPage(sql, countedDays(sql, request), request);
  const { total } = place;
  if (place.day === null) return { rows: [], total, isLeast: false };
  const found = await sql<Row[]>`
    ${selectRows(sql)}
    from (
      select * from ledger.order_summary
      where ${seenFrom(sql, 'placed_at', { ...place, timeZone: request.timeZone })} ${ofOrders(sql, request)}
        ${ofDays(sql, 'placed_at', request)}
      ${ordered(sql, { newestFirst: place.fromNewest })}
      limit ${place.take} offset ${place.skip}
    ) listed
    left join ledger.customer_contact contact using (order_id)
    ${ordered(sql, { newestFirst: place.fromNewest })}`;
  return { rows: inOrder(found.map(orderOf), place, request), total, isLeast: false };
}

/** Few refunds fail and few rugs are in the shop, so these orders are sorted as a whole. */
async function listWhole(sql: Sql, request: OrdersRequest): Promise<Page<ListedOrder>> {
  const { page, pageSize } = request;
  const found = await sql<(Row & { found: number })[]>`
    ${selectRows(sql)}, found
    from (
      select *, count(*) over () as found from ledger.order_summary
      where true ${ofOrders(sql, request)} ${ofDays(sql, 'placed_at', request)} ${ordered(sql, request)}
      limit ${pageSize} offset ${(page - 1) * pageSize}
    ) listed
    left join ledger.customer_contact contact using (order_id)
    ${ordered(sql, request)}`;
  const rows = found.map(({ found: _, ...row }) => orderOf(row));
  return { rows, total: found[0]?.found ?? 0, isLeast: false };
}

/** When there are more, the list says so. */
export const mostFound = 1000;
/** The factor covers the error of PostgreSQL's statistics: a common word has more than `mostFound` matches. */
const commonWordThreshold = 3 * mostFound;
/** A common word is searched in this many orders first, before all matches are sorted. */
const mostWalked = 20_000;

/**
 * Searches the index first, unless the word is common: its cost grows with the number of matches. When these are too
 * many to sort, scanning the list from its start soon finds a page.
 */
async function searchOrders(sql: Sql, search: string, request: OrdersRequest): Promise<Page<ListedOrder>> {
  const { found, total, rows } = await sortedFinds(sql, search, {
    ...request,
    most: mostFound + 1,
    passesCommon: request.searchesContacts && !isFiltered(request),
  });
  if (found <= mostFound || !request.searchesContacts) return { rows: rows.map(orderOf), total, isLeast: false };
  const skip = (request.page - 1) * request.pageSize;
  const wanted = Math.max(0, Math.min(request.pageSize, mostFound - skip));
  // One more row shows whether there is another page.
  const walked = wanted === 0 ? [] : await walkedFinds(sql, search, { ...request, skip, most: wanted + 1 });
  if (walked.length > wanted || wanted === 0) {
    const known = isFiltered(request) ? Math.max(total, skip + walked.length) : mostFound;
    return { rows: walked.slice(0, wanted).map(orderOf), total: Math.min(known, mostFound), isLeast: true };
  }
  // The word was common only in old orders, or few matches pass the other filters.
  const all = await sortedFinds(sql, search, { ...request, most: everything, passesCommon: false });
  const isLeast = all.total > mostFound;
  return { rows: all.rows.map(orderOf), total: Math.min(all.total, mostFound), isLeast };
}

const everything = 2_147_483_647;

type SortedFinds = { readonly found: number; readonly total: number; readonly rows: readonly Row[] };

/**
 * @returns `found`, the number of orders with the words, `total`, how many of these pass the filters, and `rows`, the
 *   page. `total` and `rows` are valid when `found` is less than `most`. With `passesCommon`, common words are not
 *   searched.
 */
async function sortedFinds(
  sql: Sql,
  search: string,
  request: OrdersRequest & { readonly most: number; readonly passesCommon: boolean },
): Promise<SortedFinds> {
  const { page, pageSize, most, passesCommon } = request;
  const withWords = request.searchesContacts
    ? sql`select ledger.orders_with_words(query, ${most}::integer) as order_id from words where not are_common union`
    : sql``;
  const finds = await onlyRow(sql<{ found: number; total: number; rows: Row[] | null }[]>`
    with words as materialized (
      select query,
        (${passesCommon}::boolean and ledger.orders_with_common_word(query) >= ${commonWordThreshold}::integer) is true as are_common
      from ledger.search_query(${search}) query
    ), found as materialized (
      ${withWords} ${withId(sql, search)}
    ), listed as materialized (
      -- One lookup per match. PostgreSQL cannot know that there are few, and might scan all orders.
      select order_summary.* from found cross join lateral (
        select * from ledger.order_summary where order_summary.order_id = found.order_id offset 0
      ) order_summary
      where ((select count(*) from found) < ${most}::integer or ${isFiltered(request)}::boolean)
        ${ofOrders(sql, request)} ${ofDays(sql, 'placed_at', request)}
    ), page as (
      ${selectRows(sql)}
      from (select * from listed ${ordered(sql, request)} limit ${pageSize} offset ${(page - 1) * pageSize}) listed
      left join ledger.customer_contact contact using (order_id)
      ${ordered(sql, request)}
    )
    select (select case when are_common then ${most}::bigint else (select count(*) from found) end from words) as found,
      (select count(*) from listed) as total, (select json_agg(page) from page) as rows`);
  return { ...finds, rows: finds.rows ?? [] };
}

function isFiltered({ refunds, payment, delivery, stage, from, to }: OrdersRequest): boolean {
  return payment !== 'all' || [refunds, delivery, stage, from, to].some((filter) => filter !== undefined);
}

async function walkedFinds(
  sql: Sql,
  search: string,
  request: OrdersRequest & { readonly skip: number; readonly most: number },
): Promise<readonly Row[]> {
  return await sql<Row[]>`
    ${selectRows(sql)}
    from (
      select * from ledger.order_summary where true ${ofOrders(sql, request)} ${ofDays(sql, 'placed_at', request)} ${ordered(sql, request)}
      limit ${mostWalked}
    ) listed
    cross join lateral (
      select * from ledger.customer_contact
      where customer_contact.order_id = listed.order_id
        and ledger.contact_words(name, email, phone) @@ ledger.search_query(${search})
      -- "offset 0" keeps the order of the list: the planner must not search first and sort afterwards.
      offset 0
    ) contact
    limit ${request.most} offset ${request.skip}`;
}

export function ordered(sql: Sql, { newestFirst }: Pick<OrdersRequest, 'newestFirst'>): Fragment {
  return newestFirst ? sql`order by placed_at desc, order_id desc` : sql`order by placed_at, order_id`;
}

/**
 * Finds orders by ids that people copy or read out: an order's number, id or last eight characters,
 * a payment's id or its beginning, Square's payment id.
 */
function withId(sql: Sql, search: string): Fragment {
  // Screens shorten ids with an ellipsis.
  const id = search.trim().replaceAll(/^[#.…]+|(?<![.…])[.…]+$/g, '');
  const hex = id.toLowerCase();
  const found = orderFound(sql);
  const byOrder = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(hex)
    ? sql`union select ${found} from ledger.order_summary where order_id = ${hex}::uuid`
    : sql``;
  const byEnd = /^[0-9a-f]{8}$/.test(hex)
    ? sql`union select ${found} from ledger.order_summary where right(order_id::text, 8) = ${hex}`
    : sql``;
  const byPayment = /^[0-9a-f]{8,32}$/.test(hex)
    ? sql`union select ${found} from ledger.order_summary where payment_id between ${hex} and ${`${hex}~`}`
    : sql``;
  return sql`
    select ${found} from ledger.order_summary where square_payment_id = ${id}
    ${byOrder} ${byEnd} ${withNumber(sql, id)} ${byPayment}`;
}

/** A supplement is found as the order of which it pays a difference. */
function orderFound(sql: Sql): Fragment {
  return sql`coalesce(supplement_of, order_id) as order_id`;
}

function withNumber(sql: Sql, text: string): Fragment {
  const number = parseOrderNumber(text);
  const found = orderFound(sql);
  return number === undefined
    ? sql``
    : sql`union select ${found} from ledger.order_summary where ${hasNumber(sql, number)}`;
}

/** The index has the last eight characters, which leave at most a few orders of any million. */
export function hasNumber(sql: Sql, number: OrderNumber): Fragment {
  const [first, second] = idEndings(number);
  return sql`right(order_id::text, 8) = ${first.slice(1)} and right(order_id::text, 9) in (${first}, ${second})`;
}

function countedDays(sql: Sql, request: OrdersRequest): Fragment {
  return sql`
    select day, orders::integer as rows from ledger.order_days_now(${request.timeZone})
    where true ${betweenDays(sql, request)} ${filters(sql, request)}`;
}

/** Of a table with all columns. Supplements are no orders of a list. */
export function ofOrders(
  sql: Sql,
  { stage, ...request }: Pick<OrdersRequest, 'refunds' | 'payment' | 'delivery' | 'stage'>,
): Fragment {
  const inStage =
    stage === undefined
      ? sql``
      : stage === 'asked'
        ? sql`and ${isAsked(sql)}`
        : sql.unsafe(`and stage = ${literal(stage)}`);
  return sql`and supplement_of is null ${inStage} ${filters(sql, request)}`;
}

/** In a row of orders. Neither the shop nor the bank has given all of the money back. */
export function isStillPaid(sql: Sql): Fragment {
  return sql`(refundable_cents > 0 and dispute_status not in ('lost', 'accepted'))`;
}

/** In a row of orders. */
export function isAsked(sql: Sql): Fragment {
  return sql`(supplement_id is not null and refundable_cents > 0 and supplement_id not in (
    select paid.order_id from ledger.order_summary paid where paid.supplement_of is not null and paid.payment_status = 'paid'
  ))`;
}

/** Of an order with what the customer paid for larger rugs, in a row `listed`. Filters take that of the order alone. */
export function familyRefundStatus(sql: Sql): Fragment {
  return sql`coalesce((
    select ledger.refund_status(
      (listed.refund_pending_cents + sum(paid.refund_pending_cents))::bigint,
      (listed.refunded_cents + sum(paid.refunded_cents))::bigint,
      (listed.captured_cents + sum(paid.captured_cents))::bigint
    )
    from ledger.order_summary paid where paid.supplement_of = listed.order_id having count(*) > 0
  ), listed.refund_status)`;
}

/** The refund status is a literal: PostgreSQL uses the partial index on refunded orders only for a known status. */
function filters(
  sql: Sql,
  { refunds, payment, delivery }: Pick<OrdersRequest, 'refunds' | 'payment' | 'delivery'>,
): Fragment {
  return sql`
    ${refunds === undefined ? sql`` : refunds === 'failed' ? sql`and order_id in (select order_id from ledger.owed_refund)` : sql.unsafe(`and refund_status = ${literal(refunds)}`)}
    ${payment === 'all' ? sql`` : payment === 'paid' ? sql`and payment_status = 'paid'` : sql`and payment_status <> 'paid'`}
    ${delivery === undefined ? sql`` : sql`and delivery_option = ${delivery}`}`;
}

export type Row = Omit<ListedOrder, 'placedAt' | 'total' | 'refundable' | 'owed' | 'contact'> & {
  readonly placedAt: Date | string;
  readonly total: number;
  readonly refundable: number;
  readonly owed: number;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
};

export function selectRows(sql: Sql): Fragment {
  return sql`
    select listed.order_id as "orderId", placed_at as "placedAt", total_cents as total, payment_id as "paymentId",
      payment_status as "paymentStatus", delivery_option as delivery, rug_count as "rugCount",
      ${familyRefundStatus(sql)} as refunds, refundable_cents as refundable, dispute_status as "disputeStatus", stage,
      ${isAsked(sql)} as "isAsked", contact.name, contact.email, contact.phone, (
        select coalesce(sum(amount_cents), 0)::bigint from ledger.owed_refund owed where owed.order_id = listed.order_id
      ) as owed`;
}

export function orderOf({ name, email, phone, placedAt, total, refundable, owed, ...order }: Row): ListedOrder {
  return {
    ...order,
    ...{ total: cents(total), refundable: cents(refundable), owed: cents(owed) },
    placedAt: new Date(placedAt),
    contact: name === null || email === null || phone === null ? undefined : { name, email, phone },
  };
}
