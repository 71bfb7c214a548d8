import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { adminLoad } from '../api/admin-request.ts';
import { type Paged, pagedOf, rowsBefore } from '../api/paged.ts';
import { queryText } from '../api/query-text.ts';
import { type OrderDetail, type OrderRow, orderAnswerSchema, orderRowsSchema } from '../api/wire.ts';
import type { OrderSearch } from '../layout/list-search.ts';

/** Orders on one page of the list (specification, section 9). */
export const ordersPerPage = 10;

/** Everything of orders, refunds and figures: a refund changes all of it. */
export const moneyKey = ['admin', 'money'] as const;

/** The page before stays on screen until the next has come. */
export function ordersQuery(search: OrderSearch) {
  return queryOptions({
    queryKey: [...moneyKey, 'orders', search],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Paged<OrderRow>> => {
      const query = { ...search, pageSize: ordersPerPage };
      const answer = await adminLoad({ path: `/api/admin/orders${queryText(query)}`, schema: orderRowsSchema, signal });
      return pagedOf(answer, rowsBefore(search, ordersPerPage));
    },
  });
}

export function orderQuery(orderId: string) {
  return queryOptions({
    queryKey: [...moneyKey, 'order', orderId],
    queryFn: async ({ signal }): Promise<OrderDetail> => {
      const path = `/api/admin/orders/${encodeURIComponent(orderId)}`;
      return (await adminLoad({ path, schema: orderAnswerSchema, signal })).body;
    },
    // Until Square has decided on a refund, the page looks again by itself.
    refetchInterval: ({ state }) => (state.data?.refunds.some(({ status }) => status === 'pending') ? 4_000 : false),
  });
}
