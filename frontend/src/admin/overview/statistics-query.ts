import { statistics } from '@kilim/bff/contract/statistics';
import { adminQuery } from '../api/admin-query.ts';
import { moneyKey } from '../orders/order-queries.ts';

/** The last 30 days, today and this month. */
export const statisticsQuery = adminQuery([...moneyKey, 'statistics'], {
  path: '/api/admin/statistics',
  schema: statistics,
});
