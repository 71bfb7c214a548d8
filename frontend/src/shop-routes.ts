import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { CheckoutLoading } from './checkout/checkout-loading.tsx';
import { receiptSearch } from './receipt/receipt-search.ts';
import { root } from './root-route.ts';
import type { makeRouter } from './router.ts';

// The server preloads the scripts of these pages (`bff/src/core/http/site/pages.ts`).

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./home/home-page.tsx'), 'HomePage'),
});

const checkout = createRoute({
  getParentRoute: () => root,
  path: '/checkout',
  // Only a page that a frame's form was posted to has an order of its own.
  beforeLoad: async () => {
    if (document.getElementById('kilim-order') === null) return;
    const { takeHandedOverOrder } = await import('./embed/take-handed-over-order.ts');
    takeHandedOverOrder(document, Date.now());
  },
  component: lazyRouteComponent(() => import('./embed/checkout-place.tsx'), 'CheckoutPlace'),
  pendingComponent: CheckoutLoading,
});

const receipt = createRoute({
  getParentRoute: () => root,
  path: '/payment-success',
  validateSearch: receiptSearch,
  component: lazyRouteComponent(() => import('./receipt/receipt-page.tsx'), 'ReceiptPage'),
  pendingComponent: lazyRouteComponent(() => import('./receipt/receipt-loading.tsx'), 'ReceiptLoading'),
});

const difference = createRoute({
  getParentRoute: () => root,
  path: '/difference/$differenceId',
  component: lazyRouteComponent(() => import('./difference/difference-page.tsx'), 'DifferencePage'),
});

export const shopPages = [home, checkout, receipt, difference] as const;

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter<typeof shopPages>>;
  }
}
