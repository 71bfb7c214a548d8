import { formatPickup, formatPickupTime } from '@kilim/domain/format-day';
import { formatDollars } from '@kilim/domain/money';
import { cardName } from '@kilim/domain/order/card-brand';
import type { PaymentAuthorized } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';
import { orderNumberOf } from '@kilim/domain/order/number';
import type { BusinessDetails, DropOffSite } from '@kilim/domain/settings/settings';
import type { FoundOrder } from '../../queries/find-order.ts';
import { type Letter, type LetterPart, text } from '../letter.ts';
import { orderLines } from './order-lines.ts';

export type ConfirmationFacts = {
  readonly found: FoundOrder;
  readonly business: BusinessDetails;
  readonly receiptUrl: string;
};

export function orderConfirmation({ found, business, receiptUrl }: ConfirmationFacts): Letter {
  const { placed } = found;
  if (placed.supplementOf !== undefined) return differencePaid({ found, business, receiptUrl }, placed.supplementOf);
  const number = orderNumberOf(placed.orderId);
  return {
    subject: `Your order ${number} at ${business.name}`,
    heading: 'Thank you. Your order is booked.',
    parts: [
      text(`Your order number is ${number}. ${paymentText(found)}`),
      { kind: 'heading', text: 'What happens next' },
      ...(placed.deliveryOption === 'pickup' ? pickupParts(found) : dropOffParts(business)),
      { kind: 'heading', text: 'Your order' },
      { kind: 'amounts', lines: orderLines(placed) },
      { kind: 'link', text: 'Open your receipt', url: receiptUrl },
      text('The link opens your receipt for 90 days, with refunds if there are any.'),
    ],
  };
}

function differencePaid({ found, business, receiptUrl }: ConfirmationFacts, orderId: OrderId): Letter {
  const number = orderNumberOf(orderId);
  return {
    subject: `You paid the difference: order ${number} at ${business.name}`,
    heading: 'Thank you. The difference is paid.',
    parts: [
      text(`This is about your order ${number}. ${paymentText(found)}`),
      { kind: 'heading', text: 'What it is for' },
      { kind: 'amounts', lines: orderLines(found.placed) },
      { kind: 'link', text: 'Open your receipt', url: receiptUrl },
    ],
  };
}

function paymentText({ stream, placed }: FoundOrder): string {
  const hold = stream.events.map(({ event }) => event).find((event) => event.type === 'PaymentAuthorized');
  const amount = formatDollars(placed.total);
  return hold === undefined ? `You paid ${amount} in the shop.` : `We charged ${amount} to your ${cardText(hold)}.`;
}

export function cardText(hold: PaymentAuthorized | undefined): string {
  return hold === undefined ? 'card' : cardName(hold).replace(/^Card\b/, 'card');
}

function pickupParts({ kept, summary: { pickup } }: FoundOrder): readonly LetterPart[] {
  if (pickup !== undefined) return [text(`Your pickup: ${formatPickup(pickup)}.`)];
  const wish = formatPickupTime(kept?.contact.wishes ?? {});
  const asked = wish === undefined ? [] : [`You asked for ${wish}.`];
  return [text('Our team will reach out to schedule your pickup, available within 1-5 days.', ...asked)];
}

function dropOffParts({ dropOffSites, bookingUrl }: BusinessDetails): readonly LetterPart[] {
  return [
    text(dropOffSites.length === 0 ? 'Bring your rugs to us.' : 'Bring your rugs to us:'),
    ...(dropOffSites.length === 0 ? [] : [{ kind: 'list' as const, items: dropOffSites.map(siteText) }]),
    ...(bookingUrl === '' ? [] : [text(`To book your drop-off, open ${bookingUrl}`)]),
  ];
}

function siteText({ name, note, address, hours, link }: DropOffSite): string {
  return [name, note, address, hours, link].filter((part) => part !== undefined && part !== '').join(', ');
}
