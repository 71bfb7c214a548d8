import { refunds } from '@kilim/bff/contract/refunds';
import { queryOptions } from '@tanstack/react-query';
import { pagedQuery } from '../api/admin-query.ts';
import type { RefundSearch } from '../layout/list-search.ts';
import { moneyKey } from '../orders/order-queries.ts';

export function refundsQuery(search: RefundSearch) {
  return queryOptions({
    ...pagedQuery([...moneyKey, 'refunds'], { path: '/api/admin/refunds', schema: refunds, search }),
    refetchInterval: ({ state }) => (state.data?.rows.some(({ status }) => status === 'pending') ? 5_000 : false),
  });
}
