import { refundingRoles, refundLimitNames } from '@kilim/domain/admin/refund-limits';
import * as z from 'zod/mini';
import { dollars, requestedDollars } from './money.ts';

type Key = string | number | symbol;

function each<Name extends Key, Part extends z.ZodMiniType>(names: readonly Name[], part: Part) {
  return z.object(Object.fromEntries(names.map((name) => [name, part])) as Record<Name, Part>);
}

/** `GET` and `POST /api/admin/refund-limits`. */
export const refundLimits = z.object({
  version: z.number(),
  limits: each(refundingRoles, each(refundLimitNames, dollars)),
});
export type RefundLimitsAnswer = z.output<typeof refundLimits>;

const amount = requestedDollars('Please enter an amount in dollars with at most two decimals');

/** `POST /api/admin/refund-limits`. A save names the version that it started from. */
export const refundLimitsRequest = z.object({
  version: z.int().check(z.gte(0)),
  limits: each(refundingRoles, each(refundLimitNames, amount)),
});
export type RefundLimitsRequest = z.input<typeof refundLimitsRequest>;

/** `GET /api/admin/refund-allowance`: what the person may refund now. */
export const refundAllowance = z.object({
  /** The most that the next refund may be. */
  allowed: dollars,
  /** The limits of the person's role. */
  limits: each(refundLimitNames, dollars),
});
export type RefundAllowance = z.output<typeof refundAllowance>;
