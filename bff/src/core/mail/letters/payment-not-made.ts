import { orderNumberOf } from '@kilim/domain/order/number';
import { chargedAnswer } from '../../http/shop/decline-message.ts';
import type { FoundOrder } from '../../queries/find-order.ts';
import type { ReturnedCharge } from '../../use-case/returned-charge.ts';
import { type Letter, text } from '../letter.ts';

export type NotMadeFacts = {
  readonly found: FoundOrder;
  /** Square charged the card all the same. */
  readonly charge: ReturnedCharge | undefined;
  readonly businessName: string;
  readonly shopUrl: string;
};

/** For a customer who perhaps left while the outcome was unknown. */
export function paymentNotMade({ found: { placed }, charge, businessName, shopUrl }: NotMadeFacts): Letter {
  const number = orderNumberOf(placed.supplementOf ?? placed.orderId);
  return {
    subject: `Your payment was not made: order ${number} at ${businessName}`,
    heading: 'Your payment was not made',
    parts: [
      text(
        `This is about your order ${number}.`,
        charge === undefined
          ? 'Nothing was charged. If your bank shows the amount as reserved, the reservation ends by itself within a few days.'
          : chargedAnswer(charge).message,
      ),
      ...(placed.supplementOf === undefined
        ? [
            text('So nothing is booked. If you still want it, please order again.'),
            { kind: 'link' as const, text: 'Order again', url: shopUrl },
          ]
        : [text('The difference is still to be paid: the link in our earlier email works.')]),
    ],
  };
}
