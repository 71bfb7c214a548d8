import { paid, paymentAttempt, paymentDeclined, paymentPending, priceChanged } from '@kilim/bff/contract/payment';
import { type CurrentOrder, currentOrder, orderedRug } from '@kilim/bff/contract/quote';
import { decimalDollars } from '@kilim/domain/money';
import { unreachable } from '@kilim/domain/unreachable';
import * as z from 'zod/mini';
import { type ApiFailure, type ApiRequest, request } from '../shared/api-client.ts';
import { call } from '../shared/call.ts';
import { sessionStore } from '../shared/storage.ts';
import type { ChargeInput, LookUpInput } from './checkout-machine.ts';
import type { ChargeEvent, KnownOutcome, LookUpEvent } from './outcomes.ts';
import { checkoutTexts } from './texts.ts';

/** Whether the form was in a frame, and the A/B variant. */
export type OrderSource = { readonly embedded: boolean; readonly variant: string };

export type SendOptions = { readonly source: OrderSource; readonly signal: AbortSignal };

export const paymentAnswer = z.union([paid, paymentPending]);

/**
 * Asked once. Without an answer that this page understands the outcome is unsure, because the card may have been
 * charged.
 */
export async function sendPayment(input: ChargeInput, { source, signal }: SendOptions): Promise<ChargeEvent> {
  const { token, attempt, order } = input;
  const { idempotencyKey } = attempt;
  const orderDetails = {
    orderId: attempt.orderId,
    rugs: order.rugs.map((rug) => orderedRug.parse(rug)),
    deliveryOption: order.deliveryOption,
    customerInfo: order.customerInfo,
    source,
  };
  const body = { token, amount: decimalDollars(order.totalAmount), idempotencyKey, orderDetails };
  return await outcomeOf(input, { ...call('POST /api/process-payment', { body, answer: paymentAnswer }), signal });
}

export async function outcomeOf(
  { order }: ChargeInput,
  paying: ApiRequest<z.output<typeof paymentAnswer>>,
): Promise<ChargeEvent> {
  // The machine's own limit comes first.
  const answer = await request({ ...paying, timeoutMilliseconds: 60_000 });
  if (!answer.ok) return refusalOf(answer.rejection, order);
  const { body } = answer.value;
  if (body.success) return { type: 'payment.captured', paymentId: body.paymentId };
  const { idempotencyKey, orderId } = body;
  return { type: 'payment.unsure', inProgress: { idempotencyKey, orderId } };
}

function refusalOf(failure: ApiFailure, order: CurrentOrder): ChargeEvent {
  if (failure.kind === 'no-answer' || failure.status >= 500 || failure.status === 408)
    return { type: 'payment.unsure' };
  if (failure.status === 402) {
    const decline = paymentDeclined.safeParse(failure.body);
    if (!decline.success) return { type: 'payment.unsure' };
    if (decline.data.code === refusedEmailCode) sessionStore.write('refusedEmail', order.customerInfo.email);
    return declineOf(decline.data);
  }
  const repriced = priceChanged.safeParse(failure.body);
  if (failure.status === 409 && repriced.success) {
    return { type: 'payment.repriced', order: { ...repriced.data.quote, customerInfo: order.customerInfo } };
  }
  // A refusal without our server's words may be a proxy's, which says nothing about what happened behind it.
  if (failure.message === '') return { type: 'payment.unsure' };
  // Only a problem with the order must be corrected; others may be over in a minute.
  const isAboutCart = failure.status === 409 || failure.status === 422;
  return { type: 'payment.refused', message: failure.message, isAboutCart };
}

type ServersWords = { readonly code?: string | undefined; readonly message?: string | undefined };

/** The card was charged after the attempt had been given up: the money goes back. */
const returnedCode = 'PaymentReturned';
/** No card was declined: the cart marks the address. */
const refusedEmailCode = 'INVALID_EMAIL_ADDRESS';
/** Ended without a decline: the page shows the server's sentence. */
const toldByServer: ReadonlySet<string> = new Set([returnedCode, 'CardPaymentUnavailable']);

function declineOf({ code, message }: ServersWords): KnownOutcome {
  if (code === refusedEmailCode && message) return { type: 'payment.refused', message, isAboutCart: true };
  return {
    type: 'payment.declined',
    message: message || checkoutTexts.paymentFailedDefault,
    isReturned: code === returnedCode || undefined,
  };
}

/** Changes nothing, so it may be repeated at any time. */
export async function lookUpPayment({ idempotencyKey }: LookUpInput, signal: AbortSignal): Promise<LookUpEvent> {
  const answer = await request({
    ...call('GET /api/payment-attempts/:key', { params: { key: idempotencyKey }, answer: paymentAttempt }),
    signal,
    timeoutMilliseconds: 10_000,
  });
  if (!answer.ok) {
    const { rejection } = answer;
    const isUnheard = rejection.kind === 'refused' && rejection.status === 404 && rejection.message !== '';
    return isUnheard ? { type: 'lookUp.unheard' } : { type: 'lookUp.unreachable' };
  }
  const { body } = answer.value;
  switch (body.status) {
    case 'captured':
      return { type: 'payment.captured', paymentId: body.paymentId };
    case 'declined':
      return declineOf(body);
    case 'voided':
      return toldByServer.has(body.code ?? '') ? declineOf(body) : { type: 'payment.voided' };
    case 'pending':
      return { type: 'payment.unsure', message: body.message };
    default:
      return unreachable(body);
  }
}

/** The order is already in the ledger, so a failure of this call of the specification loses nothing. */
export async function saveOrder(order: CurrentOrder, paymentId: string): Promise<void> {
  await request(
    call('POST /api/save-order', { body: { order: z.encode(currentOrder, order), paymentId }, answer: z.unknown() }),
  );
}
