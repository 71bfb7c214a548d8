import { tiers } from '@kilim/domain/catalog';
import type { SettingsChanged } from '@kilim/domain/settings/settings';
import { comparisonRows } from '@kilim/domain/tier-comparison';
import { z } from 'zod';
import { createCodec, each, money } from './codec.ts';

export const settingsStream = 'settings';

const text = z.string();
const byTier = <Part extends z.ZodType>(part: Part) => z.object(each(tiers, part));

const wordsByTier = byTier(text);

const settings = z.object({
  tierPrices: byTier(money),
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
      z.object({ name: text, note: text, address: text.exactOptional(), hours: text.exactOptional() }),
    ),
  }),
  more: z.record(text, z.unknown()),
});

export const settingsCodec = createCodec<SettingsChanged>({
  payloads: { SettingsChanged: z.object({ version: z.int(), settings, by: text }) },
});
