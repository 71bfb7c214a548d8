import type { Cents } from '@kilim/domain/money';
import type { CurrentOrder } from '../shared/current-order.ts';
import { centsOf } from '../shared/dollars.ts';
import { orderLines, rugLines } from '../shared/priced-order/order-lines.ts';

/**
 * One line of the order that costs another amount than was shown. Undefined where there was, or is,
 * no such line.
 */
export type PriceChange = {
  readonly term: string;
  readonly before: Cents | undefined;
  readonly after: Cents | undefined;
};

/**
 * Which lines make the difference between the total that was shown and today's. The total itself is
 * not among them.
 */
export function priceChanges(before: CurrentOrder, after: CurrentOrder): readonly PriceChange[] {
  const old = amountsByTerm(before);
  const now = amountsByTerm(after);
  const terms = new Set([...old.keys(), ...now.keys()]);
  return [...terms]
    .map((term) => ({ term, before: old.get(term), after: now.get(term) }))
    .filter((line) => line.before !== line.after);
}

function amountsByTerm(order: CurrentOrder): ReadonlyMap<string, Cents> {
  const ofRugs = order.rugs.flatMap((rug, index) => {
    const { title, lines } = rugLines(rug, index);
    return lines.map(({ term, amount }) => [`${title}: ${term}`, amount] as const);
  });
  const ofOrder = orderLines(order.rugs, {
    isPickup: order.deliveryOption === 'pickup',
    deliveryCost: centsOf(order.deliveryCost),
    salesTax: centsOf(order.salesTax),
  });
  return new Map([...ofRugs, ...ofOrder.map(({ term, amount }) => [term, amount] as const)]);
}
