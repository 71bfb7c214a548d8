import { type Tier, tierOffers, tiers } from '../catalog.ts';
import type { Day } from '../day.ts';
import { type Cents, cents, noCents } from '../money.ts';
import { builtInRefundLimits, type RefundLimits } from '../people/refund-limits.ts';
import type { Millipercent } from '../percent.ts';
import { builtInPickupPlan, type PickupPlan } from '../pickup-plan.ts';
import { builtInRates, pricedAddOns, type Rates } from '../rates.ts';
import { builtInSizePresets, type SizePreset } from '../size-presets.ts';
import { type TierComparison, tierComparison } from '../tier-comparison.ts';
import type { FirstDay } from './first-day.ts';

export type BusinessDetails = {
  readonly name: string;
  readonly phone: string;
  readonly bookingUrl: string;
  readonly dropOffSites: readonly DropOffSite[];
};

export type DropOffSite = {
  readonly name: string;
  readonly note: string;
  /** One line, as a map finds it: `1234 Sepulveda Blvd, Los Angeles, CA 90025`. */
  readonly address?: string;
  /** `Mon-Sat 9 am-5 pm` */
  readonly hours?: string;
  /** A map, or a page about the site. */
  readonly link?: string;
};

/** Holds until the day of the next one. */
export type SalesTaxRate = { readonly since: Day; readonly millipercent: Millipercent };

/** Saved as a whole (specification, section 3). */
export type Settings = Omit<Rates, 'salesTax'> & {
  /** At least one, oldest first, one for a day. */
  readonly salesTax: { readonly name: string; readonly rates: readonly SalesTaxRate[] };
  readonly pickupPlan: PickupPlan;
  readonly sizePresets: readonly SizePreset[];
  readonly tierFeatures: Readonly<Record<Tier, readonly string[]>>;
  readonly tierComparison: TierComparison;
  /** Markup from a short list of allowed elements. */
  readonly terms: string;
  /** By subject: `pad`, `protection`, `repair`. */
  readonly addOnImages: Readonly<Record<string, string>>;
  readonly business: BusinessDetails;
  /** A refund, reimbursement or write-off above this sends the shop a mail. */
  readonly notices: { readonly above: Cents };
  readonly refundLimits: RefundLimits;
  /** Whole months after the order's last event; null: until a person erases the contact. */
  readonly contactRetention: { readonly months: number | null };
  readonly intake: {
    /** The customer is not asked for a smaller difference. */
    readonly waiveBelow: Cents;
    /** What customers and technicians read: with or without fringes. */
    readonly measuring: string;
    readonly collectWithinDays: number;
  };
  readonly firstDay: FirstDay;
  /** Kept unchanged: this version of the program does not know them. */
  readonly more: Readonly<Record<string, unknown>>;
};

/** The version is the event's place in the stream `settings`. */
export type SettingsChanged = {
  readonly type: 'SettingsChanged';
  readonly version: number;
  readonly settings: Settings;
  readonly by: string;
};

/** A save must name the version; 0 is the built-in catalogue. */
export type VersionedSettings = {
  readonly version: number;
  readonly settings: Settings;
  /** No server recorded the limits on refunds: they are lowered, and must be saved again. */
  readonly isUnproven?: boolean;
};

export const settingsLimits = {
  /** Of a tier. Add-ons and pickup may be free. */
  lowestPrice: cents(1),
  highestPrice: cents(100_000),
  highestMinimum: cents(1_000_000),
  /** Below, the limit would refuse ordinary orders. */
  lowestLargestOrder: cents(100_000),
  highestLargestOrder: cents(5_000_000),
  highestTaxRate: 30_000 as Millipercent,
  mostTaxRates: 50,
  longestTaxName: 40,
  mostZipCodes: 1000,
  mostPickupsPerDay: 500,
  mostClosedDays: 100,
  mostSizePresets: 12,
  mostFeatures: 20,
  longestLine: 200,
  longestTerms: 20_000,
  mostImages: 20,
  longestAddress: 500,
  mostDropOffSites: 10,
  shortestRetentionMonths: 3,
  longestRetentionMonths: 120,
  mostCollectDays: 365,
  mostUnknownFields: 50,
  /** Characters of JSON. */
  largest: 64 * 1024,
} as const;

export type AmountField = { readonly path: string; readonly lowest: Cents; readonly highest: Cents };

const ofPrice = { lowest: noCents, highest: settingsLimits.highestPrice };
const ofMinimum = { lowest: noCents, highest: settingsLimits.highestMinimum };

export const amountFields: readonly AmountField[] = [
  ...tiers.flatMap((tier) => [
    { path: `tierPrices.${tier}`, ...ofPrice, lowest: settingsLimits.lowestPrice },
    { path: `tierMinimums.${tier}`, ...ofMinimum },
  ]),
  ...pricedAddOns.map((addOn) => ({ path: `addOnPrices.${addOn}`, ...ofPrice })),
  { path: 'pickup.price', ...ofPrice },
  { path: 'pickup.minimumOrder', ...ofMinimum },
  { path: 'largestOrder', lowest: settingsLimits.lowestLargestOrder, highest: settingsLimits.highestLargestOrder },
  { path: 'notices.above', ...ofMinimum },
  { path: 'intake.waiveBelow', ...ofMinimum },
];

export function isAmount(path: string): boolean {
  return isRefundLimit(path) || amountFields.some((field) => field.path === path);
}

export function isRefundLimit(path: string): boolean {
  return path.startsWith('refundLimits.');
}

/** Until an owner chooses another amount. */
export const builtInNotices: Settings['notices'] = { above: cents(20_000) };

export const builtInContactRetention = { months: 24 } as const satisfies Settings['contactRetention'];

export const builtInIntake: Settings['intake'] = {
  waiveBelow: cents(500),
  measuring: 'Width and length at the widest point, without the fringes.',
  collectWithinDays: 14,
};

export const builtInPricing: Pick<Settings, keyof Rates | 'sizePresets'> = {
  ...builtInRates,
  salesTax: {
    name: builtInRates.salesTax.name,
    rates: [{ since: builtInRates.salesTax.since, millipercent: builtInRates.salesTax.millipercent }],
  },
  sizePresets: builtInSizePresets,
};

/** Before the first save, with the business of the configuration. */
export function builtInSettingsFor({ name, phone, bookingUrl, dropOffSites }: BusinessDetails): VersionedSettings {
  return {
    version: 0,
    settings: {
      ...builtInPricing,
      pickupPlan: builtInPickupPlan,
      tierFeatures: {
        premium: tierOffers.premium.features,
        midrange: tierOffers.midrange.features,
        economy: tierOffers.economy.features,
      },
      tierComparison,
      terms: '',
      addOnImages: {},
      business: { name, phone, bookingUrl, dropOffSites },
      notices: builtInNotices,
      refundLimits: builtInRefundLimits,
      contactRetention: builtInContactRetention,
      intake: builtInIntake,
      firstDay: { settled: [], isHidden: false },
      more: {},
    },
  };
}

export function ratesOn(settings: Settings, day: Day): Rates {
  const { tierPrices, tierMinimums, addOnPrices, pickup, salesTax, largestOrder } = settings;
  const taxRate = taxRateOn(salesTax.rates, day);
  return { tierPrices, tierMinimums, addOnPrices, pickup, salesTax: { name: salesTax.name, ...taxRate }, largestOrder };
}

/** The last rate that has begun, or the first one before that. */
export function taxRateOn(rates: readonly SalesTaxRate[], day: Day): SalesTaxRate {
  const rate = rates.findLast(({ since }) => since <= day) ?? rates[0];
  if (rate === undefined) throw new RangeError('The sales tax has no rate');
  return rate;
}
