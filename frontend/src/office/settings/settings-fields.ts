import { tiers } from '@kilim/domain/catalog';
import { type Day, parseDay, type Weekday, weekdays } from '@kilim/domain/day';
import { formatDay } from '@kilim/domain/format-day';
import { cents, formatDollars } from '@kilim/domain/money';
import type { ClosedDays } from '@kilim/domain/pickup-plan';
import { pricedAddOns } from '@kilim/domain/rates';
import { formatSize } from '@kilim/domain/rug';
import { closedDaysText } from '@kilim/domain/settings/describe-change';
import { type DropOffSite, isAmount } from '@kilim/domain/settings/settings';
import type { SizePreset } from '@kilim/domain/size-presets';
import { comparisonRows } from '@kilim/domain/tier-comparison';
import { readSize } from '../../order-form/size-text.ts';
import type { AdminSettings } from '../shared/settings/settings-calls.ts';

// Paths, texts in the form, and values on the wire.

export const tierPaths = tiers.flatMap((tier) => [`tierPrices.${tier}`, `tierMinimums.${tier}`]);
export const pickupPaths = ['pickup.price', 'pickup.minimumOrder'];
export const zipCodesPath = 'pickupPlan.zipCodes';
export const windowsPath = 'pickupPlan.windows';
export const mostPerDayPath = 'pickupPlan.mostPerDay';
export const closedDaysPath = 'pickupPlan.closedDays';
/** Its text has a window per line. */
export function windowsPathOf(weekday: Weekday): string {
  return `${windowsPath}.${weekday}`;
}
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
export const waiveBelowPath = 'intake.waiveBelow';
export const measuringPath = 'intake.measuring';
export const collectDaysPath = 'intake.collectWithinDays';
export const termsPath = 'terms';
export const taxNamePath = 'salesTax.name';
export const taxRatesPath = 'salesTax.rates';
export const presetsPath = 'sizePresets';
export const sitesPath = 'business.dropOffSites';

export const textPaths = [
  ...tierPaths,
  ...pricedAddOns.map((addOn) => `addOnPrices.${addOn}`),
  ...pickupPaths,
  ...[zipCodesPath, mostPerDayPath, closedDaysPath, ...weekdays.map(windowsPathOf)],
  ...largestOrderPaths,
  ...[taxNamePath, presetsPath],
  ...featurePaths,
  ...comparisonPaths,
  termsPath,
  ...businessPaths,
  ...noticePaths,
  ...[waiveBelowPath, measuringPath, collectDaysPath],
];

export type WireTaxRate = AdminSettings['salesTax']['rates'][number];

export function textOf(path: string, value: unknown): string {
  if (isAmount(path) && typeof value === 'number') return value.toFixed(2);
  if (path === presetsPath && Array.isArray(value)) return (value as SizePreset[]).map(formatSize).join('\n');
  if (path === closedDaysPath && Array.isArray(value)) return (value as ClosedDays[]).map(closedDaysText).join('\n');
  if (Array.isArray(value)) return value.join(path === zipCodesPath ? ', ' : '\n');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function valueFor(path: string, text: string): unknown {
  if (isAmount(path)) return withoutSigns(text);
  if (path === presetsPath) return linesIn(text).map((line) => presetIn(line) ?? line);
  if (path === zipCodesPath) return zipCodesIn(text);
  if (path === closedDaysPath) return linesIn(text).map((line) => closedDaysIn(line) ?? line);
  if (path === mostPerDayPath) return text.trim() === '' ? null : (countIn(text) ?? text);
  if (path === collectDaysPath) return countIn(text) ?? text;
  if (path.startsWith('tierFeatures.') || path.startsWith(windowsPath)) return linesIn(text);
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

export function countIn(text: string): number | undefined {
  return /^\s*\d{1,4}\s*$/.test(text) ? Number(text) : undefined;
}

export function zipCodesIn(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter((code) => code !== '');
}

/** `2026-12-25`, `12/25/2026`, or two of them with `to` between. */
export function closedDaysIn(line: string): ClosedDays | undefined {
  const [from, to = from, ...more] = line.split(/\s(?:to|-|–)\s/).map((day) => dayIn(day.trim()));
  return from === undefined || to === undefined || more.length > 0 ? undefined : { from, to };
}

function dayIn(text: string): Day | undefined {
  const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  return parseDay(year === '' ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
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
  if (path === closedDaysPath) return linesIn(textOf(path, value)).join('; ');
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
