import { attention, retried } from '@kilim/bff/contract/attention';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/call.ts';
import { adminQuery } from '../shared/api/admin-query.ts';
import { outcomeOf } from '../shared/api/outcome.ts';
import { moneyKey } from '../shared/api/query-keys.ts';

export const attentionQuery = queryOptions({
  ...adminQuery([...moneyKey, 'attention'], call('GET /api/admin/attention', { answer: attention })),
  // Some things need a person only because time passes.
  refetchInterval: 60_000,
});

export function retryWork(id: string) {
  return outcomeOf(call('POST /api/admin/attention/retry', { body: { id }, answer: retried }));
}
