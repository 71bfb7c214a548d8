import type { Tier } from './catalog.ts';
import type { Day } from './day.ts';
import { type Cents, cents } from './money.ts';
import type { Millipercent } from './percent.ts';
import type { RugAddOn } from './rug.ts';

export type SalesTax = {
  /** As receipts name it. */
  readonly name: string;
  readonly millipercent: Millipercent;
  readonly since: Day;
};

/** Those that cost something. Premium includes stain protection; the repair inspection is free. */
export const pricedAddOns = ['stainProtection', 'greenPad'] as const satisfies readonly RugAddOn[];
export type PricedAddOn = (typeof pricedAddOns)[number];

/** Prices are per square foot. */
export type Rates = {
  /** Without pickup. */
  readonly tierPrices: Readonly<Record<Tier, Cents>>;
  /** Of one rug, before add-ons. */
  readonly tierMinimums: Readonly<Record<Tier, Cents>>;
  readonly addOnPrices: Readonly<Record<PricedAddOn, Cents>>;
  /** A price for all rugs' area, and a minimum for the order. */
  readonly pickup: { readonly price: Cents; readonly minimumOrder: Cents };
  readonly salesTax: SalesTax;
  /** A total above it is not paid online: the customer calls the shop. */
  readonly largestOrder: Cents;
};

/** Before the first save of settings (specification, sections 3 and 9). */
export const builtInRates: Rates = {
  tierPrices: { premium: cents(595), midrange: cents(395), economy: cents(195) },
  tierMinimums: { premium: cents(13_500), midrange: cents(10_500), economy: cents(7_500) },
  addOnPrices: { stainProtection: cents(250), greenPad: cents(350) },
  pickup: { price: cents(50), minimumOrder: cents(40_000) },
  // The specification names no first day. No order was ever charged another rate.
  salesTax: { name: 'CA Sales Tax', millipercent: 9_750 as Millipercent, since: '2000-01-01' as Day },
  largestOrder: cents(2_500_000),
};
