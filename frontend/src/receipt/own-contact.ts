import type { CurrentOrder } from '@kilim/bff/contract/quote';
import type { PaidOrder } from '@kilim/bff/contract/receipt';

/**
 * In an iframe the browser may keep back the receipt's cookie, and the server then masks the contact.
 * @param stored the browser's stored order; another order changes nothing.
 */
export function withOwnContact(answer: PaidOrder, stored: CurrentOrder | undefined): PaidOrder {
  if (stored?.orderId !== answer.order._id) return answer;
  return { ...answer, order: { ...answer.order, customerInfo: stored.customerInfo } };
}
