import type { Sql } from '../database/database.ts';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import {
  type ListedOrder,
  listOrders,
  mostFound,
  type OrdersRequest,
  ofOrders,
  ordered,
  orderOf,
  type Row,
  selectRows,
} from './list-orders.ts';
import { type Fragment, ofDays } from './paging.ts';

export type WholeList = Omit<OrdersRequest, 'page' | 'pageSize'>;

type BatchSizes = { readonly first: number; readonly later: number };

/** The first rows arrive as soon as a page does; later batches cost fewer queries. */
const usualSizes: BatchSizes = { first: 100, later: 2000 };

/**
 * Each batch is a query of its own that continues after the last row, so a slow reader holds no connection. An order
 * that is placed meanwhile may be missing.
 */
export async function* eachListedOrder(
  sql: Sql,
  request: WholeList,
  sizes = usualSizes,
): AsyncGenerator<readonly ListedOrder[], void> {
  if (request.search !== undefined) {
    const first = await repeatWhileAway(() => listOrders(sql, { ...request, page: 1, pageSize: sizes.first }));
    if (!first.isLeast) {
      yield first.total <= sizes.first ? first.rows : await readMatches(sql, request);
      return;
    }
  }
  // Too many matches to sort: the list is read from its beginning, and only matches are passed on.
  for (let last: Walked | undefined, size = sizes.first; ; size = sizes.later) {
    const batch = await repeatWhileAway(() => readBatch(sql, request, { after: last, size }));
    yield batch.flatMap(({ matches, instant: _, ...row }) => (matches ? [orderOf(row)] : []));
    last = batch.at(-1);
    if (last === undefined || batch.length < size) return;
  }
}

/** Few enough to be sorted. */
async function readMatches(sql: Sql, request: WholeList): Promise<readonly ListedOrder[]> {
  return (await repeatWhileAway(() => listOrders(sql, { ...request, page: 1, pageSize: mostFound }))).rows;
}

type Walked = Row & { readonly matches: boolean /** With all digits of PostgreSQL. */; readonly instant: string };

type Batch = { readonly after: Walked | undefined; readonly size: number };

async function readBatch(sql: Sql, request: WholeList, { after, size }: Batch): Promise<readonly Walked[]> {
  const { search } = request;
  const matches =
    search === undefined
      ? sql`true`
      : sql`ledger.contact_words(contact.name, contact.email, contact.phone) @@ ledger.search_query(${search}) is true`;
  return await sql<Walked[]>`
    ${selectRows(sql)}, placed_at::text as instant, ${matches} as matches
    from (
      select * from ledger.order_summary
      where true ${ofOrders(sql, request)} ${ofDays(sql, 'placed_at', request)} ${beyond(sql, after, request)}
      ${ordered(sql, request)} limit ${size}
    ) listed
    left join ledger.customer_contact contact using (order_id)
    ${ordered(sql, request)}`;
}

function beyond(sql: Sql, after: Walked | undefined, { newestFirst }: WholeList): Fragment {
  if (after === undefined) return sql``;
  const place = sql`(${after.instant}::text::timestamptz, ${after.orderId}::uuid)`;
  return newestFirst ? sql`and (placed_at, order_id) < ${place}` : sql`and (placed_at, order_id) > ${place}`;
}
