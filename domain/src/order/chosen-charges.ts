import { type Cents, cents, noCents, shareByLargestRemainder, sumCents } from '../money.ts';
import type { RugCharges } from '../quote.ts';
import type { RefundedCharge, RefundedRug } from './events.ts';
import type { OrderCharges } from './refund-allocation.ts';

export type ChargeRejection =
  | { readonly code: 'UnknownRug'; readonly rugIndex: number }
  | { readonly code: 'RugChosenTwice'; readonly rugIndex: number }
  | { readonly code: 'ChargeChosenTwice'; readonly rugIndex: number; readonly charge: keyof RugCharges }
  | { readonly code: 'InvalidAmount'; readonly asked: Cents }
  | {
      readonly code: 'ExceedsCharge';
      readonly rugIndex: number;
      readonly charge: keyof RugCharges;
      readonly asked: Cents;
      readonly refundable: Cents;
    };

/**
 * @param items the rugs that are chosen whole.
 * @returns undefined when the charges can be refunded.
 */
export function refuseCharges(
  charges: readonly RefundedCharge[],
  items: readonly RefundedRug[],
  left: OrderCharges,
): ChargeRejection | undefined {
  const seen = new Set<string>();
  for (const { rugIndex, charge, amount: asked } of charges) {
    const rug = left.rugs[rugIndex];
    if (rug === undefined) return { code: 'UnknownRug', rugIndex };
    if (items.some((item) => item.rugIndex === rugIndex)) return { code: 'RugChosenTwice', rugIndex };
    const key = `${rugIndex} ${charge}`;
    if (seen.has(key)) return { code: 'ChargeChosenTwice', rugIndex, charge };
    seen.add(key);
    if (asked < 1) return { code: 'InvalidAmount', asked };
    const refundable = rug[charge];
    if (asked > refundable) return { code: 'ExceedsCharge', rugIndex, charge, asked, refundable };
  }
  return undefined;
}

/** A rug of which only charges are chosen has their sum. */
export function itemsWith(items: readonly RefundedRug[], charges: readonly RefundedCharge[]): readonly RefundedRug[] {
  const amounts = new Map(items.map(({ rugIndex, amount }) => [rugIndex, amount]));
  for (const { rugIndex, amount } of charges) {
    amounts.set(rugIndex, sumCents([amounts.get(rugIndex) ?? noCents, amount]));
  }
  return [...amounts].map(([rugIndex, amount]) => ({ rugIndex, amount }));
}

/** Sales tax is due on these. */
export type TaxedCharges = Pick<RugCharges, 'stainProtection' | 'greenPad'>;

/**
 * Each add-on has its own share of the rug's tax. A part of an add-on returns the difference between two points on the
 * way to that share, so several parts return exactly the share, and never more than is left.
 * @param paid as sold.
 * @param left the refundable rest.
 * @param taken what is refunded now; at most the rest.
 */
export function taxWith(paid: RugCharges, left: RugCharges, taken: TaxedCharges): Cents {
  const taxable = paid.stainProtection + paid.greenPad;
  if (taxable === 0) return noCents;
  // Ties go to the earlier charge, as in a quote.
  const ofStainProtection = shareOf(paid.salesTax, paid.stainProtection, taxable);
  const shares = {
    stainProtection: ofStainProtection,
    greenPad: cents(paid.salesTax - ofStainProtection),
  };
  const due = sumCents(
    (['stainProtection', 'greenPad'] as const).map((name) => {
      const before = shareOf(shares[name], paid[name] - left[name], paid[name]);
      const after = shareOf(shares[name], paid[name] - left[name] + taken[name], paid[name]);
      return cents(after - before);
    }),
  );
  return due < left.salesTax ? due : left.salesTax;
}

function shareOf(amount: Cents, part: number, whole: number): Cents {
  if (whole === 0) return noCents;
  return shareByLargestRemainder(amount, [part, whole - part])[0] ?? noCents;
}
