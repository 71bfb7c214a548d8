import { type ResolutionEvent, resolutionReasons } from '@kilim/domain/accounting/resolutions';
import { z } from 'zod';
import { createCodec, money } from './codec.ts';

export const resolutionsStream = 'resolutions';

const reason = z.enum(resolutionReasons);

export const resolutionsCodec = createCodec<ResolutionEvent>({
  payloads: {
    DifferenceExplained: z.object({ code: z.string(), squareId: z.string(), stated: money, reason, by: z.string() }),
    OrphanRefundRequested: z.object({ squarePaymentId: z.string(), stated: money, reason, by: z.string() }),
  },
});
