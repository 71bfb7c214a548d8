import { type Cents, cents, noCents, sumCents } from '../money.ts';
import type { RefundSplit } from '../order/events.ts';
import type { QuoteLines } from '../quote.ts';
import type { Booking } from './booking.ts';
import { monthOf } from './day.ts';
import { isOf } from './money-of-events.ts';
import { refundOf } from './refund-reasons.ts';

/**
 * Sales and refunds of one month, for a sales-tax return. A refund counts in the month in which it
 * is made.
 */
export type TaxFigures = {
  /** Without tax. */
  readonly grossSales: Cents;
  /** Add-ons: stain protection and Green Pad. */
  readonly taxableSales: Cents;
  readonly taxCollected: Cents;
  /** Without tax. */
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

/** Collected and not refunded: the growth of the account of sales tax payable. */
export function taxDue({ taxCollected, taxRefunded }: TaxFigures): Cents {
  return cents(taxCollected - taxRefunded);
}

export function withTaxOf(sum: TaxFigures, booking: Booking): TaxFigures {
  const { event, basis } = booking;
  if (isOf('takings', event) && basis?.type === 'OrderPlaced') return withSale(sum, basis.lines);
  const refund = refundOf(booking);
  return refund === undefined ? sum : withRefund(sum, refund.split);
}

export function createSalesTaxReport() {
  const byMonth = new Map<string, TaxFigures>();
  return {
    add: (booking: Booking): void => {
      const month = monthOf(booking.postedOn);
      byMonth.set(month, withTaxOf(byMonth.get(month) ?? noTax, booking));
    },
    of: (month: string): TaxFigures => byMonth.get(month) ?? noTax,
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
