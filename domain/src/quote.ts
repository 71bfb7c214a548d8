import {
  type DeliveryOption,
  deliveryMinimumOrder,
  deliveryPrice,
  greenPadPrice,
  type PriceList,
  salesTaxBasisPoints,
  stainProtectionPrice,
  type Tier,
  tierOffers,
} from './catalog.ts';
import { type Cents, cents, divideHalfUp, largerOf, noCents, shareByLargestRemainder, sumCents } from './money.ts';
import { areaOf, priceOfArea, type Rug, type SquareInches } from './rug.ts';

/** The charges of one rug. Delivery and tax are its shares of the order's amounts. */
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
  /** Per square foot, as priced. */
  readonly price: Cents;
  readonly charges: RugCharges;
  /**
   * The sum of the charges. All rugs and the delivery minimum add up to the order's total, to the
   * cent.
   */
  readonly total: Cents;
};

/** The lines of the Order Summary (specification, sections 2.1 and 9). */
export type QuoteLines = {
  /** The base costs of all rugs. */
  readonly subtotal: Cents;
  readonly delivery: Cents;
  /** The difference to the minimum for pickup, shown as 'Delivery Minimum'. */
  readonly deliveryMinimum: Cents;
  readonly stainProtection: Cents;
  readonly greenPad: Cents;
  readonly salesTax: Cents;
};

/** An offer: the price of an order under one price list. An accepted quote becomes an order. */
export type Quote = {
  readonly rugs: readonly QuotedRug[];
  readonly deliveryOption: DeliveryOption;
  readonly lines: QuoteLines;
  readonly total: Cents;
};

export type OrderedRugs = { readonly rugs: readonly Rug[]; readonly deliveryOption: DeliveryOption };

/**
 * Area times price, and never below the tier's minimum. A rug without a size costs nothing yet.
 * With a `tierCardRate` it is the price that a tier card shows for this rug's area (specification,
 * section 9).
 */
export function baseCharge(area: SquareInches, tier: Tier, pricePerSquareFoot: Cents): Cents {
  if (area === 0) return noCents;
  return largerOf(priceOfArea(area, pricePerSquareFoot), tierOffers[tier].minimumCharge);
}

/**
 * The price per square foot that a tier card shows: 0.50 more with pickup (specification, section
 * 2.1).
 */
export function tierCardRate(pricePerSquareFoot: Cents, deliveryOption: DeliveryOption): Cents {
  return deliveryOption === 'pickup' ? sumCents([pricePerSquareFoot, deliveryPrice]) : pricePerSquareFoot;
}

/**
 * Prices an order (specification, sections 5 and 9). The browser and the server run this function;
 * only the server's result is charged. The order of the rugs changes no line.
 */
export function quoteOrder(order: OrderedRugs, prices: PriceList): Quote {
  const areas = order.rugs.map(areaOf);
  const base = order.rugs.map((rug, index) => baseCharge(at(areas, index), rug.tier, prices[rug.tier]));
  const stainProtection = order.rugs.map((rug, index) =>
    rug.stainProtection && rug.tier !== 'premium' ? priceOfArea(at(areas, index), stainProtectionPrice) : noCents,
  );
  const greenPad = order.rugs.map((rug, index) =>
    rug.greenPad ? priceOfArea(at(areas, index), greenPadPrice) : noCents,
  );

  const taxable = order.rugs.map((_, index) => sumCents([at(stainProtection, index), at(greenPad, index)]));
  const salesTax = cents(divideHalfUp(sumCents(taxable) * salesTaxBasisPoints, 10_000));
  const totalArea = areas.reduce((sum, area) => sum + area, 0) as SquareInches;
  const delivery = order.deliveryOption === 'pickup' ? priceOfArea(totalArea, deliveryPrice) : noCents;

  const taxShares = shareByLargestRemainder(salesTax, taxable);
  const deliveryShares = shareByLargestRemainder(delivery, areas);
  const rugs = order.rugs.map((rug, index): QuotedRug => {
    const charges: RugCharges = {
      base: at(base, index),
      delivery: at(deliveryShares, index),
      stainProtection: at(stainProtection, index),
      greenPad: at(greenPad, index),
      salesTax: at(taxShares, index),
    };
    return { rug, area: at(areas, index), price: prices[rug.tier], charges, total: sumCents(Object.values(charges)) };
  });

  const charged = sumCents(rugs.map(({ total }) => total));
  const deliveryMinimum = missingToMinimum(order.deliveryOption, totalArea, charged);
  return {
    rugs,
    deliveryOption: order.deliveryOption,
    lines: {
      subtotal: sumCents(base),
      delivery,
      deliveryMinimum,
      stainProtection: sumCents(stainProtection),
      greenPad: sumCents(greenPad),
      salesTax,
    },
    total: sumCents([charged, deliveryMinimum]),
  };
}

/**
 * Pickup of anything costs at least the delivery minimum; an order without any area is not picked
 * up yet.
 */
function missingToMinimum(deliveryOption: DeliveryOption, totalArea: SquareInches, charged: Cents): Cents {
  if (deliveryOption !== 'pickup' || totalArea === 0 || charged >= deliveryMinimumOrder) return noCents;
  return cents(deliveryMinimumOrder - charged);
}

/** Parallel arrays of one length: a missing entry is a bug, never a price of zero. */
function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`No entry ${index} of ${items.length}`);
  return item;
}
