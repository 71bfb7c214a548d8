import { allowedNow, isRefundingRole } from '@kilim/domain/people/refund-limits';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { answerProblem } from '../../core/http/problem.ts';
import { notPermitted } from '../../core/http/proven.ts';
import type { Serve } from '../../core/http/serve.ts';
import type { World } from '../../core/use-case/world.ts';
import { readRefundedOnDay, readRefundLimits } from '../queries/refund-limits.ts';

export type RefundLimitsOptions = {
  readonly world: World;
  readonly timeZone: string;
};

export function serveRefundLimits(serve: Serve, { world, timeZone }: RefundLimitsOptions): void {
  const { sql, now } = world;
  serve('GET /api/admin/refund-allowance', async (c, { by: { role, username }, answer }) => {
    if (!isRefundingRole(role)) return answerProblem(c, notPermitted(role, 'readRefundAllowance'));
    const allowance = await repeatWhileAway(async () => {
      const limits = (await readRefundLimits(sql))[role];
      const { of, byAll } = await readRefundedOnDay(sql, { at: now(), timeZone });
      return { allowed: allowedNow(limits, { byPerson: of(username), byAll }), limits };
    });
    return answer(200, allowance);
  });
}
