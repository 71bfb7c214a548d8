import { type ResolutionEvent, resolutionReasons } from '@kilim/domain/accounting/resolutions';
import { parseOrderId } from '@kilim/domain/order/ids';
import { z } from 'zod';
import { branded, createCodec, money } from './codec.ts';

export const resolutionsStream = 'resolutions';

const reason = z.enum(resolutionReasons);
const booked = { squarePaymentId: z.string(), amount: money, reason, by: z.string() };

export const resolutionsCodec = createCodec<ResolutionEvent>({
  columnsOf: (event) => ({ amountCents: 'amount' in event ? event.amount : null, refundId: null }),
  payloads: {
    DifferenceExplained: z.object({ code: z.string(), squareId: z.string(), stated: money, reason, by: z.string() }),
    OrphanRefundRequested: z.object({ squarePaymentId: z.string(), stated: money, reason, by: z.string() }),
    OrphanAssigned: z.object({ ...booked, orderId: branded('an order id', parseOrderId) }),
    OrphanWrittenOff: z.object(booked),
    ClearingItemWrittenOff: z.object(booked),
  },
});
