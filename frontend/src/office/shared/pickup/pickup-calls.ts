import { freePickupDays, type PickupRequest } from '@kilim/bff/contract/pickup-plan';
import { call } from '../../../shared/call.ts';
import { adminQuery } from '../api/admin-query.ts';
import { outcomeOf } from '../api/outcome.ts';

/** No change elsewhere loads it again: a day must not leave under the finger. */
export function freeDaysQuery(orderId: string) {
  return adminQuery(
    ['admin', 'pickup-days', orderId],
    call('GET /api/admin/orders/:id/pickup-days', { params: { id: orderId }, answer: freePickupDays }),
  );
}

export function agreePickup(orderId: string, body: PickupRequest) {
  return outcomeOf(call('POST /api/admin/orders/:id/pickup', { params: { id: orderId }, body }));
}
