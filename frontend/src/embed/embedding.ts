import type { OrderFormActor } from '../order-form/order-form-actor.ts';
import { loadCurrentOrder } from '../shared/load-current-order.ts';
import { loadPageData } from '../shared/page-data.ts';
import { openFrame } from './frame.ts';
import { isHandedOver } from './handed-over.ts';
import { linkForm } from './link-form.ts';
import { parentOriginsAmong } from './parent-origins.ts';
import { openParentPage } from './parent-page.ts';

/** Everything between the form and the page around it. Only `in-frame.ts` loads this, and only in a frame. */
const opened = open();

async function open() {
  const { config } = await loadPageData();
  const { ancestorOrigins } = window.location;
  const origins = parentOriginsAmong(config.parentOrigins, { ancestorOrigins, referrer: document.referrer });
  return openFrame(openParentPage(window, origins));
}

/** Tells the parent where the form is, and does what it asks of the form, until the form is left. */
export function linkOrderForm(actor: OrderFormActor, left: AbortSignal): void {
  void opened.then((frame) => {
    if (left.aborted) return;
    // Whoever comes back from the payment page may have paid: the cart must not stand there as if nothing had happened.
    if (wasHandedOver()) window.location.replace('/checkout');
    else linkForm(frame, actor, left);
  });
}

function wasHandedOver(): boolean {
  const order = loadCurrentOrder();
  return order.ok && isHandedOver(order.value.orderId);
}

/** The receipt has taken the checkout's place. The parent learns which order was placed, and nothing of who placed it. */
export function announceOrder(orderId: string): void {
  void opened.then(({ parent }) => {
    parent.post({ type: 'ORDER_PLACED', orderId });
    parent.post({ type: 'SCROLL_TO_IFRAME_TOP' });
  });
}
