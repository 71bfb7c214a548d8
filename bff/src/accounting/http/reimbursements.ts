import { isRefundingRole } from '@kilim/domain/admin/refund-limits';
import { parseOrderId } from '@kilim/domain/order/ids';
import { linesFromWire } from '../../../contract/refund-charges.ts';
import { orderNotFound } from '../../core/http/office/orders.ts';
import { refundAnswer } from '../../core/http/office/refund-answer.ts';
import { problemOfReimbursement } from '../../core/http/office/refund-problem.ts';
import { answerProblem } from '../../core/http/problem.ts';
import type { Serve } from '../../core/http/serve.ts';
import { canonicalJson, sha256 } from '../../core/ledger/hash.ts';
import type { World } from '../../core/use-case/world.ts';
import { notPermitted } from '../../people/http/guard.ts';
import { noteReachedLimit } from '../../people/http/note-reached-limit.ts';
import type { SecurityOf } from '../../people/http/security-of.ts';
import { correctSplit } from '../use-case/correct-split.ts';
import { recordReimbursement } from '../use-case/record-reimbursement.ts';

type AdminReimbursementsOptions = {
  readonly world: World;
  readonly securityOf: SecurityOf;
  readonly timeZone: string;
};

export function serveReimbursements(serve: Serve, { world, securityOf, timeZone }: AdminReimbursementsOptions): void {
  serve('POST /api/admin/orders/:id/reimbursements', async (c, { by: session, params, body, answer }) => {
    const { role, username } = session;
    if (!isRefundingRole(role)) return answerProblem(c, notPermitted(role, 'refund'));
    const orderId = parseOrderId(params.id);
    if (orderId === undefined) return answerProblem(c, orderNotFound);
    const { idempotencyKey: refundId, reference, amount, method, paidOn, reason, ...named } = body;
    const asked = { amount, method, paidOn, reason, lines: linesFromWire(named) };
    const recorded = await recordReimbursement(world, {
      ...asked,
      ...{ orderId, refundId, reference, role, timeZone },
      requestHash: sha256(canonicalJson({ ...asked, orderId, ...(reference === undefined ? {} : { reference }) })),
      requestedBy: username,
      requestId: c.get('requestId'),
    });
    if (recorded.kind === 'recorded') return answer(201, refundAnswer(recorded.row));
    await noteReachedLimit(securityOf(c), username, recorded.rejection);
    return answerProblem(c, problemOfReimbursement(recorded.rejection));
  });
  serve('POST /api/admin/orders/:id/split-corrections', async (c, { by: { username: by }, params, body, answer }) => {
    const orderId = parseOrderId(params.id);
    if (orderId === undefined) return answerProblem(c, orderNotFound);
    const { refundId: correctedRefundId, reason: why, ...named } = body;
    const lines = linesFromWire(named);
    const requestId = c.get('requestId');
    const corrected = await correctSplit(world, { orderId, correctedRefundId, lines, why, by, requestId });
    return corrected.ok ? answer(204) : answerProblem(c, problemOfReimbursement(corrected.rejection));
  });
}
