import type { Day } from '../day.ts';
import type { Cents } from '../money.ts';
import { rugChargeNames } from '../quote.ts';
import { ok, type Result, rejected } from '../result.ts';
import { oneLine } from '../text.ts';
import type { Becomes, CustomerReimbursed, OrderEvent, RefundAllocation } from './events.ts';
import {
  type DisputeBlock,
  disputeBlock,
  type LinesRejection,
  type RefundBlock,
  type RefundState,
  refundableCharges,
  refundableOf,
  refuseLines,
} from './refund.ts';
import { allocate, type ChosenLines, type OrderCharges, splitOf, totalOfChosen } from './refund-allocation.ts';

/** The number of a check, a transfer or a receipt: it names no person, because the ledger keeps it for ever. */
export const longestReference = 30;
const reference = /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9 #/.-]*$/;

/** @returns undefined when it is no such number. */
export function parseReference(text: string): string | undefined {
  const trimmed = oneLine(text);
  return trimmed.length <= longestReference && reference.test(trimmed) ? trimmed : undefined;
}

export type RecordReimbursement = Becomes<
  Omit<CustomerReimbursed, 'paymentId' | 'allocation' | 'split'>,
  'RecordReimbursement'
> & {
  /** From the payment of the order until today. */
  readonly possible: { readonly first: Day; readonly last: Day };
  /** Without lines, the money is shared among all charges. */
  readonly lines: ChosenLines;
};

export type ReimbursementRejection =
  | LinesRejection
  | Extract<RefundBlock, { readonly code: 'NotPaid' | 'FullyRefunded' }>
  | DisputeBlock
  | { readonly code: 'InvalidAmount'; readonly asked: Cents }
  | { readonly code: 'ExceedsRefundable'; readonly asked: Cents; readonly refundable: Cents }
  | { readonly code: 'ImpossibleDay'; readonly first: Day; readonly last: Day };

/**
 * Money that Square could not give back is for the charges of the failed refund, with their sales tax.
 * @returns the oldest one of this amount whose charges are still refundable.
 */
function allocationOfFailedRefund(state: RefundState, asked: Cents): RefundAllocation | undefined {
  const left = refundableCharges(state);
  const failed = [...state.refunds.values()].find(
    ({ status, request }) => status === 'failed' && request.amount === asked && isWithin(request.allocation, left),
  );
  return failed?.request.allocation;
}

function isWithin({ rugs, deliveryMinimum }: RefundAllocation, left: OrderCharges): boolean {
  return (
    deliveryMinimum <= left.deliveryMinimum &&
    rugs.every(({ rugIndex, charges }) => {
      const rest = left.rugs[rugIndex];
      return rest !== undefined && rugChargeNames.every((name) => charges[name] <= rest[name]);
    })
  );
}

/** It counts as refunded at once. Square's limits do not apply. */
export function decide(
  { possible, lines, ...command }: RecordReimbursement,
  state: RefundState,
): Result<readonly OrderEvent[], ReimbursementRejection> {
  // The caller picks the id, so a second click or a retry records nothing new.
  if (state.reimbursements.has(command.reimbursementId)) return ok([]);
  const { captured } = state;
  const refundable = refundableOf(state);
  const { amount: asked, paidOn } = command;
  if (captured === undefined) return rejected({ code: 'NotPaid' });
  if (refundable === 0) return rejected({ code: 'FullyRefunded' });
  const disputed = disputeBlock(state);
  if (disputed !== undefined) return rejected(disputed);
  if (asked < 1) return rejected({ code: 'InvalidAmount', asked });
  if (asked > refundable) return rejected({ code: 'ExceedsRefundable', asked, refundable });
  if (paidOn < possible.first || paidOn > possible.last) return rejected({ code: 'ImpossibleDay', ...possible });
  const left = refundableCharges(state);
  const refusal = refuseLines(lines, left, asked);
  if (refusal !== undefined) return rejected(refusal);
  const ofFailed = totalOfChosen(lines) === 0 ? allocationOfFailedRefund(state, asked) : undefined;
  const allocation = ofFailed ?? allocate(left, asked, lines);
  return ok([
    {
      ...command,
      type: 'CustomerReimbursed',
      paymentId: captured.paymentId,
      allocation,
      split: splitOf(allocation),
    },
  ]);
}
