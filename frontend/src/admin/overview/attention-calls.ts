import { attention, retried } from '@kilim/bff/contract/attention';
import { queryOptions } from '@tanstack/react-query';
import { adminQuery } from '../api/admin-query.ts';
import { outcomeOf } from '../api/outcome.ts';
import { moneyKey } from '../orders/order-queries.ts';

export const attentionQuery = queryOptions({
  ...adminQuery([...moneyKey, 'attention'], { path: '/api/admin/attention', schema: attention }),
  // Some things need a person only because time passes: a refund is overdue, a witness is late.
  refetchInterval: 60_000,
});

export function retryWork(id: string) {
  return outcomeOf({ path: '/api/admin/attention/retry', schema: retried, body: { id } });
}
