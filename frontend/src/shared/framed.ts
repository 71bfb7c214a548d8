import { localStore } from './storage.ts';

/**
 * Whether the page runs in an iframe. There it shows only the form, because the parent page has its
 * own header and footer. Always false during server rendering (`render-home.tsx`).
 */
export function isFramed(): boolean {
  return typeof window !== 'undefined' && window.self !== window.top;
}

/** Marks an order that was made in an iframe, for a checkout outside the iframe. */
export function rememberFramedOrder(orderId: string): void {
  localStore.write('framedOrder', orderId);
}

/** Whether the order was made in an iframe, even if the checkout runs outside it. */
export function isFromFrame(orderId: string): boolean {
  return isFramed() || localStore.read('framedOrder') === orderId;
}
