import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { CurrentOrderRejection } from '../shared/stored-order.ts';
import { showToast } from '../shared/toast/toast-store.ts';
import { CheckoutLoading } from './checkout-loading.tsx';
import { hasDraft } from './ordered-draft.ts';
import { checkoutTexts } from './texts.ts';

/** `NothingCharged`: only an earlier attempt was to be confirmed. */
export type WhyHome = CurrentOrderRejection['code'] | 'NothingCharged';

type Words = Parameters<typeof showToast>[0];

/** Some are the specification's (section 8). */
const noOrder = 'No active order was found. Please create a new order.';
const toasts: Record<WhyHome, Words> = {
  NoOrder: { title: 'No Order Found', description: noOrder, variant: 'destructive' },
  Unreadable: {
    title: 'Error',
    description: 'Could not load your order details. Please try again.',
    variant: 'destructive',
  },
  NothingCharged: { title: checkoutTexts.nothingChargedTitle, description: noOrder },
};
const fromCart = 'Continue to payment from here, so that you pay for the order you see.';
const toastsAtCart: Partial<Record<WhyHome, Words>> = {
  NoOrder: { title: 'Please check your cart', description: fromCart },
  NothingCharged: { title: checkoutTexts.nothingChargedTitle, description: fromCart },
};

/** To the cart, if a change of it took its order away. */
export function GoHome({ why }: { readonly why: WhyHome }) {
  const navigate = useNavigate();
  useEffect(() => {
    const atCart = hasDraft() ? toastsAtCart[why] : undefined;
    showToast(atCart ?? toasts[why]);
    void navigate({ to: '/', hash: atCart === undefined ? '' : 'cart', replace: true });
  }, [why, navigate]);
  return <CheckoutLoading />;
}
