import { randomBytes } from 'node:crypto';
import type { Day } from '@kilim/domain/day';
import { type OrderId, type PaymentId, parseIdempotencyKey } from '@kilim/domain/order/ids';
import { type Quote, quoteOrder } from '@kilim/domain/quote';
import { unreachable } from '@kilim/domain/unreachable';
import type { Context } from 'hono';
import { v7 } from 'uuid';
import * as z from 'zod/mini';
import {
  paid,
  type paymentAttempt,
  paymentDeclined,
  paymentPending,
  priceChanged,
} from '../../../../contract/payment.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { canonicalJson, sha256 } from '../../ledger/hash.ts';
import type { CurrentRates } from '../../queries/current-rates.ts';
import { type FoundAttempt, findAttempt } from '../../use-case/payment-attempt.ts';
import { type TakenPayment, type TakePaymentRejection, takePayment } from '../../use-case/take-payment.ts';
import type { World } from '../../use-case/world.ts';
import { answerProblem, invalidFields, paymentProblem } from '../problem.ts';
import type { OpenName, Serve } from '../serve.ts';
import type { PaymentGuard } from '../throttle/payment-guard.ts';
import { answerTooMany, type Throttles, throttle } from '../throttle/throttle.ts';
import { chargedAnswer, declineMessage, voidedAnswer } from './decline-message.ts';
import { parseOrder, refusedPickup } from './parse-order.ts';
import type { ReceiptCookie } from './receipt-cookie.ts';
import { quoteAnswer } from './wire-mapping.ts';

export type PaymentsOptions = {
  readonly world: World;
  /** The rates of this moment, not the ones that the customer saw. */
  readonly rates: CurrentRates['current'];
  readonly today: () => Day;
  readonly receipts: ReceiptCookie;
  readonly throttles: Throttles;
  readonly guard: PaymentGuard;
  readonly sendsMails: boolean;
};

/** Includes repeats and invalid requests. The payment guard limits attempts more strictly. */
export const requestsToPay = { name: 'pay-request', perSeconds: 60, mostPerAddress: 300, mostPerNetwork: 1200 };
/** A waiting page polls about once a second. */
const questions = { name: 'attempt', perSeconds: 60, mostPerAddress: 600, mostPerNetwork: 3000 };

export function servePayments(serve: Serve<OpenName>, options: PaymentsOptions): void {
  const { world, rates, today, receipts, throttles, guard, sendsMails } = options;
  const { payments: told } = throttles.metrics;
  serve(
    'POST /api/process-payment',
    async (c, { body }) => {
      const { token, amount, verificationToken, idempotencyKey, orderDetails } = body;
      const { orderId = newOrderId(), source } = orderDetails;
      const order = parseOrder(orderDetails);
      if (!order.ok) return answerProblem(c, invalidFields(prefixed('orderDetails.', order.rejection)));
      const { settingsVersion, settings, rates: current } = await rates();
      const quote = quoteOrder(order.value, current);
      const attempt = { client: throttles.clientOf(c), orderId, idempotencyKey };
      const taken = await guard.attempt(attempt, () =>
        takePayment(world, {
          orderId,
          paymentId: newPaymentId(),
          idempotencyKey,
          requestHash: hashOf({ token, amount, order: order.value }),
          cardToken: token,
          verificationToken: verificationToken ?? undefined,
          offered: amount,
          quote,
          largestOrder: current.largestOrder,
          settingsVersion,
          source,
          // A day that is full by now gets one pickup more: this customer is already paying.
          pickupErrors: refusedPickup(orderDetails, settings, { today: today(), fullDays: [] }),
          contact: order.value.contact,
          receiptTokenHash: receipts.issue(c),
          requestId: c.get('requestId'),
        }),
      );
      told.inc({ outcome: taken.kind });
      if (taken.kind === 'refused') return answerTooMany(c, throttles, taken);
      return taken.kind === 'rejected' ? answerRejected(c, taken.rejection, quote) : answerTaken(c, taken);
    },
    { limit: throttle(throttles, requestsToPay) },
  );
  serve(
    'GET /api/payment-attempts/:key',
    async (c, { params, answer }) => {
      const key = parseIdempotencyKey(params.key);
      const attempted = key === undefined ? undefined : await repeatWhileAway(() => findAttempt(world.sql, key));
      if (attempted === undefined) {
        return answerProblem(c, {
          status: 404,
          code: 'NotFound',
          message: 'No such payment attempt has arrived here.',
        });
      }
      return answer(200, attemptAnswer(attempted, sendsMails));
    },
    { limit: throttle(throttles, questions) },
  );
}

export function answerTaken(c: Context, taken: Exclude<TakenPayment, { readonly kind: 'rejected' }>) {
  if ('charge' in taken && taken.charge !== undefined) {
    return c.json(z.encode(paymentDeclined, { success: false, ...chargedAnswer(taken.charge) }), 402);
  }
  switch (taken.kind) {
    case 'captured':
      return c.json(z.encode(paid, { success: true, paymentId: taken.paymentId, orderId: taken.orderId }));
    case 'pending': {
      const { orderId, idempotencyKey } = taken;
      return c.json(z.encode(paymentPending, { success: false, status: 'pending', orderId, idempotencyKey }), 202);
    }
    case 'declined':
      return c.json(
        z.encode(paymentDeclined, { success: false, message: declineMessage(taken.code), code: taken.code }),
        402,
      );
    case 'voided':
      return c.json(z.encode(paymentDeclined, { success: false, ...voidedAnswer(taken.reason) }), 402);
    default:
      return unreachable(taken);
  }
}

function answerRejected(c: Context, rejection: TakePaymentRejection, quote: Quote) {
  const problem = paymentProblem(rejection);
  if (rejection.code !== 'AmountDiffers') return answerProblem(c, problem);
  const { message } = problem;
  const newQuote = quoteAnswer(newOrderId(), quote);
  return c.json(z.encode(priceChanged, { success: false, code: 'PriceChanged', message, quote: newQuote }), 409);
}

function shopKnows(sendsMails: boolean): string {
  const news = sendsMails
    ? 'and will write to your email address when it is decided. You can close this page.'
    : 'and keep asking. You can close this page: when you open it again, it says what became of it.';
  return `This is taking longer than usual. We know about it, ${news} Nothing is ever charged twice.`;
}

function attemptAnswer(attempted: FoundAttempt, sendsMails: boolean): z.output<typeof paymentAttempt> {
  const { orderId } = attempted;
  if ('charge' in attempted && attempted.charge !== undefined) {
    return { status: attempted.kind, orderId, ...chargedAnswer(attempted.charge) };
  }
  switch (attempted.kind) {
    case 'pending':
      return { status: 'pending', orderId, message: attempted.isShopTold ? shopKnows(sendsMails) : '' };
    case 'captured':
      return { status: 'captured', orderId, paymentId: attempted.paymentId };
    case 'declined':
      return { status: 'declined', orderId, code: attempted.code, message: declineMessage(attempted.code) };
    case 'voided':
      return { status: 'voided', orderId, ...voidedAnswer(attempted.reason) };
    default:
      return unreachable(attempted);
  }
}

function newOrderId(): OrderId {
  return v7() as OrderId;
}

export function newPaymentId(): PaymentId {
  return randomBytes(16).toString('hex') as PaymentId;
}

/** The token's 128 or more random bits keep the hash from revealing the contact. */
function hashOf(request: unknown): Uint8Array {
  return sha256(canonicalJson(request));
}

function prefixed(prefix: string, fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([path, message]) => [prefix + path, message]));
}
