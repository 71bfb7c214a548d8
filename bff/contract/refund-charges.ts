import { type Cents, sumCents } from '@kilim/domain/money';
import type { RugCharges } from '@kilim/domain/quote';

/**
 * The charges of a rug by their names on the wire, with the domain's names. The page of the back office loads this
 * file, so it stays without a schema.
 */
const rugChargesOnWire = {
  base: 'base',
  delivery: 'delivery',
  stainProtection: 'stainProtection',
  mothProtection: 'greenPad',
  salesTax: 'salesTax',
} as const satisfies Record<string, keyof RugCharges>;
type RugChargeOnWire = keyof typeof rugChargesOnWire;

export const rugChargeNamesOnWire = Object.keys(rugChargesOnWire) as [RugChargeOnWire, ...RugChargeOnWire[]];

export function chargeToWire(charge: keyof RugCharges): RugChargeOnWire {
  return charge === 'greenPad' ? 'mothProtection' : charge;
}

type RequestedCharge = { readonly amount: Cents } & (
  | { readonly rugIndex: number; readonly charge: RugChargeOnWire }
  | { readonly charge: 'deliveryMinimum' }
);

/** The charges of a request under the domain's names, and the sum of those that are the delivery minimum. */
export function chargesFromWire(requested: readonly RequestedCharge[]) {
  return {
    charges: requested.flatMap((item) =>
      'rugIndex' in item ? [{ ...item, charge: rugChargesOnWire[item.charge] }] : [],
    ),
    deliveryMinimum: sumCents(requested.flatMap((item) => ('rugIndex' in item ? [] : [item.amount]))),
  };
}
