import { cents } from '@kilim/domain/money';
import { parseRefundId, type RefundId } from '@kilim/domain/order/ids';
import { z } from 'zod';
import type { CardRefund, RefundCard, RefundLookupOutcome, RefundOutcome } from './card-processor.ts';
import { feesOf, squareFees, unknown, unreadableAnswer, withoutNulls } from './square-answer.ts';
import type { Ask } from './square-client.ts';

/**
 * A refusal by Square itself means that no money was refunded. An unreadable answer is unknown; the caller then repeats
 * the identical request.
 */
export async function refund(ask: Ask, request: RefundCard): Promise<RefundOutcome> {
  // Built before the call: an amount that is not a whole number throws here and is never sent.
  const terms = {
    idempotencyKey: request.refundId,
    paymentId: request.squarePaymentId,
    amountMoney: { amount: BigInt(request.amount), currency: 'USD' as const },
    reason: reasonWithId(request),
  };
  const asked = await ask((client, deadline) => client.refunds.refundPayment(terms, deadline));
  if (asked.kind !== 'answered') return asked;
  const accepted = parseRefundAnswer(asked.body);
  return accepted === undefined ? unreadableAnswer('refund', asked.body) : { kind: 'accepted', refund: accepted };
}

export async function getRefund(ask: Ask, squareRefundId: string): Promise<RefundLookupOutcome> {
  const asked = await ask((client, deadline) => client.refunds.get({ refundId: squareRefundId }, deadline));
  if (asked.kind === 'unknown') return asked;
  if (asked.kind === 'refused') return asked.code === 'NOT_FOUND' ? { kind: 'not-found' } : unknown(asked.code);
  const found = parseRefundAnswer(asked.body);
  return found === undefined ? unreadableAnswer('refund', asked.body) : { kind: 'found', refund: found };
}

const longestReason = 192;

/**
 * Square does not return a refund's idempotency key, so the reason ends with our id, which finds a refund whose answer
 * was lost.
 */
function reasonWithId({ reason, refundId }: RefundCard): string {
  const mark = ` [${refundId}]`;
  return `${[...reason].slice(0, longestReason - mark.length).join('')}${mark}`.slice(-longestReason);
}

function idInReason(reason: string | undefined): RefundId | undefined {
  const id = /\[([^[\]]+)\]$/.exec(reason ?? '')?.[1];
  return id === undefined ? undefined : parseRefundId(id);
}

const squareRefund = z
  .object({
    id: z.string().min(1),
    paymentId: z.string().min(1),
    // Optional in the SDK's type, but a refund without a status cannot be handled.
    status: z.enum(['PENDING', 'COMPLETED', 'REJECTED', 'FAILED']),
    amountMoney: z.object({
      amount: z.bigint().refine((amount) => amount >= 0n && amount <= BigInt(Number.MAX_SAFE_INTEGER)),
      currency: z.string().min(1),
    }),
    reason: z.string().optional(),
    processingFee: squareFees,
    createdAt: z.string().min(1),
    updatedAt: z.string().min(1),
  })
  .transform(
    (found): CardRefund => ({
      squareRefundId: found.id,
      squarePaymentId: found.paymentId,
      status: statuses[found.status],
      amount: cents(Number(found.amountMoney.amount)),
      currency: found.amountMoney.currency,
      refundId: idInReason(found.reason),
      fees: feesOf(found.processingFee),
      createdAt: found.createdAt,
      updatedAt: found.updatedAt,
    }),
  );

const statuses = {
  PENDING: 'pending',
  COMPLETED: 'completed',
  REJECTED: 'rejected',
  FAILED: 'failed',
} as const satisfies Record<string, CardRefund['status']>;

function parseRefund(found: unknown): CardRefund | undefined {
  return squareRefund.safeParse(withoutNulls(found)).data;
}

const ofPayment = z.object({ paymentId: z.string().min(1) });

/** `elsewhere`: the point of sale made it. */
export function parseListedRefund(found: unknown): CardRefund | 'elsewhere' | undefined {
  return ofPayment.safeParse(found).success ? parseRefund(found) : 'elsewhere';
}

const refundAnswer = z.object({ refund: z.unknown() });

function parseRefundAnswer(body: unknown): CardRefund | undefined {
  return parseRefund(refundAnswer.safeParse(body).data?.refund);
}
