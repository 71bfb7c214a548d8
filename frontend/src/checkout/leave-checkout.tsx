import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { CheckoutLoading } from './checkout-loading.tsx';
import type { WhyHome } from './go-home.tsx';

const GoHome = lazyRouteComponent(() => import('./go-home.tsx'), 'GoHome');

export function LeaveCheckout({ why }: { readonly why: WhyHome }) {
  return (
    <Suspense fallback={<CheckoutLoading />}>
      <GoHome why={why} />
    </Suspense>
  );
}
