import { addOnNames, describeRug } from '@kilim/domain/describe-rug';
import { type Cents, formatDollars } from '@kilim/domain/money';
import type { OrderPlaced } from '@kilim/domain/order/events';
import type { AmountLine } from '../letter.ts';

/**
 * The rugs of an order, each with its add-ons, and its charges, which add up to the total. A rug that a difference is
 * not about costs nothing.
 */
export function orderLines({ rugs, lines, salesTax, total }: OrderPlaced): readonly AmountLine[] {
  return [
    ...rugs.flatMap((rug, index) =>
      charged(`Rug #${index + 1}`, rug.charges.base).map((line) => ({ ...line, note: describeRug(rug) })),
    ),
    ...charged(addOnNames.stainProtection, lines.stainProtection),
    ...charged(addOnNames.greenPad, lines.greenPad),
    ...charged('White Glove Pickup & Delivery', lines.delivery),
    ...charged('Delivery Minimum', lines.deliveryMinimum),
    ...charged(salesTax.name, lines.salesTax),
    { term: 'Total', amount: formatDollars(total), isTotal: true },
  ];
}

function charged(term: string, amount: Cents): readonly AmountLine[] {
  return amount === 0 ? [] : [{ term, amount: formatDollars(amount) }];
}

export function rugsText({ rugs }: OrderPlaced): string {
  return rugs.length === 1 ? '1 rug' : `${rugs.length} rugs`;
}
