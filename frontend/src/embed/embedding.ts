import type { OrderFormActor } from '../order-form/order-form-actor.ts';
import { offerOf } from '../shared/offer.ts';
import { loadPageData } from '../shared/page-data.ts';
import { loadCurrentOrder } from '../shared/stored-order.ts';
import { openFrame } from './frame.ts';
import { isHandedOver } from './handed-over.ts';
import { linkForm } from './link-form.ts';
import { parentOriginsAmong } from './parent-origins.ts';
import { openParentPage } from './parent-page.ts';

/** Connects the form with the parent page; only `in-frame.ts` loads this module. */
const opened = open();

async function open() {
  const { config, settings } = await loadPageData();
  const { ancestorOrigins } = window.location;
  const origins = parentOriginsAmong(config.parentOrigins, { ancestorOrigins, referrer: document.referrer });
  return { frame: openFrame(openParentPage(window, origins)), rates: offerOf(settings).rates };
}

export function linkOrderForm(actor: OrderFormActor, left: AbortSignal): void {
  void opened.then(({ frame, rates }) => {
    if (left.aborted) return;
    // The order may have been paid, so the cart must not offer to pay again.
    if (wasHandedOver()) window.location.replace('/checkout');
    else linkForm(frame, { actor, rates, left });
  });
}

function wasHandedOver(): boolean {
  const order = loadCurrentOrder();
  return order.ok && isHandedOver(order.value.orderId);
}

/**
 * When the iframe has the height of its content.
 * @param onEnd runs after the last scroll, or when the customer scrolls first.
 */
export function scrollWithFrame(scroll: () => void, onEnd: () => void): void {
  void opened.then(({ frame }) => frame.scroll(scroll, onEnd), scroll);
}

export function showBeginning(heading: Element): void {
  void opened.then(({ frame }) => frame.showBeginning(heading));
}

/** The parent learns the order's id, but no personal data. */
export function announceOrder(orderId: string): void {
  void opened.then(({ frame: { parent } }) => {
    parent.post({ type: 'ORDER_PLACED', orderId });
    parent.post({ type: 'SCROLL_TO_IFRAME_TOP' });
  });
}
