import { createFileRoute } from '@tanstack/react-router';
import { CheckoutLoading } from '../checkout/checkout-loading.tsx';
import { CheckoutPlace } from '../embed/checkout-place.tsx';

export const Route = createFileRoute('/checkout')({
  // Only a page that a frame's form was posted to has an order of its own.
  beforeLoad: async () => {
    if (document.getElementById('kilim-order') === null) return;
    const { takeHandedOverOrder } = await import('../embed/take-handed-over-order.ts');
    takeHandedOverOrder(document, Date.now());
  },
  component: CheckoutPlace,
  pendingComponent: CheckoutLoading,
});
