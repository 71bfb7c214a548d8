import { useState } from 'react';
import { loadCurrentOrder, loadShownTotal } from '../shared/stored-order.ts';
import { Page } from '../shared/ui/page.tsx';
import type { CheckoutInput } from './checkout-machine.ts';
import { CheckoutScreen } from './checkout-screen.tsx';
import type { WhyHome } from './go-home.tsx';
import { LeaveCheckout } from './leave-checkout.tsx';
import { loadAttempt } from './remembered-attempt.ts';

function openCheckout(): CheckoutInput | WhyHome {
  const order = loadCurrentOrder();
  const attempt = loadAttempt();
  if (order.ok) return { order: order.value, attempt, shownTotal: loadShownTotal(order.value) };
  return attempt === undefined ? order.rejection.code : { order: undefined, attempt };
}

export function CheckoutPage() {
  const [opening] = useState(openCheckout);
  return (
    <Page>{typeof opening === 'string' ? <LeaveCheckout why={opening} /> : <CheckoutScreen input={opening} />}</Page>
  );
}
