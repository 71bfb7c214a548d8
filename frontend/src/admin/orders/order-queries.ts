import { type OrderDetail, type OrderRow, orderDetail, orderRows } from '@kilim/bff/contract/orders';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { adminLoad } from '../api/admin-request.ts';
import { type Paged, pagedOf, rowsBefore } from '../api/paged.ts';
import { queryText } from '../api/query-text.ts';
import type { OrderSearch } from '../layout/list-search.ts';

/** Orders on one page of the list (specification, section 9). */
export const ordersPerPage = 10;

/** Orders, refunds and figures: a refund changes all of them. */
export const moneyKey = ['admin', 'money'] as const;

/** The earlier page stays on screen until the next one is loaded. */
export function ordersQuery(search: OrderSearch) {
  return queryOptions({
    queryKey: [...moneyKey, 'orders', search],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Paged<OrderRow>> => {
      const query = { ...search, pageSize: ordersPerPage };
      const answer = await adminLoad({ path: `/api/admin/orders${queryText(query)}`, schema: orderRows, signal });
      return pagedOf(answer, rowsBefore(search, ordersPerPage));
    },
  });
}

export function orderQuery(orderId: string) {
  return queryOptions({
    queryKey: [...moneyKey, 'order', orderId],
    queryFn: async ({ signal }): Promise<OrderDetail> => {
      const path = `/api/admin/orders/${encodeURIComponent(orderId)}`;
      return (await adminLoad({ path, schema: orderDetail, signal })).body;
    },
    // The page polls until Square has decided on a refund.
    refetchInterval: ({ state }) => (state.data?.refunds.some(({ status }) => status === 'pending') ? 4_000 : false),
  });
}
