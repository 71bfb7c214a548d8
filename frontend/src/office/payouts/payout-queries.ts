import { payout, payouts } from '@kilim/bff/contract/payouts';
import { call } from '../../shared/call.ts';
import { adminQuery, pagedQuery } from '../shared/api/admin-query.ts';
import { payoutsKey } from '../shared/api/query-keys.ts';
import type { PayoutSearch } from '../shared/list-search.ts';

export function payoutsQuery(search: PayoutSearch) {
  return pagedQuery([...payoutsKey, 'list'], search, (query) =>
    call('GET /api/admin/payouts', { query, answer: payouts }),
  );
}

export function payoutQuery(payoutId: string) {
  return adminQuery(
    [...payoutsKey, 'one', payoutId],
    call('GET /api/admin/payouts/:id', { params: { id: payoutId }, answer: payout }),
  );
}
