import { monthOf } from '../day.ts';
import { type Cents, cents, noCents, sumCents } from '../money.ts';
import type { RefundSplit } from '../order/events.ts';
import type { QuoteLines } from '../quote.ts';
import type { SalesTax } from '../rates.ts';
import type { Booking } from './booking.ts';
import { isSale } from './money-of-events.ts';
import { refundOf } from './refund-reasons.ts';

/** A refund counts in the month in which it is made. */
export type TaxFigures = {
  /** Without tax. */
  readonly grossSales: Cents;
  readonly taxableSales: Cents;
  readonly taxCollected: Cents;
  readonly grossRefunds: Cents;
  readonly taxableRefunds: Cents;
  readonly taxRefunded: Cents;
};

export const noTax: TaxFigures = {
  grossSales: noCents,
  taxableSales: noCents,
  taxCollected: noCents,
  grossRefunds: noCents,
  taxableRefunds: noCents,
  taxRefunded: noCents,
};

/** The growth of the account of sales tax payable. */
export function taxDue({ taxCollected, taxRefunded }: TaxFigures): Cents {
  return cents(taxCollected - taxRefunded);
}

export function withTaxOf(sum: TaxFigures, booking: Booking): TaxFigures {
  const { event, basis } = booking;
  if (isSale(event) && basis?.type === 'OrderPlaced') return withSale(sum, basis.lines);
  const refund = refundOf(booking);
  return refund === undefined ? sum : withRefund(sum, refund.split);
}

export type TaxOfRate = { readonly rate: TaxRate; readonly figures: TaxFigures };
type TaxRate = Pick<SalesTax, 'millipercent' | 'since'>;

/** A refund counts under the rate of its order. */
export function createSalesTaxReport() {
  const byMonth = new Map<string, Map<string, TaxOfRate>>();
  const ratesOf = (month: string) => [...(byMonth.get(month) ?? [])].toSorted(byKey).map(([, ofRate]) => ofRate);
  return {
    add: (booking: Booking): void => {
      const { salesTax } = booking;
      if (salesTax === undefined) return;
      const month = monthOf(booking.postedOn);
      const rates = byMonth.get(month) ?? new Map<string, TaxOfRate>();
      byMonth.set(month, rates);
      const { millipercent, since } = salesTax;
      const key = rateKey(salesTax);
      const sum = rates.get(key)?.figures ?? noTax;
      rates.set(key, { rate: { millipercent, since }, figures: withTaxOf(sum, booking) });
    },
    /** Oldest rate first. */
    ratesOf,
    of: (month: string): TaxFigures => sumTax(ratesOf(month)),
    total: (): TaxFigures => sumTax([...byMonth.keys()].flatMap(ratesOf)),
  };
}

/** Keys sort by the day from which the rate holds. */
export function rateKey({ millipercent, since }: TaxRate): string {
  return `${since} ${String(millipercent).padStart(6, '0')}`;
}

/** Sales and tax, less what was refunded. */
export function netOfRefunds(figures: TaxFigures) {
  return {
    gross: cents(figures.grossSales - figures.grossRefunds),
    taxable: cents(figures.taxableSales - figures.taxableRefunds),
    tax: taxDue(figures),
  };
}

function byKey([first]: readonly [string, unknown], [second]: readonly [string, unknown]): number {
  return first < second ? -1 : 1;
}

function sumTax(parts: readonly TaxOfRate[]): TaxFigures {
  return parts.map(({ figures }) => figures).reduce(addTax, noTax);
}

export function addTax(first: TaxFigures, second: TaxFigures): TaxFigures {
  return {
    grossSales: sumCents([first.grossSales, second.grossSales]),
    taxableSales: sumCents([first.taxableSales, second.taxableSales]),
    taxCollected: sumCents([first.taxCollected, second.taxCollected]),
    grossRefunds: sumCents([first.grossRefunds, second.grossRefunds]),
    taxableRefunds: sumCents([first.taxableRefunds, second.taxableRefunds]),
    taxRefunded: sumCents([first.taxRefunded, second.taxRefunded]),
  };
}

function withSale(sum: TaxFigures, lines: QuoteLines): TaxFigures {
  const taxable = sumCents([lines.stainProtection, lines.greenPad]);
  return {
    ...sum,
    grossSales: sumCents([sum.grossSales, lines.subtotal, lines.delivery, lines.deliveryMinimum, taxable]),
    taxableSales: sumCents([sum.taxableSales, taxable]),
    taxCollected: sumCents([sum.taxCollected, lines.salesTax]),
  };
}

function withRefund(sum: TaxFigures, split: RefundSplit): TaxFigures {
  const { services, addOns, delivery, deliveryMinimum, salesTax } = split;
  return {
    ...sum,
    grossRefunds: sumCents([sum.grossRefunds, services, addOns, delivery, deliveryMinimum]),
    taxableRefunds: sumCents([sum.taxableRefunds, addOns]),
    taxRefunded: sumCents([sum.taxRefunded, salesTax]),
  };
}
