import type { CurrentOrder } from '@kilim/bff/contract/quote';
import type { Cents } from '@kilim/domain/money';
import { orderLines, rugLines } from '../shared/priced-order/order-lines.ts';

/** `before` is undefined for a new line, `after` for a removed one. */
export type PriceChange = {
  readonly term: string;
  readonly before: Cents | undefined;
  readonly after: Cents | undefined;
};

/** Without the total itself. */
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
    deliveryCost: order.deliveryCost,
    salesTax: order.salesTax,
    salesTaxName: order.salesTaxName,
    total: order.totalAmount,
  });
  return new Map([...ofRugs, ...ofOrder.map(({ term, amount }) => [term, amount] as const)]);
}
