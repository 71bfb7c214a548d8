import { Hono } from 'hono';
import * as z from 'zod/mini';
import { mostPayoutLines, payout, payouts } from '../../../contract/payouts.ts';
import { payoutsQuery } from '../../../contract/queries.ts';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { onePayout } from '../../export/payout-lines.ts';
import { findPayout, listPayouts } from '../../queries/list-payouts.ts';
import { type PayoutLine, type PayoutLines, readPayouts } from '../../queries/read-payouts.ts';
import { describePages } from '../describe-pages.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { query } from '../validate.ts';
import { type AdminGuard, type AdminVariables, checked } from './guard.ts';

export type AdminPayoutsOptions = {
  readonly sql: Sql;
  readonly guard: AdminGuard;
  readonly timeZone: string;
};

const payoutNotFound: Problem = { status: 404, code: 'NotFound', message: 'Payout not found' };

export function adminPayouts({ sql, guard, timeZone }: AdminPayoutsOptions) {
  const find = (id: string) =>
    isPayoutId(id) ? repeatWhileAway(() => readOne(sql, id, timeZone)) : Promise.resolve(undefined);
  return new Hono<AdminVariables>()
    .get(
      '/payouts',
      guard.may(
        'readBooks',
        checked(query(payoutsQuery), async (c) => {
          const { page, pageSize, state, from, to } = c.req.valid('query');
          const request = { page, pageSize, state, from, to, timeZone };
          const listed = await repeatWhileAway(() => listPayouts(sql, request));
          describePages(c, listed, { page, pageSize });
          return c.json(z.encode(payouts, [...listed.rows]));
        }),
      ),
    )
    .get(
      '/payouts/:id',
      guard.may<'/payouts/:id'>('readBooks', async (c) => {
        const found = await find(c.req.param('id'));
        if (found === undefined) return answerProblem(c, payoutNotFound);
        const { listed, composed } = found;
        return c.json(z.encode(payout, { ...listed, ...compositionAnswer(composed) }));
      }),
    )
    .get(
      '/payouts/:id/lines',
      guard.may<'/payouts/:id/lines'>('export', async (c) => {
        const found = await find(c.req.param('id'));
        if (found === undefined) return answerProblem(c, payoutNotFound);
        const { listed, composed } = found;
        c.header('content-type', 'text/csv; charset=utf-8; header=present');
        c.header('content-disposition', `attachment; filename="kilim-payout-${listed.id}.csv"`);
        return c.body(onePayout(listed, composed));
      }),
    );
}

/** Square's ids have only these characters, so a file can be named after one. */
function isPayoutId(text: string): boolean {
  return /^[\w-]{1,100}$/.test(text);
}

async function readOne(sql: Sql, id: string, timeZone: string) {
  const [listed, composed] = await Promise.all([findPayout(sql, id, timeZone), readPayouts(sql, [id])]);
  const lines = composed.get(id);
  return listed === undefined || lines === undefined ? undefined : { listed, composed: lines };
}

function compositionAnswer({ kind, totals, lines }: PayoutLines) {
  return {
    kind,
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
