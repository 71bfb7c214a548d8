import { localStore } from './storage.ts';

/**
 * In an iframe only the form shows, because the parent has its own header and footer. Always false during server
 * rendering (`render-home.tsx`).
 */
export function isFramed(): boolean {
  return typeof window !== 'undefined' && window.self !== window.top;
}

export function rememberFramedOrder(orderId: string): void {
  localStore.write('framedOrder', orderId);
}

/** Even if the checkout runs outside the iframe. */
export function isFromFrame(orderId: string): boolean {
  return isFramed() || localStore.read('framedOrder') === orderId;
}
