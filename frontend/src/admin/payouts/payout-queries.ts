import { payout, payouts } from '@kilim/bff/contract/payouts';
import { adminQuery, pagedQuery } from '../api/admin-query.ts';
import type { PayoutSearch } from '../layout/list-search.ts';

export const payoutsKey = ['admin', 'payouts'] as const;

export function payoutsQuery(search: PayoutSearch) {
  return pagedQuery([...payoutsKey, 'list'], { path: '/api/admin/payouts', schema: payouts, search });
}

export function payoutQuery(payoutId: string) {
  return adminQuery([...payoutsKey, 'one', payoutId], { path: payoutPath(payoutId), schema: payout });
}

/** The address of the file with all lines of a payout. */
export function linesAddress(payoutId: string): string {
  return `${payoutPath(payoutId)}/lines`;
}

function payoutPath(payoutId: string): string {
  return `/api/admin/payouts/${encodeURIComponent(payoutId)}`;
}
