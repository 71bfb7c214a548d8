import type { Cents } from '../money.ts';
import { ok, type Result, rejected } from '../result.ts';
import type { OrderEvent, RefundAllocation, RefundSplitCorrected } from './events.ts';
import { parseRefundId } from './ids.ts';
import { type LinesRejection, type RefundState, refundableCharges, refuseLines } from './refund.ts';
import { allocate, type ChosenLines, isSameAllocation, rugTotal, splitOf, withBack } from './refund-allocation.ts';

export type CorrectSplit = Pick<RefundSplitCorrected, 'correctedRefundId' | 'why' | 'by'> & {
  /** An amount beyond the lines is shared among all charges. */
  readonly lines: ChosenLines;
};

export type SplitRejection =
  | LinesRejection
  | { readonly code: 'UnknownRefund'; readonly refundId: string }
  /** The money did not go back. */
  | { readonly code: 'NotCompleted' };

/** For refunds by the office, in Square's dashboard or outside Square. A repeated click records nothing. */
export function decide(
  { correctedRefundId, lines, why, by }: CorrectSplit,
  state: RefundState,
): Result<readonly OrderEvent[], SplitRejection> {
  const given = completedRefunds(state).get(correctedRefundId);
  if (given === undefined) {
    const refundId = parseRefundId(correctedRefundId);
    const isOurs = refundId !== undefined && state.refunds.has(refundId);
    return rejected(isOurs ? { code: 'NotCompleted' } : { code: 'UnknownRefund', refundId: correctedRefundId });
  }
  const { amount, reason, allocation: before } = given;
  const left = withBack(refundableCharges(state), before);
  const refusal = refuseLines(lines, left, amount);
  if (refusal !== undefined) return rejected(refusal);
  const allocation = allocate(left, amount, lines);
  if (isSameAllocation(allocation, before)) return ok([]);
  const { rugs, deliveryMinimum } = allocation;
  const items = rugs.map(({ rugIndex, charges }) => ({ rugIndex, amount: rugTotal(charges) }));
  return ok([
    {
      type: 'RefundSplitCorrected',
      ...{ correctedRefundId, amount, why, before, items, deliveryMinimum, allocation },
      ...(reason === undefined ? {} : { reason }),
      split: splitOf(allocation),
      by,
    },
  ]);
}

export type CompletedRefund = {
  readonly amount: Cents;
  readonly allocation: RefundAllocation;
  readonly reason: string | undefined;
};

/** By the id in the history of refunds. */
export function completedRefunds(state: RefundState): ReadonlyMap<string, CompletedRefund> {
  const completed = [...state.refunds.values()].filter(({ status }) => status === 'completed');
  return new Map<string, CompletedRefund>([
    ...completed.map(({ request }) => [request.refundId, request] as const),
    ...[...state.external].map(([id, found]) => [id, { ...found, reason: undefined }] as const),
    ...state.reimbursements,
  ]);
}
