import { allowedNow, isRefundingRole } from '@kilim/domain/admin/refund-limits';
import type { Context } from 'hono';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { readRefundedOnDay, readRefundLimits } from '../../queries/refund-limits.ts';
import type { World } from '../../server/world.ts';
import { type ChangeRefundLimitsRejection, changeRefundLimits } from '../../use-case/change-refund-limits.ts';
import { answerProblem, invalidFields, type Problem } from '../problem.ts';
import type { Serve } from '../serve.ts';
import { notPermitted, reauthenticationRequired } from './guard.ts';

export type RefundLimitsOptions = {
  readonly world: World;
  readonly timeZone: string;
};

/** The limits on refunds: owners change them, and people who refund see what is left of theirs. */
export function serveRefundLimits(serve: Serve, { world, timeZone }: RefundLimitsOptions): void {
  const { sql, now } = world;
  serve('GET /api/admin/refund-limits', async (_, { answer }) =>
    answer(200, await repeatWhileAway(() => readRefundLimits(sql))),
  );
  serve('POST /api/admin/refund-limits', async (c, { by: session, body, answer }) => {
    const { version: expectedVersion, limits } = body;
    const changed = await changeRefundLimits(world, session, {
      limits,
      expectedVersion,
      requestId: c.get('requestId'),
    });
    return changed.ok ? answer(200, changed.value) : answerRefusal(c, changed.rejection);
  });
  serve('GET /api/admin/refund-allowance', async (c, { by: { role, username }, answer }) => {
    if (!isRefundingRole(role)) return answerProblem(c, notPermitted(role, 'readRefundAllowance'));
    const allowance = await repeatWhileAway(async () => {
      const { limits } = await readRefundLimits(sql);
      const { of, byAll } = await readRefundedOnDay(sql, { at: now(), timeZone });
      return { allowed: allowedNow(limits[role], { byPerson: of(username), byAll }), limits: limits[role] };
    });
    return answer(200, allowance);
  });
}

function answerRefusal(c: Context, rejection: ChangeRefundLimitsRejection): Response {
  switch (rejection.code) {
    case 'ProofRequired':
      return answerProblem(c, reauthenticationRequired);
    case 'ChangedMeanwhile':
      return answerProblem(c, changedMeanwhile);
    default: {
      const { code, role, limit } = rejection;
      return answerProblem(c, invalidFields({ [`limits.${role}.${limit}`]: sentences[code] }));
    }
  }
}

const changedMeanwhile: Problem = {
  status: 409,
  code: 'RefundLimitsChanged',
  message: 'Another owner has changed the limits. Please look at them and save again.',
};

const sentences = {
  LimitOutOfRange: 'Please enter an amount from 0.01 to 1,000,000 dollars',
  LimitsOutOfOrder: 'This must not be less than the limit before it',
};
