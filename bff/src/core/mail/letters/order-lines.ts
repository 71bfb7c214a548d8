import { tierOffers } from '@kilim/domain/catalog';
import { type Cents, formatDollars } from '@kilim/domain/money';
import type { OrderPlaced } from '@kilim/domain/order/events';
import { formatSize } from '@kilim/domain/rug';
import type { AmountLine } from '../letter.ts';

/** The rugs and charges of an order, as its receipt shows them. They add up to the total. */
export function orderLines({ rugs, lines, salesTax, total }: OrderPlaced): readonly AmountLine[] {
  return [
    ...rugs.map(({ width, length, tier, charges }, index) => ({
      term: `Rug #${index + 1}`,
      note: `${formatSize({ width, length })}, ${tierOffers[tier].name}`,
      amount: formatDollars(charges.base),
    })),
    ...charged('Stain protection', lines.stainProtection),
    ...charged('Green Pad', lines.greenPad),
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
