import { paidOrder, verification } from '@kilim/bff/contract/receipt';
import { queryOptions } from '@tanstack/react-query';
import { load } from '../shared/api-client.ts';

/** The order that a payment paid, as the ledger has it. */
export const paidOrderQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['paid-order', paymentId],
    queryFn: ({ signal }) =>
      load({ path: `/api/orders/payment/${encodeURIComponent(paymentId)}`, schema: paidOrder, signal }),
  });

/** Asks once more, behind the page: Square itself, where the ledger is not sure. */
export const verificationQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['payment-verification', paymentId],
    queryFn: ({ signal }) =>
      load({ path: `/api/verify-payment/${encodeURIComponent(paymentId)}`, schema: verification, signal }),
  });
