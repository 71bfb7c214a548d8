import { at, roundHalfUp, shares, sum } from './own-arithmetic.ts';
import type { PlannedCharge, PlannedOrder, PlannedRefund, PlannedTier } from './plan.ts';

// Written from the specification (sections 5 and 9).

export type Charges = Record<PlannedCharge, number>;
/** Of an order, or a part of them; in cents. */
export type Open = { readonly rugs: Charges[]; deliveryMinimum: number };

const chargeNames: readonly PlannedCharge[] = ['base', 'delivery', 'stainProtection', 'greenPad', 'salesTax'];
const minimumOfRug: Readonly<Record<PlannedTier, number>> = { premium: 13_500, midrange: 10_500, economy: 7_500 };
/** The cost of its lines, in cents, and their rest at first. A supplement costs the difference. */
export function priceOrder({ supplementOf, ...order }: PlannedOrder): Open {
  const priced = priceRugs(order);
  if (supplementOf !== undefined) subtract(priced, priceRugs({ ...order, rugs: supplementOf.rugs }));
  return priced;
}

function priceRugs({ rugs, prices, tax: rate, delivery }: PlannedOrder): Open {
  const taxable = rugs.map((rug) => addOnsOf(rug));
  const tax = shares(
    roundHalfUp(sum(taxable.map(({ all }) => all)) * rate.thousandths, 100_000),
    taxable.map(({ all }) => all),
  );
  const areas = rugs.map(({ width, length }) => width * length);
  const pickup = shares(delivery === 'pickup' ? roundHalfUp(sum(areas) * 50, 144) : 0, areas);
  const charged = rugs.map((rug, index) => ({
    base: Math.max(roundHalfUp(rug.width * rug.length * prices[rug.tier], 144), minimumOfRug[rug.tier]),
    delivery: pickup[index] ?? 0,
    stainProtection: taxable[index]?.stainProtection ?? 0,
    greenPad: taxable[index]?.greenPad ?? 0,
    salesTax: tax[index] ?? 0,
  }));
  const subtotal = sum(charged.map((rug) => sum(Object.values(rug))));
  return { rugs: charged, deliveryMinimum: delivery === 'pickup' ? Math.max(0, 40_000 - subtotal) : 0 };
}

export function totalOf({ rugs, deliveryMinimum }: Open): number {
  return sum(rugs.flatMap((rug) => Object.values(rug))) + deliveryMinimum;
}

function addOnsOf({ width, length, tier, stainProtection, greenPad }: PlannedOrder['rugs'][number]) {
  const area = width * length;
  const stain = stainProtection && tier !== 'premium' ? roundHalfUp(area * 250, 144) : 0;
  const pad = greenPad ? roundHalfUp(area * 350, 144) : 0;
  return { stainProtection: stain, greenPad: pad, all: stain + pad };
}

/** First what the refund names, then the tax of named add-ons, then the free amount. */
export function take(open: Open, refund: PlannedRefund, order: PlannedOrder): Open {
  if (refund.everything) return takeFromAll(open, totalOf(open));
  const taken = nothing(open);
  for (const { rug, amount } of refund.rugs ?? []) {
    const left = at(open.rugs, rug);
    const whole = sum(chargeNames.map((name) => left[name]));
    const given = shares(
      amount === 'all' ? whole : amount,
      chargeNames.map((name) => left[name]),
    );
    chargeNames.forEach((name, index) => {
      at(taken.rugs, rug)[name] += given[index] ?? 0;
    });
  }
  for (const { rug, charge, amount } of refund.charges ?? []) {
    const left = at(open.rugs, rug);
    const given = amount === 'all' ? left[charge] : amount;
    at(taken.rugs, rug)[charge] += given;
    if (charge !== 'stainProtection' && charge !== 'greenPad') continue;
    at(taken.rugs, rug).salesTax += taxWith(at(priceOrder(order).rugs, rug), left, { charge, given });
  }
  const minimum = refund.deliveryMinimum ?? 0;
  taken.deliveryMinimum = minimum === 'all' ? open.deliveryMinimum : minimum;
  subtract(open, taken);
  const beyond = takeFromAll(open, refund.beyond ?? 0);
  add(taken, beyond);
  return taken;
}

/** The difference of two points on the way to the add-on's share of the rug's tax. */
function taxWith(
  paid: Charges,
  left: Charges,
  { charge, given }: { charge: 'stainProtection' | 'greenPad'; given: number },
) {
  const both = shares(paid.salesTax, [paid.stainProtection, paid.greenPad]);
  const share = both[charge === 'stainProtection' ? 0 : 1] ?? 0;
  const pointAt = (refunded: number) => shares(share, [refunded, paid[charge] - refunded])[0] ?? 0;
  const before = paid[charge] - left[charge];
  return Math.min(pointAt(before + given) - pointAt(before), left.salesTax);
}

export function takeFromAll(open: Open, amount: number): Open {
  const weights = [...open.rugs.flatMap((rug) => chargeNames.map((name) => rug[name])), open.deliveryMinimum];
  const given = shares(amount, weights);
  const taken = nothing(open);
  taken.rugs.forEach((rug, index) => {
    chargeNames.forEach((name, column) => {
      rug[name] = given[index * chargeNames.length + column] ?? 0;
    });
  });
  taken.deliveryMinimum = given.at(-1) ?? 0;
  subtract(open, taken);
  return taken;
}

function nothing({ rugs }: Open): Open {
  const none = () => ({ base: 0, delivery: 0, stainProtection: 0, greenPad: 0, salesTax: 0 });
  return { rugs: rugs.map(none), deliveryMinimum: 0 };
}

export function add(sumSoFar: Open, more: Open): void {
  sumSoFar.rugs.forEach((rug, index) => {
    for (const name of chargeNames) rug[name] += at(more.rugs, index)[name];
  });
  sumSoFar.deliveryMinimum += more.deliveryMinimum;
}

function subtract(open: Open, taken: Open): void {
  open.rugs.forEach((rug, index) => {
    for (const name of chargeNames) rug[name] -= at(taken.rugs, index)[name];
  });
  open.deliveryMinimum -= taken.deliveryMinimum;
}
