import { type Cents, cents, largerOf, noCents, proportionHalfUp, smallerOf, sumCents } from '../money.ts';
import type { DisputeClosed, OrderEvent } from '../order/events.ts';
import { evolve, nothingRefunded, refundableCharges } from '../order/refund.ts';
import { allocate, splitOf, totalOf } from '../order/refund-allocation.ts';
import type { SalesTax } from '../rates.ts';
import type { Booking } from './booking.ts';
import { addTax, netOfRefunds, noTax, rateKey, type TaxFigures, withTaxOf } from './sales-tax.ts';

/** Taxable sales that a bank took back for good, and the tax in them. */
export type BadDebt = { readonly taxable: Cents; readonly tax: Cents };

const noDebt: BadDebt = { taxable: noCents, tax: noCents };

type OfRate = {
  readonly rate: SalesTax;
  /** Of the range, and refunds of these sales. */
  readonly sales: TaxFigures;
  /** Refunds of sales from before the range. */
  readonly earlier: TaxFigures;
  readonly badDebts: BadDebt;
};

export type SalesTaxReturn = {
  readonly rates: readonly (OfRate & { readonly measure: Cents; readonly due: Cents })[];
  readonly sales: TaxFigures;
  readonly earlier: TaxFigures;
  /** Sales less refunds of these sales, without tax: `exempt + taxable`. */
  readonly total: Cents;
  readonly exempt: Cents;
  readonly taxable: Cents;
  /** The sum of each rate of its measure. */
  readonly due: Cents;
  /** From the customers of these sales, less what went back to them. */
  readonly collected: Cents;
  /** One of them is zero: `collected = due + excess - uncollected`. */
  readonly excess: Cents;
  readonly uncollected: Cents;
  /** The tax of refunds of earlier sales and of bad debts. */
  readonly credits: Cents;
};

/** The lines of California's return for a range of days. Bookings come in ledger order: a refund follows its sale. */
export function createSalesTaxReturn() {
  const byRate = new Map<string, OfRate>();
  const sold = new Set<string>();
  const change = (rate: SalesTax, changed: (known: OfRate) => Partial<OfRate>) => {
    const known = byRate.get(rateKey(rate)) ?? { rate, sales: noTax, earlier: noTax, badDebts: noDebt };
    byRate.set(rateKey(rate), { ...known, ...changed(known) });
  };
  return {
    add: (booking: Booking, order: string): void => {
      const { salesTax, basis } = booking;
      if (salesTax === undefined) return;
      if (basis?.type === 'OrderPlaced') sold.add(order);
      const part = sold.has(order) ? 'sales' : 'earlier';
      change(salesTax, (known) => ({ [part]: withTaxOf(known[part], booking) }));
    },
    addBadDebt: (rate: SalesTax, debt: BadDebt): void =>
      change(rate, ({ badDebts: { taxable, tax } }) => ({
        badDebts: { taxable: sumCents([taxable, debt.taxable]), tax: sumCents([tax, debt.tax]) },
      })),
    lines: (): SalesTaxReturn =>
      linesOf([...byRate].toSorted(([first], [second]) => (first < second ? -1 : 1)).map(([, ofRate]) => ofRate)),
  };
}

function linesOf(found: readonly OfRate[]): SalesTaxReturn {
  const rates = found.map((ofRate) => {
    const { taxable: measure } = netOfRefunds(ofRate.sales);
    return { ...ofRate, measure, due: cents(proportionHalfUp(measure, ofRate.rate.millipercent, 100_000)) };
  });
  const sales = rates.map((ofRate) => ofRate.sales).reduce(addTax, noTax);
  const { gross: total, taxable, tax: collected } = netOfRefunds(sales);
  const due = sumCents(rates.map((ofRate) => ofRate.due));
  return {
    ...{ rates, sales, earlier: rates.map(({ earlier }) => earlier).reduce(addTax, noTax) },
    ...{ total, exempt: cents(total - taxable), taxable, due, collected },
    excess: largerOf(cents(collected - due), noCents),
    uncollected: largerOf(cents(due - collected), noCents),
    credits: sumCents(rates.flatMap(({ earlier, badDebts }) => [earlier.taxRefunded, badDebts.tax])),
  };
}

/**
 * Of a lost dispute: the disputed amount has a share of every charge that no refund had given back.
 * @param events of the order, from the first one.
 */
export function badDebtOf(events: readonly OrderEvent[], { squareDisputeId, amount }: DisputeClosed): BadDebt {
  const end = events.findIndex((event) => event.type === 'DisputeClosed' && event.squareDisputeId === squareDisputeId);
  const left = refundableCharges(events.slice(0, end).reduce(evolve, nothingRefunded));
  const { addOns, salesTax } = splitOf(
    allocate(left, smallerOf(amount, totalOf(left)), { rugs: [], deliveryMinimum: noCents }),
  );
  return { taxable: addOns, tax: salesTax };
}
