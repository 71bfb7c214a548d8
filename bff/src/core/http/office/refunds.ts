import { parseOrderId } from '@kilim/domain/order/ids';
import { isRefundingRole } from '@kilim/domain/people/refund-limits';
import * as z from 'zod/mini';
import { linesFromWire } from '../../../../contract/refund-charges.ts';
import type { refundRequest } from '../../../../contract/refund-request.ts';
import { refundProblem } from '../../../../contract/refunds.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { canonicalJson, sha256 } from '../../ledger/hash.ts';
import { listRefunds, listRefundsOfOrder } from '../../queries/list-refunds.ts';
import { requestRefund } from '../../use-case/request-refund.ts';
import type { World } from '../../use-case/world.ts';
import { describePages } from '../describe-pages.ts';
import { answerProblem } from '../problem.ts';
import { notPermitted, type SecurityOf } from '../proven.ts';
import type { Serve } from '../serve.ts';
import type { Refuse } from '../validate.ts';
import { noteReachedLimit } from './note-reached-limit.ts';
import { orderNotFound } from './orders.ts';
import { refundAnswer } from './refund-answer.ts';
import { problemOfRefund } from './refund-problem.ts';

type RequestedRefund = z.output<typeof refundRequest>;

export type RefundsOptions = {
  readonly world: World;
  readonly securityOf: SecurityOf;
  readonly timeZone: string;
};

export function serveRefunds(serve: Serve, { world, securityOf, timeZone }: RefundsOptions): void {
  const { sql } = world;
  serve('GET /api/admin/refunds', async (c, { query, answer }) => {
    const { page, pageSize, search, status, from, to } = query;
    const request = { page, pageSize, search, status, from, to, timeZone, newestFirst: true };
    const listed = await repeatWhileAway(() => listRefunds(sql, request));
    describePages(c, listed, { page, pageSize });
    return answer(200, listed.rows.map(refundAnswer));
  });
  serve('GET /api/admin/orders/:id/refunds', async (c, { params, answer }) => {
    const orderId = parseOrderId(params.id);
    const rows = orderId && (await repeatWhileAway(() => listRefundsOfOrder(sql, orderId)));
    if (rows === undefined) return answerProblem(c, orderNotFound);
    return answer(200, rows.map(refundAnswer));
  });
  serve(
    'POST /api/admin/refund',
    async (c, { by: session, body, answer }) => {
      const { role } = session;
      if (!isRefundingRole(role)) return answerProblem(c, notPermitted(role, 'refund'));
      const { idempotencyKey: refundId, ...request } = body;
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
      if (requested.kind === 'refund') return answer(201, refundAnswer(requested.row));
      await noteReachedLimit(securityOf(c), session.username, requested.rejection);
      const { status, ...problem } = problemOfRefund(requested);
      return c.json(z.encode(refundProblem, problem), status);
    },
    { refuse },
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
