import { isRefundingRole } from '@kilim/domain/admin/refund-limits';
import { parseOrderId } from '@kilim/domain/order/ids';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { linesFromWire } from '../../../contract/refund-charges.ts';
import { refund } from '../../../contract/refunds.ts';
import { reimbursementRequest, splitCorrectionRequest } from '../../../contract/reimbursements.ts';
import { canonicalJson, sha256 } from '../../ledger/hash.ts';
import type { World } from '../../server/world.ts';
import { correctSplit } from '../../use-case/correct-split.ts';
import { recordReimbursement } from '../../use-case/record-reimbursement.ts';
import { answerProblem } from '../problem.ts';
import { body } from '../validate.ts';
import { type AdminGuard, type AdminVariables, checked, notPermitted } from './guard.ts';
import { noteReachedLimit } from './note-reached-limit.ts';
import { orderNotFound } from './orders.ts';
import { refundAnswer } from './refund-answer.ts';
import { problemOfReimbursement } from './refund-problem.ts';
import type { SecurityOf } from './security-of.ts';

type AdminReimbursementsOptions = {
  readonly world: World;
  readonly guard: AdminGuard;
  readonly securityOf: SecurityOf;
  readonly timeZone: string;
};

/** Records money that customers got back outside Square, and what refunds were for. */
export function adminReimbursements({ world, guard, securityOf, timeZone }: AdminReimbursementsOptions) {
  return new Hono<AdminVariables>()
    .post(
      '/orders/:id/reimbursements',
      guard.may<'/orders/:id/reimbursements'>(
        'refund',
        checked(body(reimbursementRequest), async (c, session) => {
          const { role, username } = session;
          if (!isRefundingRole(role)) return answerProblem(c, notPermitted(role, 'refund'));
          const orderId = parseOrderId(c.req.param('id') ?? '');
          if (orderId === undefined) return answerProblem(c, orderNotFound);
          const { idempotencyKey: refundId, reference, amount, method, paidOn, reason, ...named } = c.req.valid('json');
          const asked = { amount, method, paidOn, reason, lines: linesFromWire(named) };
          const recorded = await recordReimbursement(world, {
            ...asked,
            ...{ orderId, refundId, reference, role, timeZone },
            requestHash: sha256(
              canonicalJson({ ...asked, orderId, ...(reference === undefined ? {} : { reference }) }),
            ),
            requestedBy: username,
            requestId: c.get('requestId'),
          });
          if (recorded.kind === 'recorded') return c.json(z.encode(refund, refundAnswer(recorded.row)), 201);
          await noteReachedLimit(securityOf(c), username, recorded.rejection);
          return answerProblem(c, problemOfReimbursement(recorded.rejection));
        }),
      ),
    )
    .post(
      '/orders/:id/split-corrections',
      guard.may<'/orders/:id/split-corrections'>(
        'bookDifferences',
        checked(body(splitCorrectionRequest), async (c, { username: by }) => {
          const orderId = parseOrderId(c.req.param('id') ?? '');
          if (orderId === undefined) return answerProblem(c, orderNotFound);
          const { refundId: correctedRefundId, reason: why, ...named } = c.req.valid('json');
          const lines = linesFromWire(named);
          const requestId = c.get('requestId');
          const corrected = await correctSplit(world, { orderId, correctedRefundId, lines, why, by, requestId });
          return corrected.ok ? c.body(null, 204) : answerProblem(c, problemOfReimbursement(corrected.rejection));
        }),
      ),
    );
}
