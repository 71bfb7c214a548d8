import { createHash, randomBytes } from 'node:crypto';
import { parseDollars } from '@kilim/domain/money';
import { type OrderId, type PaymentId, parseIdempotencyKey, parseOrderId } from '@kilim/domain/order/ids';
import { type Quote, quoteOrder } from '@kilim/domain/quote';
import type { VersionedSettings } from '@kilim/domain/settings/settings';
import { unreachable } from '@kilim/domain/unreachable';
import { type Context, Hono } from 'hono';
import { v7 } from 'uuid';
import { z } from 'zod';
import { repeatWhileAway } from '../../database/database.ts';
import { canonicalJson } from '../../ledger/codecs/order.ts';
import type { PaymentGuard } from '../../server/throttle/payment-guard.ts';
import type { World } from '../../server/world.ts';
import { type Attempted, findAttempt } from '../../use-case/payment-attempt.ts';
import { type TakenPayment, takePayment } from '../../use-case/take-payment.ts';
import { parseBody } from '../parse-body.ts';
import { answerProblem, invalidFields, paymentProblem } from '../problem.ts';
import { answerTooMany, type Throttles, throttle } from '../throttle.ts';
import { chargedAnswer, declineMessage, voidedAnswer } from './decline-message.ts';
import { orderRequest, parseOrder } from './order-request.ts';
import type { ReceiptCookie } from './receipt-cookie.ts';
import type { PaymentAnswer, PaymentAttemptAnswer, PriceChangedAnswer } from './wire.ts';
import { quoteAnswer } from './wire-mapping.ts';

const keyMessage = 'An idempotency key has 16 to 45 letters, digits, hyphens or underscores';

const paymentRequest = z.object({
  token: z.string('The card token is missing').min(1, 'The card token is missing').max(500),
  amount: z.unknown().transform((amount, context) => {
    const parsed = parseDollars(amount);
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: 'custom', message: 'The amount is not dollars with at most two decimals' });
    return z.NEVER;
  }),
  verificationToken: z.string().max(500).nullish(),
  idempotencyKey: z.string(keyMessage).transform((text, context) => {
    const key = parseIdempotencyKey(text);
    if (key !== undefined) return key;
    context.addIssue({ code: 'custom', message: keyMessage });
    return z.NEVER;
  }),
  orderDetails: orderRequest.extend({
    orderId: z
      .string()
      .optional()
      .transform((text, context) => {
        const orderId = text === undefined ? newOrderId() : parseOrderId(text);
        if (orderId !== undefined) return orderId;
        context.addIssue({ code: 'custom', message: 'This is not the id of an order' });
        return z.NEVER;
      }),
    // For statistics only: what a browser's storage holds here must not stand in the way of a payment.
    source: z
      .object({ embedded: z.boolean(), variant: z.string().regex(/^[A-Za-z0-9_-]{1,20}$/) })
      .catch({ embedded: false, variant: 'B' }),
  }),
});

export type PaymentsOptions = {
  readonly world: World;
  /** Those that hold now, not those that were shown. */
  readonly settings: () => Promise<VersionedSettings>;
  readonly receipts: ReceiptCookie;
  readonly throttles: Throttles;
  readonly guard: PaymentGuard;
};

/** All requests, repeats and nonsense too; attempts are counted by the guard, and far more strictly. */
const requestsToPay = { name: 'pay-request', perSeconds: 60, mostPerAddress: 300, mostPerNetwork: 1200 };
/** A page that waits asks about once a second. */
const questions = { name: 'attempt', perSeconds: 60, mostPerAddress: 600, mostPerNetwork: 3000 };

export function payments({ world, settings, receipts, throttles, guard }: PaymentsOptions) {
  const { payments: told } = throttles.metrics;
  return new Hono<{ Variables: { requestId: string } }>()
    .post('/process-payment', throttle(throttles, requestsToPay), async (c) => {
      const body = await parseBody(c, paymentRequest);
      if (!body.ok) return answerProblem(c, body.rejection);
      const { token, amount, verificationToken, idempotencyKey, orderDetails } = body.value;
      const order = parseOrder(orderDetails);
      if (!order.ok) return answerProblem(c, invalidFields(prefixed('orderDetails.', order.rejection)));
      const { version: settingsVersion, settings: current } = await settings();
      const quote = quoteOrder(order.value, current.tierPrices);
      const attempt = { client: throttles.clientOf(c), orderId: orderDetails.orderId, idempotencyKey };
      const taken = await guard.attempt(attempt, () =>
        takePayment(world, {
          orderId: orderDetails.orderId,
          paymentId: newPaymentId(),
          idempotencyKey,
          requestHash: hashOf({ token, amount, order: order.value }),
          cardToken: token,
          verificationToken: verificationToken ?? undefined,
          offered: amount,
          quote,
          settingsVersion,
          source: orderDetails.source,
          contact: order.value.contact,
          receiptTokenHash: receipts.issue(c),
          requestId: c.get('requestId'),
        }),
      );
      told.inc({ outcome: taken.kind });
      if (taken.kind === 'refused') return answerTooMany(c, throttles, taken);
      return answerTaken(c, taken, quote);
    })
    .get('/payment-attempts/:key', throttle(throttles, questions), async (c) => {
      const key = parseIdempotencyKey(c.req.param('key'));
      const attempted = key === undefined ? undefined : await repeatWhileAway(() => findAttempt(world.sql, key));
      if (attempted === undefined) {
        return answerProblem(c, {
          status: 404,
          code: 'NotFound',
          message: 'No such payment attempt has arrived here.',
        });
      }
      return c.json(attemptAnswer(attempted));
    });
}

function answerTaken(c: Context, taken: TakenPayment, quote: Quote) {
  if ('charge' in taken && taken.charge !== undefined) {
    return c.json<PaymentAnswer>({ success: false, ...chargedAnswer(taken.charge) }, 402);
  }
  switch (taken.kind) {
    case 'captured':
      return c.json<PaymentAnswer>({ success: true, paymentId: taken.paymentId, orderId: taken.orderId });
    case 'pending': {
      const { orderId, idempotencyKey } = taken;
      return c.json<PaymentAnswer>({ success: false, status: 'pending', orderId, idempotencyKey }, 202);
    }
    case 'declined':
      return c.json<PaymentAnswer>({ success: false, message: declineMessage(taken.code), code: taken.code }, 402);
    case 'voided':
      return c.json<PaymentAnswer>({ success: false, ...voidedAnswer(taken.reason) }, 402);
    case 'rejected': {
      const problem = paymentProblem(taken.rejection);
      if (taken.rejection.code !== 'AmountDiffers') return answerProblem(c, problem);
      const answer: PriceChangedAnswer = {
        success: false,
        code: 'PriceChanged',
        message: problem.message,
        quote: quoteAnswer(newOrderId(), quote),
      };
      return c.json(answer, 409);
    }
    default:
      return unreachable(taken);
  }
}

function attemptAnswer(attempted: Attempted): PaymentAttemptAnswer {
  const { orderId } = attempted;
  if ('charge' in attempted && attempted.charge !== undefined) {
    return { status: attempted.kind, orderId, ...chargedAnswer(attempted.charge) };
  }
  switch (attempted.kind) {
    case 'pending':
      return { status: 'pending', orderId };
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

function newPaymentId(): PaymentId {
  return randomBytes(16).toString('hex') as PaymentId;
}

/** Covers the card token too: 128 random bits and more, so that the hash gives nothing of the contact away. */
function hashOf(request: unknown): Uint8Array {
  return createHash('sha256').update(canonicalJson(request)).digest();
}

function prefixed(prefix: string, fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([path, message]) => [prefix + path, message]));
}
