import { localStore } from './storage.ts';

/**
 * Whether the page stands in another page's frame. There the form is all that shows: the parent has its own header and footer. What the
 * server draws (`draw-home.tsx`) never does.
 */
export function isFramed(): boolean {
  return typeof window !== 'undefined' && window.self !== window.top;
}

/** The order was made in a frame, and is paid outside of it. */
export function rememberFramedOrder(orderId: string): void {
  localStore.write('framedOrder', orderId);
}

/** Whether the form that this order was made in stood in a frame, wherever it is paid. */
export function isFromFrame(orderId: string): boolean {
  return isFramed() || localStore.read('framedOrder') === orderId;
}
