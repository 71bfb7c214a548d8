import { type Cents, cents, noCents, shareByLargestRemainder, sumCents } from '../money.ts';
import { rugChargeNames as chargeNames, type RugCharges } from '../quote.ts';
import type { OrderPlaced, RefundAllocation, RefundedCharge, RefundedRug, RefundSplit } from './events.ts';

/** Of an order, or their refundable rest. */
export type OrderCharges = { readonly rugs: readonly RugCharges[]; readonly deliveryMinimum: Cents };

export const nothingCharged: OrderCharges = { rugs: [], deliveryMinimum: noCents };

export const noRugCharges: RugCharges = chargesFrom([]);

export function chargesOf(order: OrderPlaced): OrderCharges {
  return { rugs: order.rugs.map(({ charges }) => charges), deliveryMinimum: order.lines.deliveryMinimum };
}

export function rugTotal(charges: RugCharges): Cents {
  return sumCents(chargeNames.map((name) => charges[name]));
}

export function totalOf({ rugs, deliveryMinimum }: OrderCharges): Cents {
  return sumCents([...rugs.map(rugTotal), deliveryMinimum]);
}

export type ChosenLines = {
  readonly rugs: readonly RefundedRug[];
  /** Of rugs that are not chosen whole. */
  readonly charges?: readonly RefundedCharge[];
  readonly deliveryMinimum: Cents;
};

export function totalOfChosen({ rugs, charges = [], deliveryMinimum }: ChosenLines): Cents {
  return sumCents([...[...rugs, ...charges].map(({ amount }) => amount), deliveryMinimum]);
}

/**
 * Takes first the chosen lines, then the remainder from all charges in proportion. No charge is refunded beyond its
 * amount, so all refunds of an order add up to its lines.
 * @throws RangeError when a line or the total exceeds the rest: the caller must refuse it.
 */
export function allocate(left: OrderCharges, amount: Cents, chosen: ChosenLines): RefundAllocation {
  const forRugs = chosen.rugs.map((item) => ({
    rugIndex: item.rugIndex,
    charges: takeFromRug(left.rugs[item.rugIndex], item.amount),
  }));
  const forCharges = (chosen.charges ?? []).map((item) => ({
    rugIndex: item.rugIndex,
    charges: { ...noRugCharges, [item.charge]: item.amount },
  }));
  const forChosen = merge(
    { rugs: forRugs, deliveryMinimum: chosen.deliveryMinimum },
    { rugs: forCharges, deliveryMinimum: noCents },
  );
  const beyond = cents(amount - totalOfChosen(chosen));
  return merge(forChosen, takeFromAll(afterwards(left, forChosen), beyond));
}

export function afterwards(left: OrderCharges, taken: RefundAllocation): OrderCharges {
  const byRug = new Map(taken.rugs.map(({ rugIndex, charges }) => [rugIndex, charges]));
  return {
    rugs: left.rugs.map((charges, index) => {
      const given = byRug.get(index);
      return given === undefined ? charges : combine(charges, given, (have, gone) => notNegative(have - gone));
    }),
    deliveryMinimum: notNegative(left.deliveryMinimum - taken.deliveryMinimum),
  };
}

/** The rest without an allocation that counted until now. */
export function withBack(left: OrderCharges, given: RefundAllocation): OrderCharges {
  const byRug = new Map(given.rugs.map(({ rugIndex, charges }) => [rugIndex, charges]));
  return {
    rugs: left.rugs.map((charges, index) => combine(charges, byRug.get(index) ?? noRugCharges, (a, b) => cents(a + b))),
    deliveryMinimum: sumCents([left.deliveryMinimum, given.deliveryMinimum]),
  };
}

export function isSameAllocation(first: RefundAllocation, second: RefundAllocation): boolean {
  const texts = [first, second].map(({ rugs, deliveryMinimum }) =>
    JSON.stringify([
      deliveryMinimum,
      rugs.map(({ rugIndex, charges }) => [rugIndex, chargeNames.map((name) => charges[name])]),
    ]),
  );
  return texts[0] === texts[1];
}

/** As an accountant's five figures. */
export function splitOf({ rugs, deliveryMinimum }: RefundAllocation): RefundSplit {
  const sumOf = (pick: (charges: RugCharges) => Cents) => sumCents(rugs.map(({ charges }) => pick(charges)));
  return {
    services: sumOf(({ base }) => base),
    addOns: sumOf(({ stainProtection, greenPad }) => sumCents([stainProtection, greenPad])),
    delivery: sumOf(({ delivery }) => delivery),
    deliveryMinimum,
    salesTax: sumOf(({ salesTax }) => salesTax),
  };
}

/**
 * Amounts of chosen lines for a typed amount: a smaller one is shared in proportion, a larger one leaves each line at
 * its rest.
 */
export function fitChosenLines(left: ChosenLines, amount: Cents): ChosenLines {
  if (amount >= totalOfChosen(left)) return left;
  const { charges = [] } = left;
  const weights = [...[...left.rugs, ...charges].map((item) => item.amount), left.deliveryMinimum];
  const shares = shareByLargestRemainder(amount, weights);
  return {
    rugs: left.rugs.map(({ rugIndex }, index) => ({ rugIndex, amount: shares[index] ?? noCents })),
    ...(left.charges === undefined
      ? {}
      : { charges: charges.map((item, index) => ({ ...item, amount: shares[left.rugs.length + index] ?? noCents })) }),
    deliveryMinimum: shares.at(-1) ?? noCents,
  };
}

function takeFromRug(left: RugCharges | undefined, amount: Cents): RugCharges {
  if (left === undefined || amount > rugTotal(left)) throw new RangeError('More than is left of a rug');
  return chargesFrom(
    shareByLargestRemainder(
      amount,
      chargeNames.map((name) => left[name]),
    ),
  );
}

function takeFromAll(left: OrderCharges, amount: Cents): RefundAllocation {
  if (amount < 0 || amount > totalOf(left)) throw new RangeError('More than is left of an order');
  const { rugs, deliveryMinimum } = chargesInCells(shareByLargestRemainder(amount, cellsOf(left)));
  return { rugs: rugs.map((charges, rugIndex) => ({ rugIndex, charges })), deliveryMinimum };
}

/** The charges of each rug, then the delivery minimum. */
export function cellsOf({ rugs, deliveryMinimum }: OrderCharges): readonly Cents[] {
  return [...rugs.flatMap((charges) => chargeNames.map((name) => charges[name])), deliveryMinimum];
}

export function chargesInCells(cells: readonly Cents[]): OrderCharges {
  const rugs: RugCharges[] = [];
  const width = chargeNames.length;
  for (let from = 0; from + width <= cells.length; from += width) {
    rugs.push(chargesFrom(cells.slice(from, from + width)));
  }
  return { rugs, deliveryMinimum: cells.at(-1) ?? noCents };
}

function chargesFrom(amounts: readonly Cents[]): RugCharges {
  const [base = noCents, delivery = noCents, stainProtection = noCents, greenPad = noCents, salesTax = noCents] =
    amounts;
  return { base, delivery, stainProtection, greenPad, salesTax };
}

/** Leaves out rugs without a refund. */
function merge(first: RefundAllocation, second: RefundAllocation): RefundAllocation {
  const byRug = new Map(first.rugs.map(({ rugIndex, charges }) => [rugIndex, charges]));
  for (const { rugIndex, charges } of second.rugs) {
    const before = byRug.get(rugIndex);
    byRug.set(rugIndex, before === undefined ? charges : combine(before, charges, (a, b) => cents(a + b)));
  }
  return {
    rugs: [...byRug]
      .map(([rugIndex, charges]) => ({ rugIndex, charges }))
      .filter(({ charges }) => rugTotal(charges) > 0)
      .toSorted((a, b) => a.rugIndex - b.rugIndex),
    deliveryMinimum: sumCents([first.deliveryMinimum, second.deliveryMinimum]),
  };
}

function combine(first: RugCharges, second: RugCharges, of: (a: Cents, b: Cents) => Cents): RugCharges {
  return chargesFrom(chargeNames.map((name) => of(first[name], second[name])));
}

function notNegative(amount: number): Cents {
  if (amount < 0) throw new RangeError('A charge was refunded for more than it was');
  return cents(amount);
}
