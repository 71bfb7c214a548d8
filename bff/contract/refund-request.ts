import { parsePaymentId, parseRefundId } from '@kilim/domain/order/ids';
import * as z from 'zod/mini';
import { id } from './ids.ts';
import { requestedDollars } from './money.ts';
import { refundTypes } from './refunds.ts';
import { note } from './text.ts';

const amount = requestedDollars('Please enter an amount in dollars with at most two decimals');

/** `POST /api/admin/refund`. 201 answers a refund that is `completed`, or `pending` until Square has decided. */
export const refundRequest = z.object({
  paymentId: id(parsePaymentId, 'This is not a payment id'),
  /** The amount of a full refund is all that is left. */
  amount,
  reason: note(500),
  refundType: z.enum(refundTypes, 'Please choose a full or a partial refund'),
  /** Together with `deliveryMinimum` at most `amount`. An `amount` above their sum is free of any line. */
  rugItems: z._default(
    z
      .array(
        z.object({
          rugIndex: z.int('Please choose a rug').check(z.gte(0)),
          amount,
          /** Is not kept. */
          reason: z.optional(z.unknown()),
        }),
        'Please choose rugs',
      )
      .check(z.maxLength(100, 'An order has fewer rugs')),
    [],
  ),
  deliveryMinimum: z.prefault(amount, 0),
  adminNotes: z.optional(note(2000)),
  /** Chosen once per dialog, not per click: the same key again is the same refund. */
  idempotencyKey: id(parseRefundId, 'The idempotency key must be 16 to 45 letters, digits, - or _'),
});
export type RefundRequest = z.input<typeof refundRequest>;
