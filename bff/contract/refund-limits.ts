import { refundingRoles, refundLimitNames } from '@kilim/domain/admin/refund-limits';
import * as z from 'zod/mini';
import { dollars, requestedDollars } from './money.ts';

type Key = string | number | symbol;

function each<Name extends Key, Part extends z.ZodMiniType>(names: readonly Name[], part: Part) {
  return z.object(Object.fromEntries(names.map((name) => [name, part])) as Record<Name, Part>);
}

/** In the settings. */
export const refundLimits = each(refundingRoles, each(refundLimitNames, dollars));

const amount = requestedDollars('Please enter an amount in dollars with at most two decimals');
export const refundLimitsRequest = each(refundingRoles, each(refundLimitNames, amount));

/** `GET /api/admin/refund-allowance`: what the person may refund now. */
export const refundAllowance = z.object({
  /** The most that the next refund may be. */
  allowed: dollars,
  /** The limits of the person's role. */
  limits: each(refundLimitNames, dollars),
});
export type RefundAllowance = z.output<typeof refundAllowance>;
