import { attention, retried } from '@kilim/bff/contract/attention';
import { adminQuery } from '../api/admin-query.ts';
import { outcomeOf } from '../api/outcome.ts';
import { moneyKey } from '../orders/order-queries.ts';

export const attentionQuery = adminQuery([...moneyKey, 'attention'], {
  path: '/api/admin/attention',
  schema: attention,
});

export function retryWork(id: string) {
  return outcomeOf({ path: '/api/admin/attention/retry', schema: retried, body: { id } });
}
