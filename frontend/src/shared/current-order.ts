import { localStore } from './storage.ts';

/** `stored-order.ts` reads and writes it. */
export function clearCurrentOrder(): void {
  localStore.remove('currentOrder');
}
