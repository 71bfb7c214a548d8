import { sessionStore } from '../shared/storage.ts';

/** Whether this tab has already taken the order out of the frame, to the payment page. Only the server knows whether it was paid there. */
export function isHandedOver(orderId: string): boolean {
  return sessionStore.read('handedOver') === orderId;
}

export function rememberHandOver(orderId: string): void {
  sessionStore.write('handedOver', orderId);
}

export function forgetHandOver(): void {
  sessionStore.remove('handedOver');
}
