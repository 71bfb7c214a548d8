import { builtInPrices, type PriceList, type Tier, tierOffers } from '@kilim/domain/catalog';
import { type Cents, parseDollars } from '@kilim/domain/money';

/** The pictures that the back office may add, under the specification's names. */
const imageNames = ['pad', 'protection', 'repair'] as const;
export type ImageName = (typeof imageNames)[number];

/** What the business may change about the order form. */
export type Settings = {
  readonly prices: PriceList;
  readonly features: Readonly<Record<Tier, readonly string[]>>;
  /** As it was written, markup and all. Empty when there is none. */
  readonly terms: string;
  readonly addOnImages: Readonly<Partial<Record<ImageName, string>>>;
  /** Unread: the comparison reads it when it is opened, with `comparisonOf`. */
  readonly tierComparison: unknown;
};

/**
 * Takes each setting that is fit for use, and the built-in offer for each that is missing or is not: a slip in one of them must
 * not take the form away. Whatever the page then shows, the server has the last word on what is charged.
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

/** The fields of anything: none, unless it is an object of its own. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function byTier<Value>(pick: (tier: Tier) => Value): Record<Tier, Value> {
  return { premium: pick('premium'), midrange: pick('midrange'), economy: pick('economy') };
}

/** A tier that costs nothing is somebody's empty box. */
function priceOf(value: unknown): Cents | undefined {
  const price = typeof value === 'number' ? parseDollars(value) : undefined;
  return price === undefined || price === 0 ? undefined : price;
}

/** Lines that say something, each once. An empty list is a choice. */
function linesOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || !value.every((line) => typeof line === 'string')) return undefined;
  return [...new Set(value.map((line) => line.trim()).filter((line) => line !== ''))];
}

/** An image of our own or from a secure host: nothing that a page could run, and no host that only looks like a path. */
function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^(https:\/\/|\/(?![/\\]))\S+$/.test(value);
}
