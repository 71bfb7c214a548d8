import { localStore } from './storage.ts';

/** Forgets the order that is about to be paid. `stored-order.ts` reads and writes it. */
export function clearCurrentOrder(): void {
  localStore.remove('currentOrder');
}
