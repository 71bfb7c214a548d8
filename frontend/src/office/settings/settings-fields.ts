import { tiers } from '@kilim/domain/catalog';
import { type Day, parseDay } from '@kilim/domain/day';
import { formatDay } from '@kilim/domain/format-day';
import { cents, formatDollars } from '@kilim/domain/money';
import { pricedAddOns } from '@kilim/domain/rates';
import { formatSize } from '@kilim/domain/rug';
import { type DropOffSite, isAmount } from '@kilim/domain/settings/settings';
import type { SizePreset } from '@kilim/domain/size-presets';
import { comparisonRows } from '@kilim/domain/tier-comparison';
import { readSize } from '../../order-form/size-text.ts';
import type { AdminSettings } from '../shared/settings/settings-calls.ts';

// Paths, texts in the form, and values on the wire.

export const tierPaths = tiers.flatMap((tier) => [`tierPrices.${tier}`, `tierMinimums.${tier}`]);
export const pickupPaths = ['pickup.price', 'pickup.minimumOrder'];
export const largestOrderPaths = ['largestOrder'];
export const featurePaths = tiers.map((tier) => `tierFeatures.${tier}`);
export const comparisonPaths = [
  ...comparisonRows.flatMap((row) => tiers.map((tier) => `tierComparison.rows.${row}.${tier}`)),
  ...tiers.map((tier) => `tierComparison.recommendations.${tier}`),
  'tierComparison.experience.title',
  'tierComparison.experience.text',
];
export const businessPaths = ['business.name', 'business.phone', 'business.bookingUrl'];
export const noticePaths = ['notices.above'];
export const termsPath = 'terms';
export const taxNamePath = 'salesTax.name';
export const taxRatesPath = 'salesTax.rates';
export const presetsPath = 'sizePresets';
export const sitesPath = 'business.dropOffSites';

export const textPaths = [
  ...tierPaths,
  ...pricedAddOns.map((addOn) => `addOnPrices.${addOn}`),
  ...pickupPaths,
  ...largestOrderPaths,
  ...[taxNamePath, presetsPath],
  ...featurePaths,
  ...comparisonPaths,
  termsPath,
  ...businessPaths,
  ...noticePaths,
];

export type WireTaxRate = AdminSettings['salesTax']['rates'][number];

export function textOf(path: string, value: unknown): string {
  if (isAmount(path) && typeof value === 'number') return value.toFixed(2);
  if (path === presetsPath && Array.isArray(value)) return (value as SizePreset[]).map(formatSize).join('\n');
  if (Array.isArray(value)) return value.join('\n');
  return typeof value === 'string' ? value : '';
}

export function valueFor(path: string, text: string): unknown {
  if (isAmount(path)) return withoutSigns(text);
  if (path === presetsPath) return linesIn(text).map((line) => presetIn(line) ?? line);
  if (path.startsWith('tierFeatures.')) return linesIn(text);
  return path === termsPath ? text : text.trim();
}

/** People write `$`, and commas for thousands. */
export function withoutSigns(text: string): string {
  return text
    .replace('$', '')
    .replaceAll(/,(?=\d{3})/g, '')
    .trim();
}

export function linesIn(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** In any notation of the order form. */
export function presetIn(line: string): SizePreset | undefined {
  const { size } = readSize(line);
  return size?.second === undefined ? undefined : { width: size.first, length: size.second };
}

export function wordsFor(path: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (isAmount(path) && typeof value === 'number') return formatDollars(cents(Math.round(value * 100)));
  if (path === taxRatesPath) return (value as readonly WireTaxRate[]).map(rateWords).join('; ');
  if (path === presetsPath) return linesIn(textOf(path, value)).join('; ');
  if (path === sitesPath) return (value as readonly DropOffSite[]).map(siteWords).join('; ');
  return Array.isArray(value) ? value.map(String).join('; ') : String(value);
}

function rateWords({ percent, since }: WireTaxRate): string {
  return `${percent} % from ${dayWords(since)}`;
}

/** `April 1, 2027` */
export function dayWords(day: string): string {
  const known: Day | undefined = parseDay(day);
  return known === undefined ? day : formatDay(known);
}

function siteWords(site: DropOffSite): string {
  return [site.name, site.note, site.address, site.hours, site.link]
    .filter((part) => part !== undefined && part !== '')
    .join(', ');
}
