import { attention, retried } from '@kilim/bff/contract/attention';
import { today } from '@kilim/bff/contract/today';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/call.ts';
import { adminQuery } from '../shared/api/admin-query.ts';
import { outcomeOf } from '../shared/api/outcome.ts';
import { moneyKey } from '../shared/api/query-keys.ts';

/** Some things need a person only because time passes, and at midnight another day begins. */
const askAgain = { refetchInterval: 60_000 } as const;

export const attentionQuery = queryOptions({
  ...adminQuery([...moneyKey, 'attention'], call('GET /api/admin/attention', { answer: attention })),
  ...askAgain,
});

export const todayQuery = queryOptions({
  ...adminQuery([...moneyKey, 'today'], call('GET /api/admin/today', { answer: today })),
  ...askAgain,
});

export function retryWork(id: string) {
  return outcomeOf(call('POST /api/admin/attention/retry', { body: { id }, answer: retried }));
}
