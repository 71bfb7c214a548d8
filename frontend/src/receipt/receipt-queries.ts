import { deliveryOptions } from '@kilim/domain/quote';
import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { load } from '../shared/api-client.ts';
import { customerInfoSchema, quotedRugSchema, quoteSchema } from '../shared/wire.ts';

const dollars = quoteSchema.shape.totalAmount;

const orderAnswer = z.object({
  order: z.object({
    _id: z.string(),
    paymentStatus: z.enum(['unpaid', 'processing', 'paid', 'declined', 'voided']),
    deliveryOption: z.enum(deliveryOptions),
    customerInfo: customerInfoSchema,
    deliveryCost: dollars,
    salesTax: dollars,
    totalCost: dollars,
    paidAt: z.nullable(z.string()),
    receiptUrl: z.nullable(z.string().check(z.refine((address) => /^https?:\/\//.test(address), 'Not a web address'))),
  }),
  items: z.array(quotedRugSchema),
  payment: z.nullable(
    z.object({
      amount: dollars,
      cardBrand: z.string(),
      cardLastFour: z.string(),
      receiptNumber: z.optional(z.string()),
    }),
  ),
  refunds: z.array(
    z.object({
      amount: dollars,
      status: z.enum(['pending', 'completed', 'failed']),
      refundType: z.enum(['full', 'partial', 'second-charge']),
      createdAt: z.string(),
    }),
  ),
});
export type OrderAnswer = z.infer<typeof orderAnswer>;

/** The order that a payment paid, as the ledger has it. */
export const paidOrderQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['paid-order', paymentId],
    queryFn: ({ signal }) =>
      load({ path: `/api/orders/payment/${encodeURIComponent(paymentId)}`, schema: orderAnswer, signal }),
  });

const verificationAnswer = z.object({ status: z.enum(['COMPLETED', 'PENDING', 'FAILED']) });

/** Asks once more, behind the page: Square itself, where the ledger is not sure. */
export const verificationQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['payment-verification', paymentId],
    queryFn: ({ signal }) =>
      load({ path: `/api/verify-payment/${encodeURIComponent(paymentId)}`, schema: verificationAnswer, signal }),
  });
