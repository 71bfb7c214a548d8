import { type Tier, tierOffers, tiers } from '../catalog.ts';
import { type Weekday, weekdays } from '../day.ts';
import { formatDay } from '../format-day.ts';
import { type Cents, formatDollars } from '../money.ts';
import { type RefundLimitName, refundingRoles, refundLimitNames } from '../people/refund-limits.ts';
import { decimalPercent } from '../percent.ts';
import type { ClosedDays } from '../pickup-plan.ts';
import { formatSize } from '../rug.ts';
import type { SizePreset } from '../size-presets.ts';
import { comparisonRows } from '../tier-comparison.ts';
import { differencesBetween, type SettingsDifference } from './differences.ts';
import type { SettleableStep } from './first-day.ts';
import { type DropOffSite, isAmount, isRefundLimit, type SalesTaxRate, type Settings, taxRateOn } from './settings.ts';

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
    [`tierMinimums.${tier}`, `${name} minimum per rug`],
    [`tierFeatures.${tier}`, `${name} features`],
    [`tierComparison.recommendations.${tier}`, `${name} recommendation`],
    ...comparisonRows.map((row) => [`tierComparison.rows.${row}.${tier}`, `${rowNames[row]}, ${name}`] as const),
  ] as const;
});

const limitNames = {
  perRefund: 'one refund',
  perPersonAndDay: 'one person and day',
  perShopAndDay: 'the shop and day',
} satisfies Record<RefundLimitName, string>;

/** As the office calls them. */
export const dayNames = {
  monday: 'Monday',
  tuesday: 'Tuesday',
  wednesday: 'Wednesday',
  thursday: 'Thursday',
  friday: 'Friday',
  saturday: 'Saturday',
  sunday: 'Sunday',
} satisfies Record<Weekday, string>;

const namesOfLimits = refundingRoles.flatMap((role) =>
  refundLimitNames.map(
    (limit) => [`refundLimits.${role}.${limit}`, `Limit of ${role}s for ${limitNames[limit]}`] as const,
  ),
);

const namesOfWeekdays = weekdays.map(
  (weekday) => [`pickupPlan.windows.${weekday}`, `Pickup on ${dayNames[weekday]}`] as const,
);

const fieldNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...namesByTier, ...namesOfLimits, ...namesOfWeekdays]),
  'tierComparison.experience.title': 'Experience title',
  'tierComparison.experience.text': 'Experience text',
  'addOnPrices.stainProtection': 'Stain protection per sq ft',
  'addOnPrices.greenPad': 'Green Pad per sq ft',
  'pickup.price': 'Pickup per sq ft',
  'pickup.minimumOrder': 'Minimum order with pickup',
  'pickupPlan.zipCodes': 'ZIP codes served',
  'pickupPlan.windows': 'Days of pickup',
  'pickupPlan.mostPerDay': 'Pickups a day',
  'pickupPlan.closedDays': 'Closed days',
  largestOrder: 'Largest order paid online',
  'salesTax.name': 'Name of the sales tax',
  'salesTax.rates': 'Sales tax rates',
  sizePresets: 'Common sizes',
  terms: 'Terms',
  'business.name': 'Business name',
  'business.phone': 'Business phone',
  'business.bookingUrl': 'Booking link',
  'business.dropOffSites': 'Drop-off sites',
  'notices.above': 'Mail about amounts above',
  refundLimits: 'Limits on refunds',
  'contactRetention.months': 'Contacts are kept',
  'intake.waiveBelow': 'Do not ask for differences below',
  'intake.measuring': 'How rugs are measured',
  'intake.collectWithinDays': 'Days to collect ready rugs',
  'firstDay.settled': 'First day, right as it is',
};

/** Entries of lists are numbered: `salesTax.rates.1.percent`. */
export function fieldName(path: string): string {
  const [, list, place] = /^(.+?)\.(\d+)(?:\..+)?$/.exec(path) ?? [];
  if (list !== undefined) return `${fieldName(list)}, ${Number(place) + 1}`;
  const [, image] = /^addOnImages\.(.+)$/.exec(path) ?? [];
  if (image !== undefined) return `${image.charAt(0).toUpperCase()}${image.slice(1)} image`;
  return fieldNames[path] ?? path;
}

/** Sentences for the history of the settings. */
export function describeChange(before: Settings, after: Settings): readonly string[] {
  return differencesBetween(before, after).flatMap(sentencesOf);
}

export type ToldChanges = {
  /** What customers pay, and the amount from which the shop is told. */
  readonly prices: readonly string[];
  readonly limits: readonly string[];
};

export function describeToldChanges(before: Settings, after: Settings): ToldChanges {
  const differences = differencesBetween(before, after);
  const isPrice = (path: string) => (isAmount(path) && !isRefundLimit(path)) || path.startsWith('salesTax.');
  return {
    prices: differences.filter(({ path }) => isPrice(path)).flatMap(sentencesOf),
    limits: differences.filter(({ path }) => isRefundLimit(path)).flatMap(sentencesOf),
  };
}

function sentencesOf({ path, before, after }: SettingsDifference): readonly string[] {
  const name = fieldName(path);
  if (isAmount(path)) return [`${name}: ${formatDollars(before as Cents)} → ${formatDollars(after as Cents)}`];
  if (path === 'contactRetention.months') return [`${name}: ${periodText(before)} → ${periodText(after)}`];
  if (path === 'firstDay.settled') return [`${name}: ${listChange(stepsIn(before), stepsIn(after))}`];
  if (path === 'firstDay.isHidden') return [after === true ? 'First day: list hidden' : 'First day: list shown again'];
  if (path === 'salesTax.rates') return rateChanges(before as Rates, after as Rates);
  if (path === 'sizePresets') return [`${name}: ${listChange(sizesIn(before), sizesIn(after))}`];
  if (path === 'business.dropOffSites') return [`${name}: ${sitesChange(before as Sites, after as Sites)}`];
  if (path === 'pickupPlan.mostPerDay')
    return [`${name}: ${String(before ?? 'no limit')} → ${String(after ?? 'no limit')}`];
  if (path === 'pickupPlan.closedDays') return [`${name}: ${listChange(closedIn(before), closedIn(after))}`];
  if (path.startsWith('pickupPlan.windows.')) return [`${name}: ${windowsText(before)} → ${windowsText(after)}`];
  if (path === 'pickupPlan.zipCodes' || path.startsWith('tierFeatures.'))
    return [`${name}: ${listChange(before as Lines, after as Lines)}`];
  if (before === undefined) return [`${name} added`];
  if (after === undefined) return [`${name} removed`];
  const short = (value: unknown) => typeof value === 'string' && value !== '' && value.length <= 60;
  return [short(before) && short(after) ? `${name}: “${String(before)}” → “${String(after)}”` : `${name} changed`];
}

type Lines = Settings['tierFeatures'][Tier];
type Rates = readonly SalesTaxRate[];
type Sites = readonly DropOffSite[];

function listChange(before: Lines, after: Lines): string {
  const added = after.filter((line) => !before.includes(line)).map((line) => `added “${line}”`);
  const removed = before.filter((line) => !after.includes(line)).map((line) => `removed “${line}”`);
  return added.length + removed.length === 0 ? 'in another order' : [...added, ...removed].join(', ');
}

/** A renamed site counts as removed and added. */
function sitesChange(before: Sites, after: Sites): string {
  const names = (sites: Sites) => sites.map((site) => site.name);
  const changed = after.filter((site) => {
    const earlier = before.find(({ name }) => name === site.name);
    return earlier !== undefined && partNames.some((part) => earlier[part] !== site[part]);
  });
  const isSameList = names(before).join('\n') === names(after).join('\n');
  return [
    ...changed.map(({ name }) => `changed “${name}”`),
    ...(isSameList ? [] : [listChange(names(before), names(after))]),
  ].join(', ');
}

const partNames = ['note', 'address', 'hours', 'link'] as const satisfies readonly (keyof DropOffSite)[];

/** For each day from which another rate holds. */
function rateChanges(before: Rates, after: Rates): readonly string[] {
  const days = [...new Set([...before, ...after].map(({ since }) => since))].toSorted();
  const changes = days.flatMap((day) => {
    const [earlier, later] = [taxRateOn(before, day), taxRateOn(after, day)];
    if (earlier.millipercent === later.millipercent) return [];
    return [`Sales tax from ${formatDay(day)}: ${percentText(earlier)} → ${percentText(later)}`];
  });
  return changes.length > 0 ? changes : [`${fieldName('salesTax.rates')} changed`];
}

function periodText(months: unknown): string {
  return typeof months === 'number' ? `${months} months` : 'until a person erases them';
}

function percentText({ millipercent }: SalesTaxRate): string {
  return `${decimalPercent(millipercent)} %`;
}

function closedIn(spans: unknown): Lines {
  return (spans as readonly ClosedDays[]).map(closedDaysText);
}

/** `2026-12-25`, or `2026-12-24 to 2026-12-26` */
export function closedDaysText({ from, to }: ClosedDays): string {
  return from === to ? from : `${from} to ${to}`;
}

function windowsText(windows: unknown): string {
  return (windows as Lines).join(', ') || 'none';
}

const stepNames = {
  sites: 'Drop-off sites',
  prices: 'Prices',
  tax: 'Sales tax',
  terms: 'Terms',
  pickup: 'Pickup',
  mail: 'Mails',
} satisfies Record<SettleableStep, string>;

function stepsIn(steps: unknown): Lines {
  return (steps as readonly SettleableStep[]).map((step) => stepNames[step]);
}

function sizesIn(presets: unknown): Lines {
  return (presets as readonly SizePreset[]).map(formatSize);
}
