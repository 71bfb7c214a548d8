import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { loadCurrentOrder } from '../shared/stored-order.ts';
import { showToast } from '../shared/toast/toast-store.ts';
import { Page } from '../shared/ui/page.tsx';
import { CheckoutLoading } from './checkout-loading.tsx';
import type { CheckoutInput } from './checkout-machine.ts';
import { CheckoutScreen } from './checkout-screen.tsx';
import { loadAttempt } from './remembered-attempt.ts';
import { checkoutTexts } from './texts.ts';

/** Or the toast that explains why there is neither. */
type Opening =
  | { readonly input: CheckoutInput }
  | { readonly toast: { readonly title: string; readonly description: string } };

function openCheckout(): Opening {
  const order = loadCurrentOrder();
  const attempt = loadAttempt();
  if (order.ok) return { input: { order: order.value, attempt } };
  if (attempt !== undefined) return { input: { order: undefined, attempt } };
  return order.rejection.code === 'NoOrder'
    ? { toast: { title: checkoutTexts.noOrderTitle, description: checkoutTexts.noOrder } }
    : { toast: { title: checkoutTexts.unreadableOrderTitle, description: checkoutTexts.unreadableOrder } };
}

export function CheckoutPage() {
  const [opening] = useState(openCheckout);
  return (
    <Page>{'input' in opening ? <CheckoutScreen input={opening.input} /> : <GoHome toast={opening.toast} />}</Page>
  );
}

function GoHome({ toast }: { readonly toast: { readonly title: string; readonly description: string } }) {
  const navigate = useNavigate();
  useEffect(() => {
    showToast({ ...toast, variant: 'destructive' });
    void navigate({ to: '/', replace: true });
  }, [toast, navigate]);
  return <CheckoutLoading />;
}
