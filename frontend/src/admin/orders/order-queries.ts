import { orderDetail, orderRows } from '@kilim/bff/contract/orders';
import { queryOptions } from '@tanstack/react-query';
import { adminQuery, pagedQuery } from '../api/admin-query.ts';
import { queryText } from '../api/query-text.ts';
import { type OrderSearch, usualPageSize } from '../layout/list-search.ts';

/** Orders, refunds and figures: a refund changes all of them. */
export const moneyKey = ['admin', 'money'] as const;

export function ordersQuery(search: OrderSearch) {
  const sized = { pageSize: usualPageSize, ...search };
  return pagedQuery([...moneyKey, 'orders'], { path: '/api/admin/orders', schema: orderRows, search: sized });
}

/** The address of all orders of a list as CSV. The browser downloads it itself. */
export function ordersCsvAddress({ page: _, pageSize: __, ...filters }: OrderSearch): string {
  return `/api/admin/orders.csv${queryText(filters)}`;
}

export function orderQuery(orderId: string) {
  const path = `/api/admin/orders/${encodeURIComponent(orderId)}`;
  return queryOptions({
    ...adminQuery([...moneyKey, 'order', orderId], { path, schema: orderDetail }),
    // The page polls until Square has decided on a refund.
    refetchInterval: ({ state }) => (state.data?.refunds.some(({ status }) => status === 'pending') ? 4_000 : false),
  });
}
