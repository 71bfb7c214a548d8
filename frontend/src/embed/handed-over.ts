import { sessionStore } from '../shared/storage.ts';

/**
 * Whether this tab has already sent the order to the top-level checkout. Only the server knows
 * whether it was paid there.
 */
export function isHandedOver(orderId: string): boolean {
  return sessionStore.read('handedOver') === orderId;
}

export function rememberHandOver(orderId: string): void {
  sessionStore.write('handedOver', orderId);
}

export function forgetHandOver(): void {
  sessionStore.remove('handedOver');
}
