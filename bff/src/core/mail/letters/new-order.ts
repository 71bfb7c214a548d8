import { formatPickup, formatPickupTime } from '@kilim/domain/format-day';
import { formatPhone } from '@kilim/domain/format-phone';
import { formatDollars } from '@kilim/domain/money';
import { orderNumberOf } from '@kilim/domain/order/number';
import type { FoundOrder } from '../../queries/find-order.ts';
import { type Letter, text } from '../letter.ts';
import { orderLines, rugsText } from './order-lines.ts';

type OrderWithContact = Pick<FoundOrder, 'placed' | 'kept'> & {
  readonly summary: Pick<FoundOrder['summary'], 'pickup'>;
};

/**
 * To the shop, which calls from its mailbox. Email address, street and note for the driver are on the order's page only,
 * because erasing a contact does not reach the copies of a mailbox. The subject is shown on locked screens: it names
 * nobody.
 */
export function newOrder(found: OrderWithContact, orderUrl: string): Letter {
  const { placed } = found;
  const number = orderNumberOf(placed.orderId);
  const delivery = placed.deliveryOption === 'pickup' ? 'White Glove Pickup' : 'Drop-off';
  return {
    subject: `New order ${number}: ${rugsText(placed)}, ${formatDollars(placed.total)}, ${delivery}`,
    heading: `New order ${number}`,
    parts: [
      text(whatToDo(found)),
      text(`${delivery} of ${rugsText(placed)}${placeText(found)}.`, ...wishSentences(found)),
      { kind: 'amounts', lines: orderLines(placed) },
      { kind: 'link', text: 'Open the order', url: orderUrl },
    ],
  };
}

function whatToDo({ placed, kept, summary }: OrderWithContact): string {
  if (kept === undefined) return 'The contact of this customer was erased, so nobody can call.';
  const { name, phone } = kept.contact;
  const customer = `${name}, ${formatPhone(phone)}`;
  if (summary.pickup !== undefined) return `${customer}. The pickup is agreed: ${formatPickup(summary.pickup)}.`;
  return placed.deliveryOption === 'pickup'
    ? `Call ${customer}, to arrange the pickup.`
    : `${customer}, brings the rugs. You need to do nothing before.`;
}

/** For a pickup. */
function placeText({ kept }: OrderWithContact): string {
  const address = kept?.contact.address;
  return address === undefined ? '' : ` in ${address.city}, ${address.zipCode}`;
}

function wishSentences({ placed, kept }: OrderWithContact): readonly string[] {
  if (kept === undefined || placed.deliveryOption !== 'pickup') return [];
  const wish = formatPickupTime(kept.contact.wishes ?? {});
  return [wish === undefined ? 'No day is preferred.' : `The customer asked for ${wish}.`];
}
