import { tiers } from '@kilim/domain/catalog';
import { cents } from '@kilim/domain/money';
import type { SettingsChanged } from '@kilim/domain/settings/settings';
import { comparisonRows } from '@kilim/domain/tier-comparison';
import { z } from 'zod';

export const settingsStream = 'settings';

const text = z.string();
const byTier = <Part extends z.ZodType>(part: Part) =>
  z.object(Object.fromEntries(tiers.map((tier) => [tier, part])) as Record<(typeof tiers)[number], Part>);

const wordsByTier = byTier(text);

const storedSettings = z.object({
  tierPrices: byTier(z.int().transform(cents)),
  tierFeatures: byTier(z.array(text)),
  tierComparison: z.object({
    rows: z.object(
      Object.fromEntries(comparisonRows.map((row) => [row, wordsByTier])) as Record<
        (typeof comparisonRows)[number],
        typeof wordsByTier
      >,
    ),
    recommendations: wordsByTier,
    experience: z.object({ title: text, text }),
  }),
  terms: text,
  addOnImages: z.record(text, text),
  business: z.object({
    name: text,
    phone: text,
    bookingUrl: text,
    dropOffSites: z.array(z.object({ name: text, note: text })),
  }),
  more: z.record(text, z.unknown()),
});

const payload = z.object({ version: z.int(), settings: storedSettings, by: text }) satisfies z.ZodType<
  Omit<SettingsChanged, 'type'>
>;

/** How an older payload becomes the next version's, as in `ledger/stored-event.ts`. */
const schemaVersion = 1;

export type StoredSettingsRow = { readonly type: string; readonly schema_version: number; readonly payload: string };

/**
 * Reads an event of the stream `settings` back.
 * @throws when it is not one that this program knows: prices that cannot be read are not guessed.
 */
export function decodeSettingsChanged(row: StoredSettingsRow): SettingsChanged {
  if (row.type !== 'SettingsChanged' || row.schema_version !== schemaVersion) {
    throw new Error(`The ledger holds ${row.type} in version ${row.schema_version}, which this program does not know`);
  }
  return { type: 'SettingsChanged', ...payload.parse(JSON.parse(row.payload)) };
}
