import { type Cents, cents, noCents } from '@kilim/domain/money';
import { taxWith } from '@kilim/domain/order/chosen-charges';
import type { RefundedCharge } from '@kilim/domain/order/events';
import {
  type ChosenLines,
  fitChosenLines,
  noRugCharges,
  type OrderCharges,
  rugTotal,
} from '@kilim/domain/order/refund-allocation';
import { type RugCharges, rugChargeNames } from '@kilim/domain/quote';

export type Refundable = {
  readonly total: Cents;
  readonly remaining: Cents;
  readonly paid: readonly RugCharges[];
  /** Together they are the remaining amount. */
  readonly charges: OrderCharges;
};

export type ChargeName = keyof RugCharges;

export type ChosenCharge = { readonly rugIndex: number; readonly charge: ChargeName };

export type Choice = {
  /** Chosen whole, by their place in the order. */
  readonly rugs: readonly number[];
  readonly charges: readonly ChosenCharge[];
  readonly deliveryMinimum: boolean;
};

/** Those of a whole rug are all that have an amount left. */
export function chosenCharges(form: Choice, left: Refundable, rugIndex: number): readonly ChargeName[] {
  if (form.rugs.includes(rugIndex)) return wholeRug(left, rugIndex);
  return form.charges.filter((chosen) => chosen.rugIndex === rugIndex).map(({ charge }) => charge);
}

/** What goes back with the chosen add-ons. */
export function taxOfAddOns(left: Refundable, rugIndex: number, chosen: readonly ChargeName[]): Cents {
  const { paid, rest } = rugOf(left, rugIndex);
  const taken = (name: 'stainProtection' | 'greenPad') => (chosen.includes(name) ? rest[name] : noCents);
  return taxWith(paid, rest, { stainProtection: taken('stainProtection'), greenPad: taken('greenPad') });
}

export function withRug<Form extends Choice>(form: Form, { rugIndex, chosen }: RugEdit): Form {
  const rugs = form.rugs.filter((index) => index !== rugIndex);
  return {
    ...form,
    rugs: chosen ? [...rugs, rugIndex].toSorted((a, b) => a - b) : rugs,
    charges: form.charges.filter((charge) => charge.rugIndex !== rugIndex),
  };
}

type RugEdit = { readonly rugIndex: number; readonly chosen: boolean };

/** A rug whose charges are all chosen is chosen whole. */
export function withCharge<Form extends Choice>(
  form: Form,
  left: Refundable,
  { rugIndex, charge, chosen }: RugEdit & ChosenCharge,
): Form {
  const others = chosenCharges(form, left, rugIndex).filter((name) => name !== charge);
  const names = chosen ? [...others, charge] : others;
  const whole = wholeRug(left, rugIndex);
  const isWhole = names.length > 0 && whole.every((name) => names.includes(name));
  const without = withRug(form, { rugIndex, chosen: isWhole });
  if (isWhole) return without;
  const ofRug = rugChargeNames.filter((name) => names.includes(name)).map((name) => ({ rugIndex, charge: name }));
  return { ...without, charges: [...without.charges, ...ofRug].toSorted((a, b) => a.rugIndex - b.rugIndex) };
}

/** The delivery of every rug. */
export function withDelivery<Form extends Choice>(form: Form, left: Refundable, chosen: boolean): Form {
  return left.charges.rugs.reduce(
    (before, { delivery }, rugIndex) =>
      delivery > 0 ? withCharge(before, left, { rugIndex, charge: 'delivery', chosen }) : before,
    form,
  );
}

/** `chosen` is a part of what is left of the delivery of all rugs. */
export function deliveryOf(form: Choice, left: Refundable): { readonly left: Cents; readonly chosen: Cents } {
  const deliveries = left.charges.rugs.map(({ delivery }) => delivery);
  const chosen = deliveries.filter((_, rugIndex) => chosenCharges(form, left, rugIndex).includes('delivery'));
  return { left: sumOf(deliveries), chosen: sumOf(chosen) };
}

function sumOf(amounts: readonly Cents[]): Cents {
  return cents(amounts.reduce((sum: number, amount) => sum + amount, 0));
}

/** Without rugs and charges that have nothing left. */
export function stillRefundable<Form extends Choice>(form: Form, left: Refundable): Form {
  return {
    ...form,
    rugs: form.rugs.filter((rugIndex) => rugTotal(rugOf(left, rugIndex).rest) > 0),
    charges: form.charges.filter(({ rugIndex, charge }) => rugOf(left, rugIndex).rest[charge] > 0),
    deliveryMinimum: form.deliveryMinimum && left.charges.deliveryMinimum > 0,
  };
}

/** Each with all that is left. Add-ons bring their sales tax. */
export function chosenLines(form: Choice, left: Refundable): ChosenLines {
  const ofCharges = [...new Set(form.charges.map(({ rugIndex }) => rugIndex))];
  return {
    rugs: form.rugs.map((rugIndex) => ({ rugIndex, amount: rugTotal(rugOf(left, rugIndex).rest) })),
    charges: ofCharges.flatMap((rugIndex) => chargesOfRug(form, left, rugIndex)),
    deliveryMinimum: form.deliveryMinimum ? left.charges.deliveryMinimum : noCents,
  };
}

function chargesOfRug(form: Choice, left: Refundable, rugIndex: number): readonly RefundedCharge[] {
  const chosen = chosenCharges(form, left, rugIndex);
  const { rest } = rugOf(left, rugIndex);
  const tax = chosen.includes('salesTax') ? rest.salesTax : taxOfAddOns(left, rugIndex, chosen);
  const amountOf = (charge: ChargeName) => (chosen.includes(charge) ? rest[charge] : noCents);
  return rugChargeNames
    .map((charge) => ({ rugIndex, charge, amount: charge === 'salesTax' ? tax : amountOf(charge) }))
    .filter(({ amount }) => amount > 0);
}

/**
 * Below the lines' sum an amount is shared in proportion. The tax of an add-on is then at most the tax of the refunded
 * part: a cent above it goes to a chosen charge.
 */
export function fittedLines(form: Choice, left: Refundable, amount: Cents): ChosenLines {
  const fitted = fitChosenLines(chosenLines(form, left), amount);
  const charges = [...(fitted.charges ?? [])];
  for (const [place, item] of charges.entries()) {
    const { rugIndex, charge } = item;
    if (charge !== 'salesTax' || chosenCharges(form, left, rugIndex).includes('salesTax')) continue;
    const ofRug = charges.filter((other) => other.rugIndex === rugIndex);
    const taken = (name: ChargeName) => ofRug.find((other) => other.charge === name)?.amount ?? noCents;
    const { paid, rest } = rugOf(left, rugIndex);
    const most = taxWith(paid, rest, { stainProtection: taken('stainProtection'), greenPad: taken('greenPad') });
    const excess = item.amount - most;
    const room = charges.findIndex((other) => isSameRug(other, item) && rest[other.charge] - other.amount >= excess);
    const receiver = charges[room];
    if (excess <= 0 || receiver === undefined) continue;
    charges[place] = { ...item, amount: most };
    charges[room] = { ...receiver, amount: cents(receiver.amount + excess) };
  }
  return {
    rugs: fitted.rugs.filter((line) => line.amount > 0),
    charges: charges.filter((line) => line.amount > 0),
    deliveryMinimum: fitted.deliveryMinimum,
  };
}

function isSameRug(other: RefundedCharge, { rugIndex }: RefundedCharge): boolean {
  return other.rugIndex === rugIndex && other.charge !== 'salesTax';
}

/** The tax is a choice of its own only for the part that no add-on brings. */
function wholeRug(left: Refundable, rugIndex: number): readonly ChargeName[] {
  const { rest } = rugOf(left, rugIndex);
  const taxIsLeft = taxOfAddOns(left, rugIndex, ['stainProtection', 'greenPad']) < rest.salesTax;
  return rugChargeNames.filter((name) => (name === 'salesTax' ? taxIsLeft : rest[name] > 0));
}

function rugOf({ paid, charges }: Refundable, rugIndex: number) {
  return { paid: paid[rugIndex] ?? noRugCharges, rest: charges.rugs[rugIndex] ?? noRugCharges };
}
