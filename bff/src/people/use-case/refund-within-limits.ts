import { approversOf, type RefundLimit, reachedLimit } from '@kilim/domain/people/refund-limits';
import postgres from 'postgres';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import type { Rider } from '../../core/ledger/riders.ts';
import {
  type LimitedRequest,
  type LimitReached,
  mostConflicts,
  type RefundRule,
} from '../../core/use-case/refund-rule.ts';
import { readColleagues, readRefundedOnDay, readRefundLimits } from '../queries/refund-limits.ts';

/** The append itself compares the limits, because other people refund at the same time. */
export const refundWithinLimits: RefundRule = async (world, request, record) => {
  for (let tries = 1; ; tries += 1) {
    try {
      const limits = await repeatWhileAway(() => readRefundLimits(world.sql));
      return await record(confirmLimits(request, limits[request.role], world.now()));
    } catch (error) {
      if (!isOverLimit(error)) throw error;
      const reached = await limitReached(world, request);
      if (reached !== undefined) return reached;
      // A refund of the day has failed since, so this one may fit now.
      if (tries === mostConflicts) throw error;
    }
  }
};

/** @param at the limits count its day */
function confirmLimits(request: LimitedRequest, most: RefundLimit, at: Date): Rider {
  const { refundId, requestedBy: person, amount, timeZone } = request;
  return {
    condition: (sql) => sql`ledger.confirm_refund_limits(
      ${refundId}, ${person}, ${amount}, ${at.toISOString()}::timestamptz, ${timeZone},
      ${most.perRefund}, ${most.perPersonAndDay}, ${most.perShopAndDay}
    )`,
  };
}

/** Nothing was recorded. */
function isOverLimit(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === 'KL001';
}

async function limitReached(
  world: Parameters<RefundRule>[0],
  request: LimitedRequest,
): Promise<LimitReached | undefined> {
  const { sql, now } = world;
  const { role, amount, requestedBy, refundId, timeZone } = request;
  return await repeatWhileAway(async () => {
    const limits = await readRefundLimits(sql);
    const refunded = await readRefundedOnDay(sql, { at: now(), timeZone }, refundId);
    const { byAll } = refunded;
    const reached = reachedLimit(limits[role], amount, { byPerson: refunded.of(requestedBy), byAll });
    if (reached === undefined) return undefined;
    const approvers = approversOf(limits, { amount, byAll }, await readColleagues(sql, requestedBy, refunded));
    return { code: 'RefundLimitReached', ...reached, approvers };
  });
}
