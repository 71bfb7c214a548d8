import { tiers } from '@kilim/domain/catalog';
import { pricedAddOns } from '@kilim/domain/rates';
import { builtInNotices, builtInPricing, type SettingsChanged } from '@kilim/domain/settings/settings';
import { comparisonRows } from '@kilim/domain/tier-comparison';
import { z } from 'zod';
import { createCodec, day, each, inches, millipercent, money } from './codec.ts';

export const settingsStream = 'settings';

const text = z.string();
const byTier = <Part extends z.ZodType>(part: Part) => z.object(each(tiers, part));

const wordsByTier = byTier(text);

/**
 * Releases up to 0.2.0 recorded no rates but the tier prices: they were the built-in ones. The version stays, because
 * servers of these releases would refuse a newer one, and charge nobody.
 */
const rates = {
  tierMinimums: byTier(money).default(builtInPricing.tierMinimums),
  addOnPrices: z.object(each(pricedAddOns, money)).default(builtInPricing.addOnPrices),
  pickup: z.object({ price: money, minimumOrder: money }).default(builtInPricing.pickup),
  salesTax: z
    .object({ name: text, rates: z.array(z.object({ since: day, millipercent })).min(1) })
    .default({ ...builtInPricing.salesTax, rates: [...builtInPricing.salesTax.rates] }),
  sizePresets: z.array(z.object({ width: inches, length: inches })).default([...builtInPricing.sizePresets]),
};

const settings = z.object({
  tierPrices: byTier(money),
  ...rates,
  tierFeatures: byTier(z.array(text)),
  tierComparison: z.object({
    rows: z.object(each(comparisonRows, wordsByTier)),
    recommendations: wordsByTier,
    experience: z.object({ title: text, text }),
  }),
  terms: text,
  addOnImages: z.record(text, text),
  business: z.object({
    name: text,
    phone: text,
    bookingUrl: text,
    dropOffSites: z.array(
      z.object({
        name: text,
        note: text,
        address: text.exactOptional(),
        hours: text.exactOptional(),
        link: text.exactOptional(),
      }),
    ),
  }),
  notices: z.object({ above: money }).default(builtInNotices),
  more: z.record(text, z.unknown()).transform(withoutRates),
});

/** A server of release 0.2.0 that a newer page saved on knew none of the rates, and kept them as unknown fields. */
function withoutRates(more: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(more).filter(([name]) => !Object.hasOwn(rates, name)));
}

export const settingsCodec = createCodec<SettingsChanged>({
  payloads: { SettingsChanged: z.object({ version: z.int(), settings, by: text }) },
});
