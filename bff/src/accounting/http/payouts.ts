import { mostPayoutLines } from '../../../contract/payouts.ts';
import type { Sql } from '../../core/database/database.ts';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { describePages } from '../../core/http/describe-pages.ts';
import { answerProblem, type Problem } from '../../core/http/problem.ts';
import type { Serve } from '../../core/http/serve.ts';
import { findPayout, listPayouts } from '../queries/list-payouts.ts';
import { type PayoutLine, type PayoutLines, readPayouts } from '../queries/read-payouts.ts';

const payoutNotFound: Problem = { status: 404, code: 'NotFound', message: 'Payout not found' };

export function servePayouts(serve: Serve, sql: Sql, timeZone: string): void {
  serve('GET /api/admin/payouts', async (c, { query, answer }) => {
    const { page, pageSize, state, from, to } = query;
    const request = { page, pageSize, state, from, to, timeZone };
    const listed = await repeatWhileAway(() => listPayouts(sql, request));
    describePages(c, listed, { page, pageSize });
    return answer(200, [...listed.rows]);
  });
  serve('GET /api/admin/payouts/:id', async (c, { params: { id }, answer }) => {
    const found = isPayoutId(id) ? await repeatWhileAway(() => readOne(sql, id, timeZone)) : undefined;
    if (found === undefined) return answerProblem(c, payoutNotFound);
    return answer(200, { ...found.listed, ...compositionAnswer(found.composed) });
  });
}

/** Square's ids have only these characters. */
function isPayoutId(text: string): boolean {
  return /^[\w-]{1,100}$/.test(text);
}

async function readOne(sql: Sql, id: string, timeZone: string) {
  const [listed, composed] = await Promise.all([findPayout(sql, id, timeZone), readPayouts(sql, [id])]);
  const lines = composed.get(id);
  return listed === undefined || lines === undefined ? undefined : { listed, composed: lines };
}

function compositionAnswer({ kind, endToEndId, totals, lines }: PayoutLines) {
  return {
    kind,
    bankReference: endToEndId ?? null,
    totals: totals.map(({ entries, ...total }) => ({ ...total, lines: entries })),
    firstLines: lines.slice(0, mostPayoutLines).map(lineAnswer),
  };
}

function lineAnswer({ entryId, effectiveAt, activity, standing, orderId, gross, fee, net, ...ids }: PayoutLine) {
  const { squarePaymentId, squareRefundId, squareDisputeId } = ids;
  return {
    id: entryId,
    at: effectiveAt ?? null,
    activity,
    standing,
    orderId: orderId ?? null,
    squareId: squareRefundId ?? squareDisputeId ?? squarePaymentId ?? null,
    gross,
    fee,
    net,
  };
}
