import { allowedNow, isRefundingRole } from '@kilim/domain/admin/refund-limits';
import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { refundAllowance, refundLimits, refundLimitsRequest } from '../../../contract/refund-limits.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { readRefundedOnDay, readRefundLimits } from '../../queries/refund-limits.ts';
import type { World } from '../../server/world.ts';
import { type ChangeRefundLimitsRejection, changeRefundLimits } from '../../use-case/change-refund-limits.ts';
import { answerProblem, invalidFields, type Problem } from '../problem.ts';
import { body } from '../validate.ts';
import { type AdminGuard, type AdminVariables, checked, notPermitted, reauthenticationRequired } from './guard.ts';

export type RefundLimitsOptions = {
  readonly world: World;
  readonly guard: AdminGuard;
  readonly timeZone: string;
};

/** The limits on refunds: owners change them, and people who refund see what is left of theirs. */
export function adminRefundLimits({ world, guard, timeZone }: RefundLimitsOptions) {
  const { sql, now } = world;
  return new Hono<AdminVariables>()
    .get(
      '/refund-limits',
      guard.may('readSettings', async (c) =>
        c.json(z.encode(refundLimits, await repeatWhileAway(() => readRefundLimits(sql)))),
      ),
    )
    .post(
      '/refund-limits',
      guard.may(
        'changeRefundLimits',
        checked(body(refundLimitsRequest), async (c, session) => {
          const { version: expectedVersion, limits } = c.req.valid('json');
          const changed = await changeRefundLimits(world, session, {
            limits,
            expectedVersion,
            requestId: c.get('requestId'),
          });
          return changed.ok ? c.json(z.encode(refundLimits, changed.value)) : answerRefusal(c, changed.rejection);
        }),
      ),
    )
    .get(
      '/refund-allowance',
      guard.may('readRefundAllowance', async (c, { role, username }) => {
        if (!isRefundingRole(role)) return answerProblem(c, notPermitted(role, 'readRefundAllowance'));
        const allowance = await repeatWhileAway(async () => {
          const { limits } = await readRefundLimits(sql);
          const { of, byAll } = await readRefundedOnDay(sql, { at: now(), timeZone });
          return { allowed: allowedNow(limits[role], { byPerson: of(username), byAll }), limits: limits[role] };
        });
        return c.json(z.encode(refundAllowance, allowance));
      }),
    );
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
