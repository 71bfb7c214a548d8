import { createRootRoute, lazyRouteComponent } from '@tanstack/react-router';
import { loadPageData } from './shared/page-data.ts';
import { EveryPage } from './shared/ui/every-page.tsx';
import { LoadFailed } from './shared/ui/load-failed.tsx';

/** Of the shop and the back office. */
export const root = createRootRoute({
  loader: loadPageData,
  // Prices must not change while the customer fills in the form.
  staleTime: Number.POSITIVE_INFINITY,
  component: EveryPage,
  errorComponent: LoadFailed,
  notFoundComponent: lazyRouteComponent(() => import('./not-found/not-found.tsx'), 'NotFound'),
});
