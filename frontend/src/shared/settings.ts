import { builtInPrices, type PriceList, type Tier, tierOffers } from '@kilim/domain/catalog';
import { type Cents, parseDollars } from '@kilim/domain/money';

/** The images that the back office may add, under the specification's names. */
const imageNames = ['pad', 'protection', 'repair'] as const;
export type ImageName = (typeof imageNames)[number];

/** The parts of the order form that the business may change. */
export type Settings = {
  readonly prices: PriceList;
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
  const { tierPrices, tierFeatures, terms, addOnImages, tierComparison } = fieldsOf(given);
  const prices = fieldsOf(tierPrices);
  const features = fieldsOf(tierFeatures);
  const images = fieldsOf(addOnImages);
  return {
    prices: byTier((tier) => priceOf(prices[tier]) ?? builtInPrices[tier]),
    features: byTier((tier) => linesOf(features[tier]) ?? tierOffers[tier].features),
    terms: typeof terms === 'string' ? terms : '',
    addOnImages: Object.fromEntries(
      imageNames.flatMap((name) => (isAddress(images[name]) ? [[name, images[name]]] : [])),
    ),
    tierComparison,
  };
}

/** The own fields of an object. Empty for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

export function byTier<Value>(pick: (tier: Tier) => Value): Record<Tier, Value> {
  return { premium: pick('premium'), midrange: pick('midrange'), economy: pick('economy') };
}

/** A price of zero comes from an empty input, so it counts as missing. */
function priceOf(value: unknown): Cents | undefined {
  const price = typeof value === 'number' ? parseDollars(value) : undefined;
  return price === undefined || price === 0 ? undefined : price;
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
