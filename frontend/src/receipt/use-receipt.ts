import { paidOrder, verification as verificationAnswer } from '@kilim/bff/contract/receipt';
import type { Cents } from '@kilim/domain/money';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { abVariant } from '../shared/ab-variant.ts';
import { ApiError, load } from '../shared/api-client.ts';
import { call } from '../shared/call.ts';
import { clearCurrentOrder } from '../shared/current-order.ts';
import { logInfo, logWarning } from '../shared/log.ts';
import { usePageData } from '../shared/page-data.ts';
import { loadCurrentOrder } from '../shared/stored-order.ts';
import { pollInterval, type ReceiptState, stateOfAnswer, stateOfFailure, withOwnContact } from './receipt.ts';

const pollMilliseconds = 5000;

export function useReceipt(paymentId: string, amount: Cents | undefined) {
  const order = useQuery({
    ...paidOrderQuery(paymentId),
    // TanStack Query does not poll while the page is hidden.
    refetchInterval: ({ state }) => pollInterval(state.data, state.dataUpdateCount + state.errorUpdateCount),
  });
  const verification = useQuery({
    ...verificationQuery(paymentId),
    refetchInterval: ({ state }) => state.data?.status === 'PENDING' && pollMilliseconds,
  });
  // Read before the effect below clears it: the fallback if the server does not answer.
  const [stored] = useState(() => {
    const current = loadCurrentOrder();
    return current.ok ? current.value : undefined;
  });

  // The checkout leads here after a payment: the browser knows the order before the server's answer is here.
  const { state: routing } = useRouter();
  const [isJustPaid] = useState(() => stored !== undefined && routing.resolvedLocation?.pathname === '/checkout');

  // Only the paid order: a newer, unpaid one must stay.
  const paidOrderId = order.data?.order.paymentStatus === 'paid' ? order.data.order._id : undefined;
  useEffect(() => {
    if (paidOrderId !== undefined && paidOrderId === stored?.orderId) clearCurrentOrder();
  }, [paidOrderId, stored]);

  const state: ReceiptState =
    order.data !== undefined
      ? stateOfAnswer(withOwnContact(order.data, stored))
      : order.error !== null
        ? stateOfFailure({ stored, amount, denied: denialOf(order.error) })
        : isJustPaid
          ? stateOfFailure({ stored, amount, denied: undefined })
          : { kind: 'loading' };
  useConversion(state.kind === 'paid' && !state.receipt.supplementOf);
  useVerificationLog(verification.data?.status);

  return {
    state,
    isUnreachable: order.error !== null,
    verification: verification.data?.status,
    isAsking: order.isFetching || verification.isFetching,
    askAgain: () => void Promise.all([order.refetch(), verification.refetch()]),
  };
}

function useConversion(isPaid: boolean): void {
  const { abConversionUrl } = usePageData().config;
  useEffect(() => {
    if (isPaid && abConversionUrl !== null) reportConversion(abConversionUrl);
  }, [isPaid, abConversionUrl]);
}

/** COMPLETED is information, any other status a warning (specification, section 7). */
function useVerificationLog(status: string | undefined): void {
  useEffect(() => {
    if (status === 'COMPLETED') logInfo('The payment is verified.');
    else if (status !== undefined) logWarning(`The payment is not verified: ${status}`);
  }, [status]);
}

function denialOf(error: Error): 'unknown' | 'expired' | undefined {
  if (!(error instanceof ApiError) || error.failure.kind !== 'refused') return undefined;
  const { status } = error.failure;
  if (status === 410) return 'expired';
  return status === 400 || status === 404 ? 'unknown' : undefined;
}

let isReported = false;

/** Tells the marketing site, once per page load, which variant led to a payment; ignores the answer. */
function reportConversion(url: string): void {
  if (isReported) return;
  isReported = true;
  void fetch(url, {
    method: 'POST',
    credentials: 'include',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ variant: abVariant() }),
    keepalive: true,
  }).catch(() => undefined);
}

const paidOrderQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['paid-order', paymentId],
    queryFn: ({ signal }) =>
      load({ ...call('GET /api/orders/payment/:paymentId', { params: { paymentId }, answer: paidOrder }), signal }),
  });

/** Asks Square itself, where the ledger is not sure. */
const verificationQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['payment-verification', paymentId],
    queryFn: ({ signal }) =>
      load({
        ...call('GET /api/verify-payment/:paymentId', { params: { paymentId }, answer: verificationAnswer }),
        signal,
      }),
  });
