import type { Cents } from '@kilim/domain/money';
import type { RefundSplit } from '@kilim/domain/order/events';
import { splitTexts } from './texts.ts';

export function splitParts(split: RefundSplit): readonly (readonly [name: string, amount: Cents])[] {
  const parts = [
    [splitTexts.services, split.services],
    [splitTexts.addOns, split.addOns],
    [splitTexts.delivery, split.delivery],
    [splitTexts.deliveryMinimum, split.deliveryMinimum],
    [splitTexts.salesTax, split.salesTax],
  ] as const;
  return parts.filter(([, amount]) => amount > 0);
}
