import { type ResolutionEvent, resolutionReasons } from '@kilim/domain/accounting/resolutions';
import { parseOrderId } from '@kilim/domain/order/ids';
import { z } from 'zod';
import { branded, createCodec, money } from './codec.ts';

export const resolutionsStream = 'resolutions';

const reason = z.enum(resolutionReasons);
const undoing = { undoes: z.int(), by: z.string() };
const booked = { squarePaymentId: z.string(), amount: money, reason, by: z.string() };

export const resolutionsCodec = createCodec<ResolutionEvent>({
  columnsOf: (event) => ({ amountCents: 'amount' in event ? event.amount : null, refundId: null }),
  payloads: {
    DifferenceExplained: z.object({ code: z.string(), squareId: z.string(), stated: money, reason, by: z.string() }),
    OrphanRefundRequested: z.object({ squarePaymentId: z.string(), stated: money, reason, by: z.string() }),
    OrphanAssigned: z.object({ ...booked, orderId: branded('an order id', parseOrderId) }),
    OrphanWrittenOff: z.object(booked),
    ClearingItemWrittenOff: z.object(booked),
    ExplanationUndone: z.object({ ...undoing, code: z.string(), squareId: z.string(), stated: money }),
    OrphanBookingUndone: z.object({
      ...undoing,
      squarePaymentId: z.string(),
      orderId: branded('an order id', parseOrderId).exactOptional(),
      amount: money,
    }),
    ItemWriteOffUndone: z.object({ ...undoing, squarePaymentId: z.string(), amount: money }),
  },
});
