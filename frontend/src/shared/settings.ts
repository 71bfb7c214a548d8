import { parseDay } from '@kilim/domain/accounting/day';
import { type Tier, tierOffers } from '@kilim/domain/catalog';
import { type Cents, parseDollars } from '@kilim/domain/money';
import { builtInRates, parsePercent, type Rates } from '@kilim/domain/rates';
import type { Inches } from '@kilim/domain/rug';
import { builtInSizePresets, isOrderable, type SizePreset } from '@kilim/domain/size-presets';

/** The images that the back office may add, under the specification's names. */
const imageNames = ['pad', 'protection', 'repair'] as const;
export type ImageName = (typeof imageNames)[number];

/** The parts of the order form that the business may change. */
export type Settings = {
  readonly rates: Rates;
  readonly sizePresets: readonly SizePreset[];
  readonly features: Readonly<Record<Tier, readonly string[]>>;
  /** May contain markup, unsanitized. Empty if the business has no terms of its own. */
  readonly terms: string;
  readonly addOnImages: Readonly<Partial<Record<ImageName, string>>>;
  /** Not parsed here: the comparison parses it with `comparisonOf` when it opens. */
  readonly tierComparison: unknown;
};

/**
 * Replaces each missing or invalid setting with the built-in one, because an error in one setting
 * must not break the order form. Prices shown here are not binding: the server computes the charged
 * amount.
 */
export function settingsOf(given: unknown): Settings {
  const { tierFeatures, terms, addOnImages, tierComparison, sizePresets, ...rates } = fieldsOf(given);
  const features = fieldsOf(tierFeatures);
  const images = fieldsOf(addOnImages);
  return {
    rates: ratesOf(rates),
    sizePresets: presetsOf(sizePresets) ?? builtInSizePresets,
    features: byTier((tier) => linesOf(features[tier]) ?? tierOffers[tier].features),
    terms: typeof terms === 'string' ? terms : '',
    addOnImages: Object.fromEntries(
      imageNames.flatMap((name) => (isAddress(images[name]) ? [[name, images[name]]] : [])),
    ),
    tierComparison,
  };
}

/** A page that was loaded before an upgrade may lack some rates. */
function ratesOf(given: Fields): Rates {
  const builtIn = builtInRates;
  const prices = fieldsOf(given['tierPrices']);
  const minimums = fieldsOf(given['tierMinimums']);
  const addOns = fieldsOf(given['addOnPrices']);
  const pickup = fieldsOf(given['pickup']);
  const { name, percent, since } = fieldsOf(given['salesTax']);
  return {
    tierPrices: byTier((tier) => priceOf(prices[tier]) ?? builtIn.tierPrices[tier]),
    tierMinimums: byTier((tier) => amountOf(minimums[tier]) ?? builtIn.tierMinimums[tier]),
    addOnPrices: {
      stainProtection: amountOf(addOns['stainProtection']) ?? builtIn.addOnPrices.stainProtection,
      greenPad: amountOf(addOns['greenPad']) ?? builtIn.addOnPrices.greenPad,
    },
    pickup: {
      price: amountOf(pickup['price']) ?? builtIn.pickup.price,
      minimumOrder: amountOf(pickup['minimumOrder']) ?? builtIn.pickup.minimumOrder,
    },
    salesTax: {
      name: typeof name === 'string' && name !== '' ? name : builtIn.salesTax.name,
      millipercent: (typeof percent === 'number' ? parsePercent(percent) : undefined) ?? builtIn.salesTax.millipercent,
      since: (typeof since === 'string' ? parseDay(since) : undefined) ?? builtIn.salesTax.since,
    },
  };
}

/** Undefined unless all are sizes. An empty list is valid: the business may offer no sizes. */
function presetsOf(value: unknown): readonly SizePreset[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const presets = value
    .map(fieldsOf)
    .map(({ width, length }) => ({ width: inchesOf(width), length: inchesOf(length) }));
  return presets.every(isOrderable) ? presets : undefined;
}

/** Zero if it is not whole inches. */
function inchesOf(value: unknown): Inches {
  return (Number.isSafeInteger(value) ? value : 0) as Inches;
}

type Fields = Readonly<Record<string, unknown>>;

/** The own fields of an object. Empty for any other value. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

export function byTier<Value>(pick: (tier: Tier) => Value): Record<Tier, Value> {
  return { premium: pick('premium'), midrange: pick('midrange'), economy: pick('economy') };
}

/** A price of zero comes from an empty input, so it counts as missing. */
function priceOf(value: unknown): Cents | undefined {
  return amountOf(value) || undefined;
}

function amountOf(value: unknown): Cents | undefined {
  return typeof value === 'number' ? parseDollars(value) : undefined;
}

/** Drops blank and duplicate lines. An empty list is valid: the business may list no features. */
function linesOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || !value.every((line) => typeof line === 'string')) return undefined;
  return [...new Set(value.map((line) => line.trim()).filter((line) => line !== ''))];
}

/**
 * Accepts https URLs and paths on this host. Rejects `javascript:` and URLs like `//host` that look
 * like paths.
 */
function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^(https:\/\/|\/(?![/\\]))\S+$/.test(value);
}
