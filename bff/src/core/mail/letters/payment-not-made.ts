import { orderNumberOf } from '@kilim/domain/order/number';
import type { FoundOrder } from '../../queries/find-order.ts';
import { type Letter, text } from '../letter.ts';

export type NotMadeFacts = {
  readonly found: FoundOrder;
  readonly businessName: string;
  readonly shopUrl: string;
};

/** For a customer who perhaps left while the outcome was unknown. Undefined after another attempt was paid. */
export function paymentNotMade({ found, businessName, shopUrl }: NotMadeFacts): Letter | undefined {
  const { placed, summary } = found;
  if (summary.paymentStatus === 'paid') return undefined;
  const number = orderNumberOf(placed.supplementOf ?? placed.orderId);
  const isDifference = placed.supplementOf !== undefined;
  return {
    subject: `Your payment was not made: order ${number} at ${businessName}`,
    heading: 'Nothing was charged',
    parts: [
      text(
        `Your payment for the order ${number} was not made, and nothing was charged.`,
        'If your bank shows the amount as reserved, it will disappear by itself within a few days.',
      ),
      isDifference
        ? text('The difference is still to be paid: the link in our earlier email works.')
        : text('So nothing is booked. If you still want it, please order again.'),
      ...(isDifference ? [] : [{ kind: 'link' as const, text: 'Order again', url: shopUrl }]),
    ],
  };
}
