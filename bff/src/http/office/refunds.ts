import { type Cents, parseDollars } from '@kilim/domain/money';
import { parseOrderId, parsePaymentId, parseRefundId } from '@kilim/domain/order/ids';
import { Hono } from 'hono';
import { z } from 'zod';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { canonicalJson, sha256 } from '../../ledger/hash.ts';
import { listRefunds, listRefundsOfOrder } from '../../queries/list-refunds.ts';
import type { World } from '../../server/world.ts';
import { requestRefund } from '../../use-case/request-refund.ts';
import { day, daysOutOfOrder, describePages, inOrderOfDays, pageQuery, parseQuery, plainText } from '../list-query.ts';
import { parseBody } from '../parse-body.ts';
import { answerProblem } from '../problem.ts';
import type { AdminGuard, AdminVariables } from './guard.ts';
import { orderNotFound } from './orders.ts';
import { refundAnswer } from './refund-answer.ts';
import { refundProblem } from './refund-problem.ts';
import type { RefundProblemAnswer } from './wire.ts';

export type AdminRefundsOptions = {
  readonly world: World;
  readonly guard: AdminGuard;
  /** In which days begin. */
  readonly timeZone: string;
};

const refundsQuery = z
  .object({
    ...pageQuery,
    status: z.enum(['pending', 'completed', 'failed'], 'Please give pending, completed or failed').optional(),
    from: day,
    to: day,
  })
  .refine(inOrderOfDays, daysOutOfOrder);

/** Lists of refunds, and giving money back. */
export function adminRefunds({ world, guard, timeZone }: AdminRefundsOptions) {
  const { sql } = world;
  return new Hono<AdminVariables>()
    .get(
      '/refunds',
      guard.signedIn(async (c) => {
        const query = parseQuery(c, refundsQuery);
        if (!query.ok) return answerProblem(c, query.rejection);
        const { page, pageSize, search, status, from, to } = query.value;
        const request = { page, pageSize, search, status, from, to, timeZone, newestFirst: true };
        const refunds = await repeatWhileAway(() => listRefunds(sql, request));
        describePages(c, refunds, { page, pageSize });
        return c.json(refunds.rows.map(refundAnswer));
      }),
    )
    .get(
      '/orders/:id/refunds',
      guard.signedIn<'/orders/:id/refunds'>(async (c) => {
        const orderId = parseOrderId(c.req.param('id'));
        const refunds = orderId && (await repeatWhileAway(() => listRefundsOfOrder(sql, orderId)));
        return refunds === undefined ? answerProblem(c, orderNotFound) : c.json(refunds.map(refundAnswer));
      }),
    )
    .post(
      '/refund',
      guard.recently(async (c, session) => {
        const body = await parseBody(c, refundRequest);
        if (!body.ok) {
          const { status, fields, ...problem } = body.rejection;
          const wrong = fields === undefined ? {} : { fields };
          return c.json<RefundProblemAnswer>({ ...problem, ...wrong, remaining: null }, status);
        }
        const { idempotencyKey: refundId, ...asked } = body.value;
        const requested = await requestRefund(world, {
          ...asked,
          refundId,
          requestHash: sha256(canonicalJson(asked)),
          requestedBy: session.username,
          requestId: c.get('requestId'),
        });
        if (requested.kind === 'refund') return c.json(refundAnswer(requested.row), 201);
        const { status, answer } = refundProblem(requested);
        return c.json(answer, status);
      }),
    );
}

/** Decimal digits as they were written, never a product of floating-point arithmetic. */
const amount = z.unknown().transform((value, context): Cents => {
  const parsed = parseDollars(value);
  if (parsed !== undefined) return parsed;
  context.addIssue({ code: 'custom', message: 'Please enter an amount in dollars with at most two decimals' });
  return z.NEVER;
});

const refundRequest = z
  .object({
    paymentId: idOf(parsePaymentId, 'This is not a payment id'),
    amount,
    reason: note(500),
    refundType: z.enum(['full', 'partial'], 'Please choose a full or a partial refund'),
    rugItems: z
      .array(z.object({ rugIndex: z.int('Please choose a rug').min(0), amount }), 'Please choose rugs')
      .max(100, 'An order has fewer rugs')
      .default([]),
    deliveryMinimum: amount.prefault(0),
    adminNotes: note(2000).optional(),
    idempotencyKey: idOf(parseRefundId, 'The idempotency key must be 16 to 45 letters, digits, - or _'),
  })
  .transform(({ rugItems: items, adminNotes: notes, ...rest }) => ({ ...rest, items, notes }));

function idOf<Id>(parse: (text: string) => Id | undefined, message: string) {
  return z.string(message).transform((text, context): Id => {
    const id = parse(text);
    if (id !== undefined) return id;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

function note(longest: number) {
  return z
    .string('Please enter text')
    .transform(plainText)
    .pipe(z.string().max(longest, `At most ${longest} characters`));
}
