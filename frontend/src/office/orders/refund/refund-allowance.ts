import { type RefundAllowance, refundAllowance } from '@kilim/bff/contract/refund-limits';
import { type Cents, formatDollars } from '@kilim/domain/money';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../shared/call.ts';
import { adminQuery } from '../../shared/api/admin-query.ts';
import { moneyKey } from '../../shared/api/query-keys.ts';
import { refundTexts } from './texts.ts';

// A refund changes it, so both are loaded together.
const allowanceQuery = adminQuery(
  [...moneyKey, 'refund-allowance'],
  call('GET /api/admin/refund-allowance', { answer: refundAllowance }),
);

/** Undefined until it is known, and for people who may not refund. */
export function useRefundAllowance(mayRefund: boolean): RefundAllowance | undefined {
  return useQuery({ ...allowanceQuery, enabled: mayRefund }).data;
}

/** Or it cannot be known. */
export function useIsAllowanceSettled(): boolean {
  return !useQuery(allowanceQuery).isPending;
}

/** The person's limit is named only when it is less than the order's rest. */
export function limitText(remaining: Cents, allowance: RefundAllowance | undefined): string {
  if (allowance === undefined || allowance.allowed >= remaining) return refundTexts.atMost(formatDollars(remaining));
  const { allowed, limits } = allowance;
  const own = allowed < limits.perRefund ? refundTexts.allowedToday : refundTexts.allowedAtOnce;
  return `${refundTexts.atMost(formatDollars(allowed))} ${own(formatDollars(allowed))}`;
}
