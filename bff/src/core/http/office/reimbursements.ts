import { parseOrderId } from '@kilim/domain/order/ids';
import { isRefundingRole } from '@kilim/domain/people/refund-limits';
import { linesFromWire } from '../../../../contract/refund-charges.ts';
import { canonicalJson, sha256 } from '../../ledger/hash.ts';
import { correctSplit } from '../../use-case/correct-split.ts';
import { recordReimbursement } from '../../use-case/record-reimbursement.ts';
import { answerProblem } from '../problem.ts';
import { notPermitted } from '../proven.ts';
import type { Serve } from '../serve.ts';
import { noteReachedLimit } from './note-reached-limit.ts';
import { orderNotFound } from './orders.ts';
import { refundAnswer } from './refund-answer.ts';
import { problemOfReimbursement } from './refund-problem.ts';
import type { RefundsOptions } from './refunds.ts';

export function serveReimbursements(serve: Serve, { world, securityOf, timeZone }: RefundsOptions): void {
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
