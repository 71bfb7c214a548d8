import type { CurrentOrder } from '@kilim/bff/contract/quote';
import type { PaidOrder } from '@kilim/bff/contract/receipt';

/**
 * Puts the contact that this browser took for the order into the server's answer. In an iframe the
 * browser may keep back the receipt's cookie, and the server then masks the contact.
 * @param stored the browser's stored order; it changes nothing if it is another order
 */
export function withOwnContact(answer: PaidOrder, stored: CurrentOrder | undefined): PaidOrder {
  if (stored?.orderId !== answer.order._id) return answer;
  return { ...answer, order: { ...answer.order, customerInfo: stored.customerInfo } };
}
