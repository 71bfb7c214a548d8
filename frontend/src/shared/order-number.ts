import { parseOrderId } from '@kilim/domain/order/ids';
import { orderNumberOf } from '@kilim/domain/order/number';

/** Or the id itself if it is of another form: a browser may have stored anything. */
export function orderNumberText(orderId: string): string {
  const parsed = parseOrderId(orderId);
  return parsed === undefined ? orderId : orderNumberOf(parsed);
}
