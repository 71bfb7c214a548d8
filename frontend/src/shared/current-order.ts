import { localStore } from './storage.ts';
import type { CustomerInfo, QuoteAnswer } from './wire.ts';

/** The order that is about to be paid: the server's quote and who asked for it. `load-current-order.ts` reads it back. */
export type CurrentOrder = QuoteAnswer & { readonly customerInfo: CustomerInfo };

export function saveCurrentOrder(order: CurrentOrder): void {
  localStore.write('currentOrder', JSON.stringify(order));
}

export function clearCurrentOrder(): void {
  localStore.remove('currentOrder');
}
