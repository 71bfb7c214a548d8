import { createRootRoute } from '@tanstack/react-router';
import { NotFound } from '../not-found/not-found.tsx';
import { loadPageData } from '../shared/page-data.ts';
import { EveryPage } from '../shared/ui/every-page.tsx';
import { LoadFailed } from '../shared/ui/load-failed.tsx';

export const Route = createRootRoute({
  loader: loadPageData,
  // Loaded once: no page may change its prices under the customer's hands.
  staleTime: Number.POSITIVE_INFINITY,
  component: EveryPage,
  errorComponent: LoadFailed,
  notFoundComponent: NotFound,
});
