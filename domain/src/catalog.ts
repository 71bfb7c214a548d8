import type { Day } from './accounting/day.ts';
import { type Cents, cents } from './money.ts';

/** The cleaning tiers, in the order in which they are always shown (specification, section 4). */
export const tiers = ['premium', 'midrange', 'economy'] as const;
export type Tier = (typeof tiers)[number];

export type TierOffer = {
  readonly name: string;
  readonly description: string;
  readonly features: readonly string[];
  /** Per square foot, without pickup. */
  readonly price: Cents;
  /** The minimum price of one rug in this tier, before add-ons. */
  readonly minimumCharge: Cents;
};

/**
 * The built-in offer (specification, sections 3 and 9). Settings may replace prices and features;
 * minimums, add-ons, tax and delivery are the business's own constants.
 */
export const tierOffers: Readonly<Record<Tier, TierOffer>> = {
  premium: {
    name: 'Premium',
    description: 'Deep clean with premium restoration',
    features: ['Museum-quality clean', 'Fiber protection', '3-day turnaround'],
    price: cents(595),
    minimumCharge: cents(13_500),
  },
  midrange: {
    name: 'Midrange',
    description: 'Enhanced cleaning with stain treatment',
    features: ['Deep cleaning', 'Stain treatment', '5-day turnaround'],
    price: cents(395),
    minimumCharge: cents(10_500),
  },
  economy: {
    name: 'Economy',
    description: 'Basic cleaning with standard care',
    features: ['Basic hand cleaning', 'Dust removal', '7-day turnaround'],
    price: cents(195),
    minimumCharge: cents(7_500),
  },
};

/**
 * Prices of add-ons per square foot. Premium includes stain protection; the repair inspection is
 * free.
 */
export const stainProtectionPrice = cents(250);
export const greenPadPrice = cents(350);

/**
 * White Glove Pickup & Delivery: per square foot of the whole order, with a minimum for the whole
 * order.
 */
export const deliveryPrice = cents(50);
export const deliveryMinimumOrder = cents(40_000);

/** California sales tax on add-ons, in hundredths of a percent: 9.75 %. */
export const salesTaxBasisPoints = 975;
/**
 * The first day of this rate, which the sales tax report shows. The specification names none: it is the first day of
 * the books, because no order was ever charged another rate.
 */
export const salesTaxSince = '2000-01-01' as Day;

/** Limits of one order. They keep every product of sizes and prices an exact integer. */
export const largestSideInches = 1200;
export const smallestAreaSquareInches = 72;
export const mostRugsPerOrder = 50;

/** Current prices per square foot: from the settings, or the built-in offer. */
export type PriceList = Readonly<Record<Tier, Cents>>;

export const builtInPrices: PriceList = {
  premium: tierOffers.premium.price,
  midrange: tierOffers.midrange.price,
  economy: tierOffers.economy.price,
};

export const deliveryOptions = ['dropoff', 'pickup'] as const;
export type DeliveryOption = (typeof deliveryOptions)[number];
