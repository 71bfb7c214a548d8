import * as z from 'zod/mini';

/** Where a visit begins. */
export const visitPages = ['/', '/checkout', '/payment-success'] as const;

const milliseconds = z.optional(z.int().check(z.gte(0), z.lte(600_000)));

/** How fast one page was for one visitor, who is not named. A browser leaves out what it cannot measure. */
export const visit = z.strictObject({
  page: z.enum(visitPages),
  isPhone: z.boolean(),
  /** Largest contentful paint. */
  largestPaintMs: milliseconds,
  /** Interaction to next paint; absent without an interaction. */
  interactionMs: milliseconds,
  /** Cumulative layout shift. */
  layoutShift: z.optional(z.number().check(z.gte(0), z.lte(100))),
});
export type Visit = z.input<typeof visit>;
