import { orderDetail, orderRows } from '@kilim/bff/contract/orders';
import { queryOptions } from '@tanstack/react-query';
import { addressOf, call } from '../../shared/call.ts';
import { adminQuery, pagedQuery } from '../shared/api/admin-query.ts';
import { moneyKey } from '../shared/api/query-keys.ts';
import { type OrderSearch, usualPageSize } from '../shared/list-search.ts';

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
