import { type Tier, tierOffers } from '@kilim/domain/catalog';
import { parseDay } from '@kilim/domain/day';
import { type Cents, parseDollars } from '@kilim/domain/money';
import { parsePercent } from '@kilim/domain/percent';
import { builtInRates, type Rates } from '@kilim/domain/rates';
import type { Inches } from '@kilim/domain/rug';
import { builtInSizePresets, isOrderable, type SizePreset } from '@kilim/domain/size-presets';
import { type Fields, fieldsOf, type Settings } from './settings.ts';

/** The specification's names. */
const imageNames = ['pad', 'protection', 'repair'] as const;
export type ImageName = (typeof imageNames)[number];

export type Offer = {
  /** Not binding: the server computes the charged amount. */
  readonly rates: Rates;
  readonly features: Readonly<Record<Tier, readonly string[]>>;
  readonly addOnImages: Readonly<Partial<Record<ImageName, string>>>;
  readonly sizePresets: readonly SizePreset[];
};

const parsed = new WeakMap<Settings, Offer>();

/**
 * Replaces each invalid setting with the built-in one, because one error must not break the form. The same settings
 * give the same object, so that components can compare its parts. The checkout and the receipt do not load this module.
 */
export function offerOf(settings: Settings): Offer {
  const offer = parsed.get(settings) ?? parseOffer(settings.given);
  parsed.set(settings, offer);
  return offer;
}

function parseOffer(given: Fields): Offer {
  const features = fieldsOf(given['tierFeatures']);
  const images = fieldsOf(given['addOnImages']);
  return {
    rates: ratesOf(given),
    features: byTier((tier) => linesOf(features[tier]) ?? tierOffers[tier].features),
    addOnImages: Object.fromEntries(
      imageNames.flatMap((name) => (isAddress(images[name]) ? [[name, images[name]]] : [])),
    ),
    sizePresets: sizePresetsOf(given['sizePresets']),
  };
}

export function byTier<Value>(pick: (tier: Tier) => Value): Record<Tier, Value> {
  return { premium: pick('premium'), midrange: pick('midrange'), economy: pick('economy') };
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
    largestOrder: amountOf(given['largestOrder']) ?? builtIn.largestOrder,
  };
}

/** Zero comes from an empty input, so it counts as missing. */
function priceOf(value: unknown): Cents | undefined {
  return amountOf(value) || undefined;
}

function amountOf(value: unknown): Cents | undefined {
  return typeof value === 'number' ? parseDollars(value) : undefined;
}

/** The built-in ones unless all are sizes. The business may offer none. */
function sizePresetsOf(given: unknown): readonly SizePreset[] {
  if (!Array.isArray(given)) return builtInSizePresets;
  const presets = given
    .map(fieldsOf)
    .map(({ width, length }) => ({ width: inchesOf(width), length: inchesOf(length) }));
  return presets.every(isOrderable) ? presets : builtInSizePresets;
}

/** Zero, which is no size, if it is not whole inches. */
function inchesOf(value: unknown): Inches {
  return (Number.isSafeInteger(value) ? value : 0) as Inches;
}

/** Without blank and duplicate lines. The business may list no features. */
function linesOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || !value.every((line) => typeof line === 'string')) return undefined;
  return [...new Set(value.map((line) => line.trim()).filter((line) => line !== ''))];
}

/** https URLs and paths on this host: not `javascript:`, nor URLs like `//host` that look like paths. */
function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^(https:\/\/|\/(?![/\\]))\S+$/.test(value);
}
