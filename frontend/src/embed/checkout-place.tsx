import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { CheckoutLoading } from '../checkout/checkout-loading.tsx';
import { CheckoutPage } from '../checkout/checkout-page.tsx';
import { isFramed } from '../shared/framed.ts';
import { usePageData } from '../shared/page-data.ts';
import { loadCurrentOrder } from '../shared/stored-order.ts';

const HandOver = lazyRouteComponent(() => import('./hand-over.tsx'), 'HandOver');

/** Where an iframe does not allow paying, the hand-over to the top-level checkout. */
export function CheckoutPlace() {
  const { checkoutTopLevel } = usePageData().config;
  const [order] = useState(() => {
    const current = loadCurrentOrder();
    return checkoutTopLevel && isFramed() && current.ok ? current.value : undefined;
  });
  if (order === undefined) return <CheckoutPage />;
  return (
    <Suspense fallback={<CheckoutLoading />}>
      <HandOver order={order} />
    </Suspense>
  );
}
