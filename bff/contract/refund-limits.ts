import { refundingRoles, refundLimitNames } from '@kilim/domain/people/refund-limits';
import * as z from 'zod/mini';
import { dollars } from './money.ts';
import { requestedDollars } from './requested-number.ts';

type Key = string | number | symbol;

function each<Name extends Key, Part extends z.ZodMiniType>(names: readonly Name[], part: Part) {
  return z.object(Object.fromEntries(names.map((name) => [name, part])) as Record<Name, Part>);
}

export const refundLimits = each(refundingRoles, each(refundLimitNames, dollars));

const amount = requestedDollars('Please enter an amount in dollars with at most two decimals');
export const refundLimitsRequest = each(refundingRoles, each(refundLimitNames, amount));

export const refundAllowance = z.object({
  allowed: dollars,
  limits: each(refundLimitNames, dollars),
});
export type RefundAllowance = z.output<typeof refundAllowance>;
