import { createRootRoute } from '@tanstack/react-router';
import { NotFound } from '../not-found/not-found.tsx';
import { loadPageData } from '../shared/page-data.ts';
import { EveryPage } from '../shared/ui/every-page.tsx';
import { LoadFailed } from '../shared/ui/load-failed.tsx';

export const Route = createRootRoute({
  loader: loadPageData,
  // Loaded once: prices must not change while the customer fills in the form.
  staleTime: Number.POSITIVE_INFINITY,
  component: EveryPage,
  errorComponent: LoadFailed,
  notFoundComponent: NotFound,
});
