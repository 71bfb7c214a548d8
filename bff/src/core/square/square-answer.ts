import { cents } from '@kilim/domain/money';
import { z } from 'zod';
import type { CardPayment, CardRefusal, UnknownOutcome } from './card-processor.ts';

/** A failed call without its message and body, because they may hold a buyer's data. */
export type SquareFailure = {
  /** Absent when no status arrived: the request may still have taken effect. */
  readonly status: number | undefined;
  /** `UNRECOGNIZED` when Square did not write the body. */
  readonly code: string;
  readonly category: string;
  /** A socket error's code, or why the call was aborted. */
  readonly transport: string;
};

export type Refused = { readonly kind: 'refused' } & CardRefusal;

export const unrecognized = 'UNRECOGNIZED';
/** Square asked no bank: no card was declined. */
export const refusedEmailCode = 'INVALID_EMAIL_ADDRESS';

/** Square asks for a retry with the same key, or the key has another request. */
const undecidedCodes: ReadonlySet<string> = new Set(['TEMPORARY_ERROR', 'IDEMPOTENCY_KEY_REUSED']);

const undecidedStatuses: ReadonlySet<number> = new Set([408, 409, 429]);

/** Only Square's own error proves that nothing happened: a bare 400 may come from a proxy. */
export function classifyFailure(failure: SquareFailure): Refused | UnknownOutcome {
  const { status, code, category } = failure;
  if (status === undefined) return unknown(`no readable answer: ${failure.transport}`);
  if (status === 401 || (status === 403 && code === 'APPLICATION_DISABLED')) {
    return { ...unknown(`status ${status} ${code}: Square refuses our access token`), refusedCredentials: code };
  }
  if (status === 403) {
    const detail = `status ${status} ${code}: our access token lacks the right for this call`;
    return { ...unknown(detail), refusedCredentials: code, isMissingRight: true };
  }
  const decided = status >= 400 && status < 500 && !undecidedStatuses.has(status) && !undecidedCodes.has(code);
  if (!decided || code === unrecognized) return unknown(`status ${status} ${code}`);
  return { kind: 'refused', code, category };
}

export function unknown(detail: string): UnknownOutcome {
  return { kind: 'unknown', detail };
}

const withStatus = z.object({ status: z.string().regex(/^[A-Z_]{1,40}$/) });

export function unreadable(detail: string, found: unknown): UnknownOutcome {
  const word = withStatus.safeParse(found).data?.status;
  return { ...unknown(detail), ...(word !== undefined && { word }) };
}

const answerOf = { payment: z.object({ payment: z.unknown() }), refund: z.object({ refund: z.unknown() }) };

export function unreadableAnswer(what: keyof typeof answerOf, body: unknown): UnknownOutcome {
  const found: Readonly<Record<string, unknown>> | undefined = answerOf[what].safeParse(body).data;
  return unreadable(`a 2xx without a readable ${what}`, found?.[what]);
}

/** Square declares most properties nullable, and a null says no more than an absent property. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, property]) => property !== null);
  return Object.fromEntries(entries.map(([name, property]) => [name, withoutNulls(property)]));
}

/** A fee without an amount is not known yet. */
export const squareFees = z
  .array(z.object({ amountMoney: z.object({ amount: z.bigint().optional() }).optional() }))
  .optional();

const squarePayment = z
  .object({
    id: z.string().min(1),
    status: z.enum(['APPROVED', 'PENDING', 'COMPLETED', 'CANCELED', 'FAILED']),
    amountMoney: z.object({
      amount: z.bigint().refine((amount) => amount >= 0n && amount <= BigInt(Number.MAX_SAFE_INTEGER)),
      currency: z.string().min(1),
    }),
    referenceId: z.string().optional(),
    // A cash payment at the counter has no card, but it can carry our order id.
    cardDetails: z
      .object({
        card: z.object({ cardBrand: z.string().default('OTHER_BRAND'), last4: z.string().default('') }).prefault({}),
        cardPaymentTimeline: z.object({ capturedAt: z.string().optional() }).prefault({}),
      })
      .prefault({}),
    receiptUrl: z.string().optional(),
    receiptNumber: z.string().optional(),
    refundedMoney: z.object({ amount: z.bigint().optional() }).optional(),
    processingFee: squareFees,
    riskEvaluation: z.object({ riskLevel: z.string().optional() }).optional(),
    applicationDetails: z
      .object({ squareProduct: z.string().optional(), applicationId: z.string().optional() })
      .optional(),
    createdAt: z.string().min(1),
    updatedAt: z.string().min(1),
  })
  .transform(
    (payment): CardPayment => ({
      squarePaymentId: payment.id,
      status: statuses[payment.status],
      amount: cents(Number(payment.amountMoney.amount)),
      currency: payment.amountMoney.currency,
      applicationId: payment.applicationDetails?.applicationId,
      referenceId: payment.referenceId,
      card: { brand: payment.cardDetails.card.cardBrand, lastFour: payment.cardDetails.card.last4 },
      fees: feesOf(payment.processingFee),
      refunded: cents(Number(payment.refundedMoney?.amount ?? 0n)),
      risk: risks[payment.riskEvaluation?.riskLevel ?? ''],
      isOnline: isOnline(payment.applicationDetails?.squareProduct),
      receipt: { url: payment.receiptUrl, number: payment.receiptNumber },
      createdAt: payment.createdAt,
      updatedAt: payment.updatedAt,
      capturedAt: payment.cardDetails.cardPaymentTimeline.capturedAt ?? payment.updatedAt,
    }),
  );

const risks: Readonly<Record<string, CardPayment['risk']>> = { NORMAL: 'normal', MODERATE: 'moderate', HIGH: 'high' };

/** Other products (point of sale, terminal, invoices) take money at the same location. */
function isOnline(squareProduct: string | undefined): boolean {
  return squareProduct === undefined || squareProduct === 'ECOMMERCE_API';
}

/** Positive for a payment, negative for fees that a refund returns. */
export function feesOf(fees: z.output<typeof squareFees>): CardPayment['fees'] {
  const amounts = fees?.map(({ amountMoney }) => amountMoney?.amount) ?? [];
  if (amounts.length === 0 || amounts.includes(undefined)) return undefined;
  return cents(Number(amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n)));
}

const statuses = {
  APPROVED: 'approved',
  PENDING: 'pending',
  COMPLETED: 'completed',
  CANCELED: 'canceled',
  FAILED: 'failed',
} as const satisfies Record<string, CardPayment['status']>;

/** @returns undefined when any part of Square's payment is unexpected. */
export function parsePayment(payment: unknown): CardPayment | undefined {
  return squarePayment.safeParse(withoutNulls(payment)).data;
}

const ofAnotherProduct = z.object({
  applicationDetails: z.object({ squareProduct: z.string().refine((product) => !isOnline(product)) }),
});

/** @returns `elsewhere` for an unreadable payment of another product of Square. */
export function parseListedPayment(payment: unknown): CardPayment | 'elsewhere' | undefined {
  return parsePayment(payment) ?? (ofAnotherProduct.safeParse(payment).success ? 'elsewhere' : undefined);
}

const paymentAnswer = z.object({ payment: z.unknown() });

/** For HTML or only errors with 200, the SDK's body has no payment. */
export function parsePaymentAnswer(body: unknown): CardPayment | undefined {
  return parsePayment(paymentAnswer.safeParse(body).data?.payment);
}

const refusedCard = z.object({
  payment: z.object({
    cardDetails: z.object({ errors: z.tuple([z.object({ code: z.string(), category: z.string() })], z.unknown()) }),
  }),
});

/** The payment is FAILED or CANCELED. */
export function refusalInPayment(body: unknown, payment: CardPayment): Refused {
  const first = refusedCard.safeParse(body).data?.payment.cardDetails.errors[0];
  return {
    kind: 'refused',
    code: first?.code ?? payment.status.toUpperCase(),
    category: first?.category ?? 'PAYMENT_METHOD_ERROR',
  };
}

/** Square answers `{}` for "done" and for "nothing". `{ ok: false }` is the SDK's value for a page of HTML. */
const plainAnswer = z.looseObject({ ok: z.undefined().optional(), errors: z.tuple([]).optional() });

export function isPlainAnswer(body: unknown): boolean {
  return plainAnswer.safeParse(body).success;
}
