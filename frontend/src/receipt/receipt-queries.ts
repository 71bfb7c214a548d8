import { paidOrder, verification } from '@kilim/bff/contract/receipt';
import { queryOptions } from '@tanstack/react-query';
import { load } from '../shared/api-client.ts';
import { call } from '../shared/call.ts';

export const paidOrderQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['paid-order', paymentId],
    queryFn: ({ signal }) =>
      load({ ...call('GET /api/orders/payment/:paymentId', { params: { paymentId }, answer: paidOrder }), signal }),
  });

/** Asks Square itself, where the ledger is not sure. */
export const verificationQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['payment-verification', paymentId],
    queryFn: ({ signal }) =>
      load({ ...call('GET /api/verify-payment/:paymentId', { params: { paymentId }, answer: verification }), signal }),
  });
