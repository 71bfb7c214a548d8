import { statistics } from '@kilim/bff/contract/statistics';
import { queryOptions } from '@tanstack/react-query';
import { adminLoad } from '../api/admin-request.ts';
import { moneyKey } from '../orders/order-queries.ts';

/** The last 30 days, today and this month. */
export const statisticsQuery = queryOptions({
  queryKey: [...moneyKey, 'statistics'],
  queryFn: async ({ signal }) => (await adminLoad({ path: '/api/admin/statistics', schema: statistics, signal })).body,
});
