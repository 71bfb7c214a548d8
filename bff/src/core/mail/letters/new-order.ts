import { formatDollars } from '@kilim/domain/money';
import { orderNumberOf } from '@kilim/domain/order/number';
import type { FoundOrder } from '../../queries/find-order.ts';
import { type Letter, text } from '../letter.ts';
import { orderLines, rugsText } from './order-lines.ts';

/**
 * To the shop. It names no customer, because erasing a contact does not reach the copies of a
 * mailbox. The order's page has the contact.
 */
export function newOrder({ placed }: FoundOrder, orderUrl: string): Letter {
  const number = orderNumberOf(placed.orderId);
  const delivery = placed.deliveryOption === 'pickup' ? 'White Glove Pickup' : 'Drop-off';
  return {
    subject: `New order ${number}: ${rugsText(placed)}, ${formatDollars(placed.total)}, ${delivery}`,
    heading: `New order ${number}`,
    parts: [
      text(
        `${delivery} of ${rugsText(placed)}.`,
        placed.deliveryOption === 'pickup' ? 'The customer waits for a call to schedule the pickup.' : '',
      ),
      { kind: 'amounts', lines: orderLines(placed) },
      { kind: 'link', text: 'Open the order', url: orderUrl },
    ],
  };
}
