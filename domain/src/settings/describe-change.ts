import { type Tier, tierOffers, tiers } from '../catalog.ts';
import { type Cents, formatDollars } from '../money.ts';
import { comparisonRows } from '../tier-comparison.ts';
import { differencesBetween, type Settings, type SettingsDifference } from './settings.ts';

const rowNames = {
  washProcess: 'Wash Process',
  washingCoverage: 'Washing Coverage',
  waterSaturation: 'Water Saturation',
  deDusting: 'De-dusting Treatment',
  tierPerks: 'Tier Perks',
  specialBonuses: 'Special Bonuses',
} satisfies Record<(typeof comparisonRows)[number], string>;

const namesByTier: readonly (readonly [string, string])[] = tiers.flatMap((tier) => {
  const { name } = tierOffers[tier];
  return [
    [`tierPrices.${tier}`, `${name} price per sq ft`],
    [`tierFeatures.${tier}`, `${name} features`],
    [`tierComparison.recommendations.${tier}`, `${name} recommendation`],
    ...comparisonRows.map((row) => [`tierComparison.rows.${row}.${tier}`, `${rowNames[row]}, ${name}`] as const),
  ] as const;
});

/** Names of fields in the settings form, by path. */
const fieldNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(namesByTier),
  'tierComparison.experience.title': 'Experience title',
  'tierComparison.experience.text': 'Experience text',
  terms: 'Terms',
  'business.name': 'Business name',
  'business.phone': 'Business phone',
  'business.bookingUrl': 'Booking link',
  'business.dropOffSites': 'Drop-off sites',
};

/** The name of a field in texts for people. */
export function fieldName(path: string): string {
  const [, image] = /^addOnImages\.(.+)$/.exec(path) ?? [];
  if (image !== undefined) return `${image.charAt(0).toUpperCase()}${image.slice(1)} image`;
  return fieldNames[path] ?? path;
}

/** The changes of a save for the history of the settings, a sentence for each field. */
export function describeChange(before: Settings, after: Settings): readonly string[] {
  return differencesBetween(before, after).map(sentenceOf);
}

function sentenceOf({ path, before, after }: SettingsDifference): string {
  const name = fieldName(path);
  if (path.startsWith('tierPrices.')) {
    return `${name}: ${formatDollars(before as Cents)} → ${formatDollars(after as Cents)}`;
  }
  if (path.startsWith('tierFeatures.')) return `${name}: ${listChange(before, after)}`;
  if (before === undefined) return `${name} added`;
  if (after === undefined) return `${name} removed`;
  const short = (value: unknown) => typeof value === 'string' && value !== '' && value.length <= 60;
  return short(before) && short(after) ? `${name}: “${String(before)}” → “${String(after)}”` : `${name} changed`;
}

function listChange(before: unknown, after: unknown): string {
  const earlier = before as Settings['tierFeatures'][Tier];
  const later = after as Settings['tierFeatures'][Tier];
  const added = later.filter((line) => !earlier.includes(line)).map((line) => `added “${line}”`);
  const removed = earlier.filter((line) => !later.includes(line)).map((line) => `removed “${line}”`);
  return added.length + removed.length === 0 ? 'in another order' : [...added, ...removed].join(', ');
}
