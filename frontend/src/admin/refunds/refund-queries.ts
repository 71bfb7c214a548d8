import { type Refund, refunds } from '@kilim/bff/contract/refunds';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { adminLoad } from '../api/admin-request.ts';
import { type Paged, pagedOf, rowsBefore } from '../api/paged.ts';
import { queryText } from '../api/query-text.ts';
import type { RefundSearch } from '../layout/list-search.ts';
import { moneyKey } from '../orders/order-queries.ts';

export const refundsPerPage = 10;

export function refundsQuery(search: RefundSearch) {
  return queryOptions({
    queryKey: [...moneyKey, 'refunds', search],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Paged<Refund>> => {
      const query = { ...search, pageSize: refundsPerPage };
      const answer = await adminLoad({ path: `/api/admin/refunds${queryText(query)}`, schema: refunds, signal });
      return pagedOf(answer, rowsBefore(search, refundsPerPage));
    },
    refetchInterval: ({ state }) => (state.data?.rows.some(({ status }) => status === 'pending') ? 5_000 : false),
  });
}
