import { type Cents, sumCents } from '@kilim/domain/money';
import type { RefundedRug } from '@kilim/domain/order/events';
import type { RugCharges } from '@kilim/domain/quote';

/** The page of the back office loads this file, so it stays without a schema. */
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

type RequestedLines = {
  readonly rugItems: readonly RefundedRug[];
  readonly charges: readonly RequestedCharge[];
  readonly deliveryMinimum: Cents;
};

/** The delivery minimum may be named in two ways. */
export function linesFromWire({ rugItems, charges, deliveryMinimum }: RequestedLines) {
  const minimum = charges.flatMap((item) => ('rugIndex' in item ? [] : [item.amount]));
  return {
    rugs: rugItems.map(({ rugIndex, amount }) => ({ rugIndex, amount })),
    charges: charges.flatMap((item) =>
      'rugIndex' in item ? [{ ...item, charge: rugChargesOnWire[item.charge] }] : [],
    ),
    deliveryMinimum: sumCents([deliveryMinimum, ...minimum]),
  };
}
