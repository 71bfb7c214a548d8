import { type RefundLimitsChanged, refundingRoles, refundLimitNames } from '@kilim/domain/admin/refund-limits';
import { z } from 'zod';
import { createCodec, each, money } from './codec.ts';

export const refundLimitsStream = 'refund-limits';

const limits = z.object(each(refundingRoles, z.object(each(refundLimitNames, money))));

export const refundLimitsCodec = createCodec<RefundLimitsChanged>({
  payloads: { RefundLimitsChanged: z.object({ version: z.int(), limits, by: z.string() }) },
});
