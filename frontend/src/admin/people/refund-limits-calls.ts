import { type RefundLimitsRequest, refundLimits } from '@kilim/bff/contract/refund-limits';
import { adminQuery } from '../api/admin-query.ts';
import { outcomeOf } from '../api/outcome.ts';

const path = '/api/admin/refund-limits';

export const refundLimitsQuery = adminQuery(['admin', 'refund-limits'], { path, schema: refundLimits });

export function saveRefundLimits(body: RefundLimitsRequest) {
  return outcomeOf({ path, schema: refundLimits, body });
}
