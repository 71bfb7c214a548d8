import { correctionReasons, reimbursementMethods } from '@kilim/domain/order/events';
import { parseRefundId } from '@kilim/domain/order/ids';
import { refundReasons } from '@kilim/domain/order/refund-reasons';
import { parseReference } from '@kilim/domain/order/reimbursement';
import * as z from 'zod/mini';
import { day } from './days.ts';
import { id } from './ids.ts';
import { requestedLines } from './refund-request.ts';
import { requestedDollars } from './requested-number.ts';

/** It stays in the ledger for ever, so it must not hold a name. */
export const reference = z.optional(
  id(
    parseReference,
    'Please give the number of the check, transfer or receipt: at most 30 letters and digits, without names',
  ),
);

/** Records money that the customer got back outside Square. It counts as refunded at once. */
export const reimbursementRequest = z
  .object({
    amount: requestedDollars('Please enter an amount in dollars with at most two decimals'),
    method: z.enum(reimbursementMethods, 'Please choose how it was paid'),
    /** From the day of the payment until today. It is booked on this day. */
    paidOn: day,
    reference,
    reason: z.enum(refundReasons, 'Please choose a reason'),
    /** Without lines it has the parts of a failed refund of this amount, or else all charges share it. */
    ...requestedLines,
    /** Chosen once per dialog: the same key again is the same reimbursement. */
    idempotencyKey: id(parseRefundId, 'The idempotency key must be 16 to 45 letters, digits, - or _'),
  })
  .check(
    // Nothing else shows that the customer got it.
    z.refine(({ method, reference }) => method !== 'cash' || reference !== undefined, {
      path: ['reference'],
      message: 'Please give the number of the receipt that the customer has signed',
    }),
  );
export type ReimbursementRequest = z.input<typeof reimbursementRequest>;

/**
 * Corrects what a completed refund was for. The refund keeps its amount. All charges share the part that no line names.
 */
export const splitCorrectionRequest = z.object({
  refundId: z.string().check(z.minLength(1), z.maxLength(255)),
  reason: z.enum(correctionReasons, 'Please choose a reason'),
  ...requestedLines,
});
export type SplitCorrectionRequest = z.input<typeof splitCorrectionRequest>;
