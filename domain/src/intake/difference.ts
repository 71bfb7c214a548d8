import { type Cents, cents, largerOf, noCents, shareByLargestRemainder, smallerOf, sumCents } from '../money.ts';
import type { OrderPlaced, RefundAllocation, RefundedCharge } from '../order/events.ts';
import { type OrderId, parseRefundId, type RefundId } from '../order/ids.ts';
import { type RefundState, refundableCharges, refundableOf, refundBlock } from '../order/refund.ts';
import {
  afterwards,
  cellsOf,
  chargesInCells,
  noRugCharges,
  nothingCharged,
  type OrderCharges,
  rugTotal,
  totalOf,
} from '../order/refund-allocation.ts';
import { measuredReason, type RefundReason } from '../order/refund-reasons.ts';
import { type Quote, quoteOrder, type RugCharges, rugChargeNames } from '../quote.ts';
import type { Rates } from '../rates.ts';
import { areaOf } from '../rug.ts';
import { type Family, isRefunded, type Measurement } from './family.ts';

/** Between what the measured rugs cost and what the customer has paid for them. */
export type Difference = {
  readonly measurement: Measurement;
  readonly placed: OrderPlaced;
  /** The whole order at the measured sizes. */
  readonly quote: Quote;
  /** Positive: the customer owes it, but not for an order that was refunded in full. Negative: the shop does. */
  readonly due: Cents;
  /** By rug and charge, with signs. */
  readonly charges: OrderCharges;
};

/**
 * The whole order is priced again, because the minimums may absorb a smaller rug. Only refunds of a measurement count
 * as given back: a rug that was refunded for another reason is not asked for again.
 * @param rates as the order was sold
 * @returns undefined until a paid order is measured.
 */
export function differenceOf(family: Family, rates: Rates): Difference | undefined {
  const { order, supplements } = family;
  const measurement = order.measurements.at(-1);
  const { placed } = order;
  if (measurement === undefined || placed === undefined || order.refunds.captured === undefined) return undefined;
  const quote = quoteAt(placed, measurement, rates);
  const measured = { rugs: quote.rugs.map(({ charges }) => charges), deliveryMinimum: quote.lines.deliveryMinimum };
  const paid = [order, ...supplements.values()].map(({ refunds }) => paidForSize(refunds));
  const charges = paid.reduce((rest, part) => combine(rest, part, (a, b) => cents(a - b)), measured);
  const total = totalOf(charges);
  return { measurement, placed, quote, due: isRefunded(family) ? smallerOf(total, noCents) : total, charges };
}

/** The prices that the order was sold at hold for its measured rugs too. */
export function quoteAt(placed: OrderPlaced, { sizes }: Pick<Measurement, 'sizes'>, rates: Rates): Quote {
  const rugs = placed.rugs.map(({ price: _, charges: __, total: ___, ...rug }, index) => ({ ...rug, ...sizes[index] }));
  return quoteOrder({ rugs, deliveryOption: placed.deliveryOption }, { ...rates, salesTax: placed.salesTax });
}

function paidForSize(state: RefundState): OrderCharges {
  if (state.captured === undefined) return nothingCharged;
  const refunds = [...state.refunds.values()].flatMap(({ status, request }) => (status === 'failed' ? [] : [request]));
  const given: readonly { readonly reason: string; readonly allocation: RefundAllocation }[] = [
    ...refunds,
    ...state.reimbursements.values(),
  ];
  return given
    .filter(({ reason }) => reason === measuredReason)
    .map(({ allocation }) => allocation)
    .reduce(afterwards, state.charges);
}

export type MeasuredRefund = {
  /** The order whose payment is refunded: a supplement, when the rest of the order's own payment is too small. */
  readonly orderId: OrderId;
  /** Follows from the measurement, so that two clerks make one refund. */
  readonly refundId: RefundId;
  readonly amount: Cents;
  readonly reason: RefundReason;
  readonly charges: readonly RefundedCharge[];
  readonly deliveryMinimum: Cents;
};

/** @returns undefined when the shop owes nothing, or nothing is left that Square refunds. */
export function measuredRefund(family: Family, difference: Difference, askedAt: string): MeasuredRefund | undefined {
  const own = [difference.placed.orderId, family.order] as const;
  const payments = [own, ...family.supplements];
  const [orderId, money] = payments.find(([, { refunds }]) => refundBlock(refunds, askedAt) === undefined) ?? [];
  if (difference.due >= 0 || orderId === undefined || money === undefined) return undefined;
  const left = refundableCharges(money.refunds);
  const amount = smallerOf(cents(-difference.due), refundableOf(money.refunds));
  const owed = combine(difference.charges, left, (due, rest) => smallerOf(largerOf(cents(-due), noCents), rest));
  const { rugs, deliveryMinimum } = shareOut(owed, amount, cents(-taxOf(difference.charges)));
  const begin = `${orderId}-m${difference.measurement.number}-`;
  const tries = [...money.refunds.refunds.keys()].filter((id) => id.startsWith(begin)).length;
  const refundId = parseRefundId(`${begin}${tries}`);
  if (refundId === undefined) throw new RangeError(`Refund ${tries} of measurement ${difference.measurement.number}`);
  const charges = rugs.flatMap((charges, rugIndex) =>
    rugChargeNames.flatMap((charge) => (charges[charge] > 0 ? [{ rugIndex, charge, amount: charges[charge] }] : [])),
  );
  return { orderId, refundId, amount, reason: measuredReason, charges, deliveryMinimum };
}

/** What the customer owes, by charge; none is below zero. */
export function supplementCharges({ charges, due }: Difference): RefundAllocation {
  const larger = combine(charges, nothingCharged, (amount) => largerOf(amount, noCents));
  const { rugs, deliveryMinimum } = shareOut(larger, due, taxOf(charges));
  return { rugs: rugs.map((charges, rugIndex) => ({ rugIndex, charges })), deliveryMinimum };
}

/** The supplement as an order: the measured rugs, each with what it costs more. */
export function supplementQuote(
  placed: OrderPlaced,
  { sizes }: Pick<Measurement, 'sizes'>,
  { rugs: extra, deliveryMinimum }: RefundAllocation,
): Quote {
  const rugs = placed.rugs.map(({ price, charges: _, total: __, ...sold }, index) => {
    const rug = { ...sold, ...sizes[index] };
    const charges = extra.find(({ rugIndex }) => rugIndex === index)?.charges ?? noRugCharges;
    return { rug, area: areaOf(rug), price, charges, total: rugTotal(charges) };
  });
  const sumOf = (name: keyof RugCharges) => sumCents(rugs.map(({ charges }) => charges[name]));
  return {
    rugs,
    deliveryOption: placed.deliveryOption,
    lines: {
      subtotal: sumOf('base'),
      delivery: sumOf('delivery'),
      deliveryMinimum,
      stainProtection: sumOf('stainProtection'),
      greenPad: sumOf('greenPad'),
      salesTax: sumOf('salesTax'),
    },
    salesTax: placed.salesTax,
    total: sumCents([...rugs.map(({ total }) => total), deliveryMinimum]),
  };
}

function taxOf({ rugs }: OrderCharges): Cents {
  return sumCents(rugs.map(({ salesTax }) => salesTax));
}

/**
 * Sales tax in full, because it follows the measure; the rest in proportion. Without enough, all that there is.
 * @param weights none is negative
 */
function shareOut(weights: OrderCharges, amount: Cents, tax: Cents): OrderCharges {
  const ofTax = smallerOf(smallerOf(amount, largerOf(tax, noCents)), taxOf(weights));
  const others = cellsOf(weights).map((cell, index) => (isTax(index) ? noCents : cell));
  const taxes = cellsOf(weights).map((cell, index) => (isTax(index) ? cell : noCents));
  const ofOthers = smallerOf(cents(amount - ofTax), sumCents(others));
  const shares = shareByLargestRemainder(ofOthers, others);
  const taxShares = shareByLargestRemainder(ofTax, taxes);
  return chargesInCells(shares.map((share, index) => cents(share + (taxShares[index] ?? 0))));
}

/** The last cell, of the delivery minimum, is none of tax. */
function isTax(index: number): boolean {
  return index % rugChargeNames.length === rugChargeNames.indexOf('salesTax');
}

/** Rugs that the second one lacks have no charges there. */
function combine(first: OrderCharges, second: OrderCharges, of: (a: Cents, b: Cents) => Cents): OrderCharges {
  const others = cellsOf({ ...second, rugs: first.rugs.map((_, index) => second.rugs[index] ?? noRugCharges) });
  return chargesInCells(cellsOf(first).map((cell, index) => of(cell, others[index] ?? noCents)));
}
