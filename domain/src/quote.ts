import type { DeliveryOption, Tier } from './catalog.ts';
import { type Cents, cents, largerOf, noCents, proportionHalfUp, shareByLargestRemainder, sumCents } from './money.ts';
import type { PricedAddOn, Rates, SalesTax } from './rates.ts';
import { areaOf, priceOfArea, type Rug, type SquareInches } from './rug.ts';

/** Delivery and tax are shares of the order's amounts. */
export type RugCharges = {
  readonly base: Cents;
  readonly delivery: Cents;
  readonly stainProtection: Cents;
  readonly greenPad: Cents;
  readonly salesTax: Cents;
};

/** In the order in which an order lists them. */
export const rugChargeNames = [
  'base',
  'delivery',
  'stainProtection',
  'greenPad',
  'salesTax',
] as const satisfies readonly (keyof RugCharges)[];

export type QuotedRug = {
  readonly rug: Rug;
  readonly area: SquareInches;
  /** Per square foot. */
  readonly price: Cents;
  readonly charges: RugCharges;
  /** All rugs and the delivery minimum add up to the order's total, to the cent. */
  readonly total: Cents;
};

/** Of the Order Summary (specification, sections 2.1 and 9). */
export type QuoteLines = {
  readonly subtotal: Cents;
  readonly delivery: Cents;
  /** The difference to the minimum for pickup. */
  readonly deliveryMinimum: Cents;
  readonly stainProtection: Cents;
  readonly greenPad: Cents;
  readonly salesTax: Cents;
};

/** An accepted quote becomes an order. */
export type Quote = {
  readonly rugs: readonly QuotedRug[];
  readonly deliveryOption: DeliveryOption;
  readonly lines: QuoteLines;
  readonly salesTax: SalesTax;
  readonly total: Cents;
};

export type OrderedRugs = { readonly rugs: readonly Rug[]; readonly deliveryOption: DeliveryOption };

/**
 * Never below the tier's minimum; nothing without a size. With a `tierCardRate` it is the price on a tier card
 * (specification, section 9).
 */
export function baseCharge(area: SquareInches, pricePerSquareFoot: Cents, minimum: Cents): Cents {
  if (area === 0) return noCents;
  return largerOf(priceOfArea(area, pricePerSquareFoot), minimum);
}

/** Per square foot, with pickup included (specification, section 2.1). */
export function tierCardRate(
  tier: Tier,
  deliveryOption: DeliveryOption,
  { tierPrices, pickup }: Pick<Rates, 'tierPrices' | 'pickup'>,
): Cents {
  return deliveryOption === 'pickup' ? sumCents([tierPrices[tier], pickup.price]) : tierPrices[tier];
}

/** Stain protection is included in premium. */
export function addOnCharge(addOn: PricedAddOn, rug: Rug, { addOnPrices }: Pick<Rates, 'addOnPrices'>): Cents {
  const isIncluded = addOn === 'stainProtection' && rug.tier === 'premium';
  return rug[addOn] && !isIncluded ? priceOfArea(areaOf(rug), addOnPrices[addOn]) : noCents;
}

/**
 * Specification, sections 5 and 9. The browser and the server run it; only the server's result is charged. The order of
 * the rugs changes no line.
 */
export function quoteOrder({ rugs: ordered, deliveryOption }: OrderedRugs, rates: Rates): Quote {
  const { tierPrices, tierMinimums, pickup } = rates;
  const areas = ordered.map(areaOf);
  const base = ordered.map((rug, index) => baseCharge(at(areas, index), tierPrices[rug.tier], tierMinimums[rug.tier]));
  const stainProtection = ordered.map((rug) => addOnCharge('stainProtection', rug, rates));
  const greenPad = ordered.map((rug) => addOnCharge('greenPad', rug, rates));

  const taxable = ordered.map((_, index) => sumCents([at(stainProtection, index), at(greenPad, index)]));
  const salesTax = taxOn(sumCents(taxable), rates.salesTax);
  const totalArea = areas.reduce((sum, area) => sum + area, 0) as SquareInches;
  const delivery = deliveryOption === 'pickup' ? priceOfArea(totalArea, pickup.price) : noCents;

  const taxShares = shareByLargestRemainder(salesTax, taxable);
  const deliveryShares = shareByLargestRemainder(delivery, areas);
  const rugs = ordered.map((rug, index): QuotedRug => {
    const charges: RugCharges = {
      base: at(base, index),
      delivery: at(deliveryShares, index),
      stainProtection: at(stainProtection, index),
      greenPad: at(greenPad, index),
      salesTax: at(taxShares, index),
    };
    const price = tierPrices[rug.tier];
    return { rug, area: at(areas, index), price, charges, total: sumCents(Object.values(charges)) };
  });

  const charged = sumCents(rugs.map(({ total }) => total));
  // Without any area, nothing is picked up yet.
  const isPickedUp = deliveryOption === 'pickup' && totalArea > 0;
  const deliveryMinimum = isPickedUp ? missingTo(pickup.minimumOrder, charged) : noCents;
  return {
    rugs,
    deliveryOption,
    lines: {
      subtotal: sumCents(base),
      delivery,
      deliveryMinimum,
      stainProtection: sumCents(stainProtection),
      greenPad: sumCents(greenPad),
      salesTax,
    },
    salesTax: rates.salesTax,
    total: sumCents([charged, deliveryMinimum]),
  };
}

/** Rounded once for the whole order. */
function taxOn(amount: Cents, { millipercent }: SalesTax): Cents {
  return cents(proportionHalfUp(amount, millipercent, 100_000));
}

function missingTo(minimum: Cents, charged: Cents): Cents {
  return charged >= minimum ? noCents : cents(minimum - charged);
}

/** A missing entry is a bug, never a price of zero. */
function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`No entry ${index} of ${items.length}`);
  return item;
}
