import { type Tier, tiers } from '@kilim/domain/catalog';
import { settleableSteps } from '@kilim/domain/settings/first-day';
import { type ComparisonRow, comparisonRows } from '@kilim/domain/tier-comparison';
import * as z from 'zod/mini';
import { dropOffSite } from './config.ts';
import { dollars } from './money.ts';
import { percent } from './percent.ts';
import { pickupPlan } from './pickup-plan.ts';
import { problem, textsByName } from './problem.ts';
import { refundLimits } from './refund-limits.ts';

export function byTier<Part extends z.ZodMiniType>(part: Part, missing?: string) {
  return z.object(Object.fromEntries(tiers.map((tier) => [tier, part])) as Record<Tier, Part>, missing);
}

export function byRow<Part extends z.ZodMiniType>(part: Part, missing?: string) {
  return z.object(Object.fromEntries(comparisonRows.map((row) => [row, part])) as Record<ComparisonRow, Part>, missing);
}

const words = byTier(z.string());

/** Oldest first. Each holds from its day on. */
export const salesTaxRates = z.array(z.object({ since: z.string(), percent }));

const publicFields = {
  version: z.number(),
  tierPrices: byTier(dollars),
  /** The minimum price of one rug, before add-ons. */
  tierMinimums: byTier(dollars),
  /** Per square foot. */
  addOnPrices: z.object({ stainProtection: dollars, greenPad: dollars }),
  /** `price` is per square foot. */
  pickup: z.object({ price: dollars, minimumOrder: dollars }),
  /** A larger total is refused: the customer calls the shop. */
  largestOrder: dollars,
  pickupPlan,
  /** Sizes that the form offers, in inches. */
  sizePresets: z.array(z.object({ width: z.number(), length: z.number() })),
  tierFeatures: byTier(z.array(z.string())),
  tierComparison: z.object({
    rows: byRow(words),
    recommendations: words,
    experience: z.object({ title: z.string(), text: z.string() }),
  }),
  terms: z.string(),
  /** By what they show: `pad`, `protection`, `repair`. */
  addOnImages: textsByName,
};

export const settings = z.object({
  ...publicFields,
  /** Today, in the time zone of the business. */
  salesTax: z.object({ name: z.string(), percent, since: z.string() }),
});
export type SettingsAnswer = z.input<typeof settings>;

/** Fields that this version does not know keep their names and stand beside the others. */
export const adminSettings = z.looseObject({
  ...publicFields,
  salesTax: z.object({ name: z.string(), rates: salesTaxRates }),
  business: z.object({
    name: z.string(),
    phone: z.string(),
    bookingUrl: z.string(),
    dropOffSites: z.array(dropOffSite),
  }),
  /** Each refund, reimbursement and write-off above this is mailed to the shop. */
  notices: z.object({ above: dollars }),
  refundLimits,
  /** After the last event of the order; null: until a person erases them. */
  contactRetention: z.object({ months: z.nullable(z.int()) }),
  intake: z.object({ waiveBelow: dollars, measuring: z.string(), collectWithinDays: z.int() }),
  firstDay: z.object({ settled: z.array(z.enum(settleableSteps)), isHidden: z.boolean() }),
});
export type AdminSettingsAnswer = z.input<typeof adminSettings>;

/** Another administrator saved in between. Nothing of either save is lost. */
export const settingsConflict = z.object({
  ...problem.shape,
  code: z.literal('SettingsChanged'),
  current: adminSettings,
  changedBy: z.nullable(z.string()),
  changedAt: z.nullable(z.string()),
  /** With the value before either save. Values have the form on the wire. */
  differences: z.array(
    z.object({
      path: z.string(),
      name: z.string(),
      base: z.unknown(),
      yours: z.unknown(),
      theirs: z.unknown(),
    }),
  ),
});
export type SettingsConflictAnswer = z.input<typeof settingsConflict>;

/** `?before=<version>` goes on. */
export const settingsHistory = z.array(
  z.object({
    version: z.number(),
    at: z.string(),
    by: z.string(),
    changes: z.array(z.string()),
  }),
);
export type SettingsHistory = z.output<typeof settingsHistory>;
