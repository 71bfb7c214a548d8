import { reimbursementMethods } from '@kilim/domain/order/events';
import { refundStatuses } from '@kilim/domain/projection/refund-history';
import * as z from 'zod/mini';
import { dollars } from './money.ts';
import { problem } from './problem.ts';

export const refundTypes = ['full', 'partial'] as const;

const failure = z.object({
  code: z.string(),
  message: z.string(),
  advice: z.string(),
  /** Refunding it again cannot help. */
  isFinal: z.boolean(),
});

export const refund = z.object({
  _id: z.string(),
  refundId: z.string(),
  orderId: z.object({ _id: z.string() }),
  paymentId: z.string(),
  squareRefundId: z.nullable(z.string()),
  amount: dollars,
  status: z.enum(refundStatuses),
  refundType: z.enum(refundTypes),
  reason: z.string(),
  adminNotes: z.nullable(z.string()),
  createdAt: z.string(),
  settledAt: z.nullable(z.string()),
  rugItems: z.array(z.object({ rugIndex: z.number(), amount: dollars })),
  deliveryMinimum: dollars,
  split: z.object({
    services: dollars,
    addOns: dollars,
    delivery: dollars,
    deliveryMinimum: dollars,
    salesTax: dollars,
  }),
  requestedBy: z.string(),
  /** Null for a refund by Square. */
  reimbursement: z.nullable(
    z.object({ method: z.enum(reimbursementMethods), paidOn: z.string(), reference: z.nullable(z.string()) }),
  ),
  /** Null unless the status is `failed`. */
  failure: z.nullable(failure),
});
export type Refund = z.output<typeof refund>;
export type RefundAnswer = z.input<typeof refund>;

export const refunds = z.array(refund);

/** The dialog treats an unknown status as pending. */
export const refundOutcome = z.object({ status: z.string(), failure: z.nullable(failure) });

export const refundProblem = z.object({
  ...problem.shape,
  /** The amount that can be refunded now; null when the payment is unknown. */
  remaining: z.nullable(dollars),
});
export type RefundProblem = z.output<typeof refundProblem>;
export type RefundProblemAnswer = z.input<typeof refundProblem>;
