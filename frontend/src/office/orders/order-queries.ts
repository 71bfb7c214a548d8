import { orderDetail, orderRows } from '@kilim/bff/contract/orders';
import { queryOptions } from '@tanstack/react-query';
import { addressOf, call } from '../../shared/call.ts';
import { adminQuery, pagedQuery } from '../api/admin-query.ts';
import { type OrderSearch, usualPageSize } from '../layout/list-search.ts';

/** A refund changes orders, refunds and figures. */
export const moneyKey = ['admin', 'money'] as const;

export function ordersQuery(search: OrderSearch) {
  const sized = { pageSize: usualPageSize, ...search };
  return pagedQuery([...moneyKey, 'orders'], sized, (query) =>
    call('GET /api/admin/orders', { query, answer: orderRows }),
  );
}

/** The browser downloads the CSV itself. */
export function ordersCsvAddress({ page: _, pageSize: __, ...filters }: OrderSearch): string {
  return addressOf('GET /api/admin/orders.csv', { query: filters });
}

export function orderQuery(orderId: string) {
  return queryOptions({
    ...adminQuery(
      [...moneyKey, 'order', orderId],
      call('GET /api/admin/orders/:id', { params: { id: orderId }, answer: orderDetail }),
    ),
    // Polls until Square has decided on a refund.
    refetchInterval: ({ state }) => (state.data?.refunds.some(({ status }) => status === 'pending') ? 4_000 : false),
  });
}
