import { localStore } from './storage.ts';
import type { CustomerInfo, QuoteAnswer } from './wire.ts';

/**
 * The order to pay: the server's quote and the customer's contact. `load-current-order.ts` reads it
 * back.
 */
export type CurrentOrder = QuoteAnswer & { readonly customerInfo: CustomerInfo };

export function saveCurrentOrder(order: CurrentOrder): void {
  localStore.write('currentOrder', JSON.stringify(order));
}

export function clearCurrentOrder(): void {
  localStore.remove('currentOrder');
}
