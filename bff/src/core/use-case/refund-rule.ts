import type { Cents } from '@kilim/domain/money';
import type { RefundId } from '@kilim/domain/order/ids';
import type { ReachedLimit, RefundingRole } from '@kilim/domain/people/refund-limits';
import type { Sql } from '../database/database.ts';
import type { Rider } from '../ledger/riders.ts';

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

/**
 * Who may refund how much.
 * @param record appends with the rider, which compares the limits: other people refund at the same time
 */
export type RefundRule = <Recorded>(
  world: { readonly sql: Sql; readonly now: () => Date },
  request: LimitedRequest,
  record: (limit: Rider) => Promise<Recorded>,
) => Promise<Recorded | LimitReached>;

/** Many requests may refund one order at the same time. */
export const mostConflicts = 40;
