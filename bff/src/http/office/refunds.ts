import { isRefundingRole } from '@kilim/domain/admin/refund-limits';
import { parseOrderId } from '@kilim/domain/order/ids';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { refundsQuery } from '../../../contract/queries.ts';
import { linesFromWire } from '../../../contract/refund-charges.ts';
import { refundRequest } from '../../../contract/refund-request.ts';
import { refund, refundProblem, refunds } from '../../../contract/refunds.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { canonicalJson, sha256 } from '../../ledger/hash.ts';
import { listRefunds, listRefundsOfOrder } from '../../queries/list-refunds.ts';
import type { World } from '../../server/world.ts';
import { requestRefund } from '../../use-case/request-refund.ts';
import { describePages } from '../describe-pages.ts';
import { answerProblem } from '../problem.ts';
import { body, query, type Refuse } from '../validate.ts';
import { type AdminGuard, type AdminVariables, checked, notPermitted } from './guard.ts';
import { noteReachedLimit } from './note-reached-limit.ts';
import { orderNotFound } from './orders.ts';
import { refundAnswer } from './refund-answer.ts';
import { problemOfRefund } from './refund-problem.ts';
import type { SecurityOf } from './security-of.ts';

type RequestedRefund = z.output<typeof refundRequest>;

export type AdminRefundsOptions = {
  readonly world: World;
  readonly guard: AdminGuard;
  readonly securityOf: SecurityOf;
  readonly timeZone: string;
};

export function adminRefunds({ world, guard, securityOf, timeZone }: AdminRefundsOptions) {
  const { sql } = world;
  return new Hono<AdminVariables>()
    .get(
      '/refunds',
      guard.may(
        'readOrders',
        checked(query(refundsQuery), async (c) => {
          const { page, pageSize, search, status, from, to } = c.req.valid('query');
          const request = { page, pageSize, search, status, from, to, timeZone, newestFirst: true };
          const listed = await repeatWhileAway(() => listRefunds(sql, request));
          describePages(c, listed, { page, pageSize });
          return c.json(z.encode(refunds, listed.rows.map(refundAnswer)));
        }),
      ),
    )
    .get(
      '/orders/:id/refunds',
      guard.may<'/orders/:id/refunds'>('readOrders', async (c) => {
        const orderId = parseOrderId(c.req.param('id'));
        const rows = orderId && (await repeatWhileAway(() => listRefundsOfOrder(sql, orderId)));
        if (rows === undefined) return answerProblem(c, orderNotFound);
        return c.json(z.encode(refunds, rows.map(refundAnswer)));
      }),
    )
    .post(
      '/refund',
      guard.may(
        'refund',
        checked(body(refundRequest, refuse), async (c, session) => {
          const { role } = session;
          if (!isRefundingRole(role)) return answerProblem(c, notPermitted(role, 'refund'));
          const { idempotencyKey: refundId, ...request } = c.req.valid('json');
          const asked = askedFor(request);
          const requested = await requestRefund(world, {
            ...asked,
            refundId,
            requestHash: sha256(canonicalJson(asked)),
            requestedBy: session.username,
            role,
            timeZone,
            requestId: c.get('requestId'),
          });
          if (requested.kind === 'refund') return c.json(z.encode(refund, refundAnswer(requested.row)), 201);
          await noteReachedLimit(securityOf(c), session.username, requested.rejection);
          const { status, ...problem } = problemOfRefund(requested);
          return c.json(z.encode(refundProblem, problem), status);
        }),
      ),
    );
}

/**
 * The request in the domain's words. Without charges its fields, and so its hash, are those from
 * before refunds named charges: a repeat of an earlier request stays the same request.
 */
function askedFor({ rugItems, charges: named, adminNotes: notes, ...rest }: Omit<RequestedRefund, 'idempotencyKey'>) {
  const { rugs: items, charges, deliveryMinimum } = linesFromWire({ ...rest, rugItems, charges: named });
  return {
    ...rest,
    refundType: rest.refundType === 'full' ? rest.refundType : ('partial' as const),
    deliveryMinimum,
    items,
    charges: charges.length === 0 ? undefined : charges,
    notes,
  };
}

/** An invalid request does not say which payment it is for. */
const refuse: Refuse = (c, { status, ...problem }) =>
  c.json(z.encode(refundProblem, { ...problem, remaining: null }), status);
