import { sessionStore } from '../shared/storage.ts';

/** Sent from this tab. Only the server knows whether it was paid. */
export function isHandedOver(orderId: string): boolean {
  return sessionStore.read('handedOver') === orderId;
}

export function rememberHandOver(orderId: string): void {
  sessionStore.write('handedOver', orderId);
}

export function forgetHandOver(): void {
  sessionStore.remove('handedOver');
}
