import { approversOf, type ReachedLimit, type RefundingRole, reachedLimit } from '@kilim/domain/admin/refund-limits';
import type { Cents } from '@kilim/domain/money';
import type { RefundId } from '@kilim/domain/order/ids';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { isOverRefundLimit, type LimitedRefund } from '../../core/ledger/append.ts';
import type { World } from '../../core/use-case/world.ts';
import { readColleagues, readRefundedOnDay, readRefundLimits } from '../queries/refund-limits.ts';

export type LimitedRequest = {
  /** The browser chooses it once per intent, so a second click is the same refund. */
  readonly refundId: RefundId;
  readonly amount: Cents;
  readonly requestedBy: string;
  readonly role: RefundingRole;
  readonly timeZone: string;
};

export type LimitReached = ReachedLimit & {
  readonly code: 'RefundLimitReached';
  /** Display names of people who may make this refund now. */
  readonly approvers: readonly string[];
};

/** Many requests may refund one order at the same time. */
export const mostConflicts = 40;

/** The append itself compares the limits, because other people refund at the same time. */
export async function refundWithinLimits<Recorded>(
  world: World,
  request: LimitedRequest,
  record: (limit: LimitedRefund) => Promise<Recorded>,
): Promise<Recorded | LimitReached> {
  const { refundId, amount, requestedBy: person, role, timeZone } = request;
  for (let tries = 1; ; tries += 1) {
    try {
      const limits = await repeatWhileAway(() => readRefundLimits(world.sql));
      return await record({ refundId, amount, timeZone, person, at: world.now(), most: limits[role] });
    } catch (error) {
      if (!isOverRefundLimit(error)) throw error;
      const reached = await limitReached(world, request);
      if (reached !== undefined) return reached;
      // A refund of the day has failed since, so this one may fit now.
      if (tries === mostConflicts) throw error;
    }
  }
}

async function limitReached(world: World, request: LimitedRequest): Promise<LimitReached | undefined> {
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
