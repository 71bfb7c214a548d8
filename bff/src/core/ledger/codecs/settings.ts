import { tiers } from '@kilim/domain/catalog';
import { pickupWindows } from '@kilim/domain/contact';
import { weekdays } from '@kilim/domain/day';
import { refundingRoles, refundLimitNames } from '@kilim/domain/people/refund-limits';
import { pricedAddOns } from '@kilim/domain/rates';
import { settleableSteps } from '@kilim/domain/settings/first-day';
import type { SettingsChanged } from '@kilim/domain/settings/settings';
import { comparisonRows } from '@kilim/domain/tier-comparison';
import { z } from 'zod';
import { createCodec, day, each, inches, millipercent, money } from './codec.ts';

export const settingsStream = 'settings';

const text = z.string();
const byTier = <Part extends z.ZodType>(part: Part) => z.object(each(tiers, part));

const wordsByTier = byTier(text);

const settings = z.object({
  tierPrices: byTier(money),
  tierMinimums: byTier(money),
  addOnPrices: z.object(each(pricedAddOns, money)),
  pickup: z.object({ price: money, minimumOrder: money }),
  largestOrder: money,
  pickupPlan: z.object({
    zipCodes: z.array(text),
    windows: z.object(each(weekdays, z.array(z.enum(pickupWindows)))),
    mostPerDay: z.int().nullable(),
    closedDays: z.array(z.object({ from: day, to: day })),
  }),
  salesTax: z.object({ name: text, rates: z.array(z.object({ since: day, millipercent })).min(1) }),
  sizePresets: z.array(z.object({ width: inches, length: inches })),
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
  notices: z.object({ above: money }),
  refundLimits: z.object(each(refundingRoles, z.object(each(refundLimitNames, money)))),
  contactRetention: z.object({ months: z.int().nullable() }),
  intake: z.object({ waiveBelow: money, measuring: text, collectWithinDays: z.int() }),
  firstDay: z.object({ settled: z.array(z.enum(settleableSteps)), isHidden: z.boolean() }),
  more: z.record(text, z.unknown()),
});

export const settingsCodec = createCodec<SettingsChanged>({
  payloads: { SettingsChanged: z.object({ version: z.int(), settings, by: text }) },
});
