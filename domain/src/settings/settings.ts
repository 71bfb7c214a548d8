import { builtInPrices, type PriceList, type Tier, tierOffers } from '../catalog.ts';
import { type Cents, cents } from '../money.ts';
import { ok, type Result, rejected } from '../result.ts';
import { type TierComparison, tierComparison } from '../tier-comparison.ts';

/** How people reach the business, and where they leave their rugs. */
export type BusinessDetails = {
  readonly name: string;
  readonly phone: string;
  readonly bookingUrl: string;
  readonly dropOffSites: readonly DropOffSite[];
};

export type DropOffSite = { readonly name: string; readonly note: string };

/** What the administrator decides about the order form. It is held and saved whole (specification, section 3). */
export type Settings = {
  /** Per square foot. */
  readonly tierPrices: PriceList;
  readonly tierFeatures: Readonly<Record<Tier, readonly string[]>>;
  readonly tierComparison: TierComparison;
  /** Markup from a short list of allowed elements; empty when there are none. */
  readonly terms: string;
  /** Addresses by what they show: `pad`, `protection`, `repair`. */
  readonly addOnImages: Readonly<Record<string, string>>;
  readonly business: BusinessDetails;
  /** Fields that this version of the program knows nothing of: kept as they came. */
  readonly more: Readonly<Record<string, unknown>>;
};

/** The whole object as it was saved. Its version is its place in the stream `settings`. */
export type SettingsChanged = {
  readonly type: 'SettingsChanged';
  readonly version: number;
  readonly settings: Settings;
  /** The administrator's name. */
  readonly by: string;
};

/** Settings with the version that a save has to name: 0 is the built-in catalogue. */
export type VersionedSettings = { readonly version: number; readonly settings: Settings };

export const settingsLimits = {
  lowestPrice: cents(1),
  highestPrice: cents(100_000),
  mostFeatures: 20,
  longestLine: 200,
  longestTerms: 20_000,
  mostImages: 20,
  longestAddress: 500,
  mostDropOffSites: 10,
  mostUnknownFields: 50,
  /** Characters of everything together, as JSON. */
  largest: 64 * 1024,
} as const;

/** Before anybody has changed anything: the built-in catalogue, and the business as the operator configured it. */
export function builtInSettingsFor({ name, phone, bookingUrl, dropOffSites }: BusinessDetails): VersionedSettings {
  return {
    version: 0,
    settings: {
      tierPrices: builtInPrices,
      tierFeatures: {
        premium: tierOffers.premium.features,
        midrange: tierOffers.midrange.features,
        economy: tierOffers.economy.features,
      },
      tierComparison,
      terms: '',
      addOnImages: {},
      business: { name, phone, bookingUrl, dropOffSites },
      more: {},
    },
  };
}

export type ChangeSettings = {
  readonly settings: Settings;
  /** The version that the administrator was looking at. */
  readonly expectedVersion: number;
  readonly by: string;
};

export type SettingsRejection =
  /** Somebody saved meanwhile, or the version is one that never was. */
  | { readonly code: 'ChangedMeanwhile'; readonly expected: number; readonly current: number }
  | { readonly code: 'PriceOutOfRange'; readonly tier: Tier; readonly lowest: Cents; readonly highest: Cents };

/**
 * Saves the settings whole. Saving what is saved already changes nothing, from whichever version it started: nothing of anybody's
 * is lost by it, and a save whose answer was lost may be repeated.
 */
export function decideChange(
  command: ChangeSettings,
  current: VersionedSettings,
): Result<SettingsChanged | undefined, SettingsRejection> {
  const { settings, expectedVersion, by } = command;
  const { lowestPrice: lowest, highestPrice: highest } = settingsLimits;
  for (const [tier, price] of Object.entries(settings.tierPrices) as [Tier, Cents][]) {
    if (price < lowest || price > highest) return rejected({ code: 'PriceOutOfRange', tier, lowest, highest });
  }
  if (differencesBetween(current.settings, settings).length === 0) return ok(undefined);
  if (expectedVersion !== current.version) {
    return rejected({ code: 'ChangedMeanwhile', expected: expectedVersion, current: current.version });
  }
  return ok({ type: 'SettingsChanged', version: current.version + 1, settings, by });
}

/** One field in which two settings differ, by its path (`tierPrices.premium`); absent is `undefined`. */
export type SettingsDifference = { readonly path: string; readonly before: unknown; readonly after: unknown };

/** Where two settings differ, in the order in which the fields stand. A list is one field, because people edit it as one. */
export function differencesBetween(before: Settings, after: Settings): readonly SettingsDifference[] {
  const earlier = leavesOf(before);
  const later = leavesOf(after);
  return [...new Set([...earlier.keys(), ...later.keys()])]
    .map((path) => ({ path, before: earlier.get(path), after: later.get(path) }))
    .filter((difference) => !isSame(difference.before, difference.after));
}

function leavesOf(settings: Settings): ReadonlyMap<string, unknown> {
  const { more, ...known } = settings;
  const leaves = new Map<string, unknown>();
  const walk = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) leaves.set(path, value);
    else for (const [key, part] of Object.entries(value)) walk(part, path === '' ? key : `${path}.${key}`);
  };
  walk(known, '');
  for (const [name, value] of Object.entries(more)) leaves.set(name, value);
  return leaves;
}

/** Whether two JSON values say the same; the order of an object's keys says nothing. */
function isSame(first: unknown, second: unknown): boolean {
  if (typeof first !== 'object' || typeof second !== 'object' || first === null || second === null) {
    return first === second;
  }
  if (Array.isArray(first) !== Array.isArray(second)) return false;
  const parts = new Map(Object.entries(first));
  const others = Object.entries(second);
  return (
    parts.size === others.length && others.every(([key, value]) => parts.has(key) && isSame(parts.get(key), value))
  );
}
