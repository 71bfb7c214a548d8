import { builtInPrices, type PriceList, type Tier, tierOffers } from '../catalog.ts';
import { type Cents, cents } from '../money.ts';
import { ok, type Result, rejected } from '../result.ts';
import { type TierComparison, tierComparison } from '../tier-comparison.ts';

/** How customers reach the business, and where they drop off their rugs. */
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
};

/**
 * The administrator's settings of the order form. They are saved as a whole (specification, section
 * 3).
 */
export type Settings = {
  /** Per square foot. */
  readonly tierPrices: PriceList;
  readonly tierFeatures: Readonly<Record<Tier, readonly string[]>>;
  readonly tierComparison: TierComparison;
  /** Markup from a short list of allowed elements; empty when there are none. */
  readonly terms: string;
  /** Image addresses by subject: `pad`, `protection`, `repair`. */
  readonly addOnImages: Readonly<Record<string, string>>;
  readonly business: BusinessDetails;
  /** Fields that this version of the program does not know. They are kept unchanged. */
  readonly more: Readonly<Record<string, unknown>>;
};

/** All settings of one save. The version is the event's place in the stream `settings`. */
export type SettingsChanged = {
  readonly type: 'SettingsChanged';
  readonly version: number;
  readonly settings: Settings;
  /** The administrator's name. */
  readonly by: string;
};

/** Settings with the version that a save must name; 0 is the built-in catalogue. */
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
  /** Characters of all settings as JSON. */
  largest: 64 * 1024,
} as const;

/**
 * The settings before the first save: the built-in catalogue, and the business from the
 * configuration.
 */
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
  /** The version that the administrator saw. */
  readonly expectedVersion: number;
  readonly by: string;
};

export type SettingsRejection =
  /** Another save came first, or the version never existed. */
  | { readonly code: 'ChangedMeanwhile'; readonly expected: number; readonly current: number }
  | { readonly code: 'PriceOutOfRange'; readonly tier: Tier; readonly lowest: Cents; readonly highest: Cents };

/**
 * Saves all settings. To save unchanged settings records nothing, from any version: no change can
 * be lost by it, so a save can be retried after a lost answer.
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

/** A field that differs, by its path (`tierPrices.premium`); an absent value is `undefined`. */
export type SettingsDifference = { readonly path: string; readonly before: unknown; readonly after: unknown };

/**
 * The fields in which two settings differ, in field order. A list is one field, because people edit
 * it as one.
 */
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

/** Whether two JSON values are equal, whatever the order of their keys. */
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
