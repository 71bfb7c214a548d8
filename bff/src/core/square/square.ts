import { orderNumberOf } from '@kilim/domain/order/number';
import type { Square } from 'square';
import { z } from 'zod';
import type {
  AuthorizeCard,
  AuthorizeOutcome,
  CancelOutcome,
  CardPayment,
  CardProcessor,
  CompleteOutcome,
  ListOutcome,
  LocationOutcome,
  LookupOutcome,
  OrderPaymentsQuery,
  UnknownOutcome,
} from './card-processor.ts';
import {
  isPlainAnswer,
  parsePayment,
  parsePaymentAnswer,
  type Refused,
  refusalInPayment,
  unknown,
  unreadable,
  unreadableAnswer,
  withoutNulls,
} from './square-answer.ts';
import { type Ask, askSquare, connectToSquare, type SquareOptions } from './square-client.ts';
import { getDispute, listDisputes, listPayments, listRefunds, readAll } from './square-lists.ts';
import { getPayout, listPayoutEntries, listPayouts } from './square-payouts.ts';
import { getRefund, refund } from './square-refunds.ts';

export type SquareProcessor = CardProcessor & {
  /** Loads the SDK, which blocks the event loop for about 100 ms. */
  readonly warmUp: () => Promise<void>;
};

/** @throws Error without an access token: each call would fail like an unknown outcome. */
export function createSquareProcessor(options: SquareOptions): SquareProcessor {
  if (options.accessToken === '') throw new Error('Square needs an access token.');
  const connection = connectToSquare(options);
  const ask: Ask = async (call) => askSquare(connection(), call, options.timeoutSeconds ?? 10);
  return {
    applicationId: options.applicationId,
    warmUp: async () => void connection(),
    authorize: (request) => authorize(ask, request, options.locationId),
    complete: (squarePaymentId) => complete(ask, squarePaymentId),
    cancel: (squarePaymentId) => cancel(ask, squarePaymentId),
    cancelByIdempotencyKey: (key) => cancelByIdempotencyKey(ask, key),
    get: (squarePaymentId) => get(ask, squarePaymentId),
    listForOrder: (query) => listForOrder(ask, query, options.locationId),
    refund: (request) => refund(ask, request),
    getRefund: (squareRefundId) => getRefund(ask, squareRefundId),
    listPayments: (span) => listPayments(ask, span, options.locationId),
    listRefunds: (span) => listRefunds(ask, span, options.locationId),
    listDisputes: () => listDisputes(ask, options.locationId),
    getDispute: (squareDisputeId) => getDispute(ask, squareDisputeId, options.locationId),
    listPayouts: (span) => listPayouts(ask, span, options.locationId),
    getPayout: (squarePayoutId) => getPayout(ask, squarePayoutId, options.locationId),
    listPayoutEntries: (squarePayoutId) => listPayoutEntries(ask, squarePayoutId),
    getLocation: () => getLocation(ask, options.locationId),
  };
}

async function authorize(ask: Ask, request: AuthorizeCard, locationId: string): Promise<AuthorizeOutcome> {
  // Built before the call: an amount that is not a whole number throws here and is never sent.
  const hold = holdRequest(request, locationId);
  const asked = await ask((client, deadline) => client.payments.create(hold, deadline));
  if (asked.kind === 'unknown' && asked.refusedCredentials !== undefined) {
    return { kind: 'unavailable', ...(asked.isMissingRight && { isMissingRight: true }) };
  }
  if (asked.kind === 'unknown') return asked;
  if (asked.kind === 'refused') return { ...asked, kind: 'declined' };
  const payment = parsePaymentAnswer(asked.body);
  if (payment === undefined) return unreadableAnswer('payment', asked.body);
  if (payment.status === 'pending') return unknown('status PENDING: Square has not decided yet');
  if (isOver(payment)) return { ...refusalInPayment(asked.body, payment), kind: 'declined' };
  return { kind: 'authorized', payment };
}

function holdRequest(request: AuthorizeCard, locationId: string): Square.CreatePaymentRequest {
  return {
    sourceId: request.cardToken,
    idempotencyKey: request.idempotencyKey,
    amountMoney: { amount: BigInt(request.amount), currency: 'USD' },
    // Hold first, capture later: an unknown hold can be voided, an unknown charge would need a
    // refund.
    autocomplete: false,
    // Square releases a forgotten hold after this time.
    delayDuration: 'PT1H',
    delayAction: 'CANCEL',
    locationId,
    referenceId: request.orderId,
    note: `Order ${orderNumberOf(request.orderId)}`,
    // Optional at Square, whose rule is not published: what it may refuse must not cost the sale.
    ...(plainEmail.safeParse(request.buyerEmail).success ? { buyerEmailAddress: request.buyerEmail } : {}),
    ...(request.verificationToken === undefined ? {} : { verificationToken: request.verificationToken }),
  };
}

const plainEmail = z.email().max(255);

async function complete(ask: Ask, squarePaymentId: string): Promise<CompleteOutcome> {
  const asked = await ask((client, deadline) => client.payments.complete({ paymentId: squarePaymentId }, deadline));
  if (asked.kind === 'unknown') return asked;
  if (asked.kind === 'refused') return unlessAlready('completed', await get(ask, squarePaymentId), asked);
  const payment = parsePaymentAnswer(asked.body);
  if (payment?.status === 'completed') return { kind: 'completed', payment };
  if (payment !== undefined && isOver(payment)) return refusalInPayment(asked.body, payment);
  return stillOpen(payment, asked.body);
}

function stillOpen(payment: CardPayment | undefined, body: unknown): UnknownOutcome {
  return payment === undefined ? unreadableAnswer('payment', body) : unknown(`a 2xx that is still ${payment.status}`);
}

async function cancel(ask: Ask, squarePaymentId: string): Promise<CancelOutcome> {
  const asked = await ask((client, deadline) => client.payments.cancel({ paymentId: squarePaymentId }, deadline));
  if (asked.kind === 'unknown') return asked;
  if (asked.kind === 'refused') {
    const outcome = unlessAlready('canceled', await get(ask, squarePaymentId), asked);
    return outcome.kind === 'canceled' ? { kind: 'canceled' } : outcome;
  }
  const payment = parsePaymentAnswer(asked.body);
  return payment?.status === 'canceled' ? { kind: 'canceled' } : stillOpen(payment, asked.body);
}

async function cancelByIdempotencyKey(ask: Ask, idempotencyKey: string): Promise<CancelOutcome> {
  const asked = await ask((client, deadline) => client.payments.cancelByIdempotencyKey({ idempotencyKey }, deadline));
  if (asked.kind !== 'answered') return asked;
  return isPlainAnswer(asked.body) ? { kind: 'canceled' } : unknown('a 2xx that Square did not write');
}

async function get(ask: Ask, squarePaymentId: string): Promise<LookupOutcome> {
  const asked = await ask((client, deadline) => client.payments.get({ paymentId: squarePaymentId }, deadline));
  if (asked.kind === 'unknown') return asked;
  if (asked.kind === 'refused') return asked.code === 'NOT_FOUND' ? { kind: 'not-found' } : unknown(asked.code);
  const payment = parsePaymentAnswer(asked.body);
  return payment === undefined ? unreadableAnswer('payment', asked.body) : { kind: 'found', payment };
}

/** Square cannot search by reference. */
async function listForOrder(ask: Ask, query: OrderPaymentsQuery, locationId: string): Promise<ListOutcome> {
  const request = { beginTime: query.since, locationId, sortOrder: 'DESC', limit: 100 } as const;
  let unread: UnknownOutcome | undefined;
  const listed = await readAll(ask, {
    page: (client, place, deadline) => client.payments.list({ ...request, ...place }, deadline),
    parse: (found) => {
      if (ofOrder.safeParse(found).data?.referenceId !== query.orderId) return 'elsewhere';
      const payment = parsePayment(found);
      // Skipping an unreadable payment of the order would claim that it was never made.
      if (payment === undefined) unread = unreadable('a list that cannot be read', found);
      return payment;
    },
  });
  if (listed.kind === 'unknown') return listed;
  return unread ?? { kind: 'listed', payments: listed.items };
}

const ofOrder = z.object({ referenceId: z.string() });

function isOver(payment: CardPayment): boolean {
  return payment.status === 'failed' || payment.status === 'canceled';
}

type Already<Status extends 'completed' | 'canceled'> =
  | { readonly kind: Status; readonly payment: CardPayment }
  | Refused
  | UnknownOutcome;

/** The refusal is a success if the payment has the status. */
function unlessAlready<Status extends 'completed' | 'canceled'>(
  status: Status,
  found: LookupOutcome,
  refused: Refused,
): Already<Status> {
  if (found.kind === 'unknown') return found;
  if (found.kind === 'found' && found.payment.status === status) return { kind: status, payment: found.payment };
  return refused;
}

async function getLocation(ask: Ask, locationId: string): Promise<LocationOutcome> {
  const asked = await ask((client, deadline) => client.locations.get({ locationId }, deadline));
  if (asked.kind === 'unknown') return asked;
  if (asked.kind === 'refused') return asked.code === 'NOT_FOUND' ? { kind: 'not-found' } : unknown(asked.code);
  const location = locationAnswer.safeParse(withoutNulls(asked.body)).data?.location;
  if (location === undefined) return unknown('a 2xx without a readable location');
  const { status, currency, capabilities } = location;
  const takesCards = capabilities?.includes('CREDIT_CARD_PROCESSING');
  return { kind: 'found', location: { isActive: status !== 'INACTIVE', currency, takesCards } };
}

const locationAnswer = z.object({
  location: z.object({
    status: z.string().optional(),
    currency: z.string(),
    capabilities: z.array(z.string()).optional(),
  }),
});
