import { freePickupDays, type PickupRequest } from '@kilim/bff/contract/pickup-plan';
import { call } from '../../../shared/call.ts';
import { adminQuery } from '../api/admin-query.ts';
import { outcomeOf } from '../api/outcome.ts';
import { moneyKey } from '../api/query-keys.ts';

export function freeDaysQuery(orderId: string) {
  return adminQuery(
    [...moneyKey, 'pickup-days', orderId],
    call('GET /api/admin/orders/:id/pickup-days', { params: { id: orderId }, answer: freePickupDays }),
  );
}

export function agreePickup(orderId: string, body: PickupRequest) {
  return outcomeOf(call('POST /api/admin/orders/:id/pickup', { params: { id: orderId }, body }));
}
