import { createRootRoute, Outlet } from '@tanstack/react-router';
import { NotFound } from '../not-found/not-found.tsx';
import { loadPageData } from '../shared/page-data.ts';
import { Toaster } from '../shared/toast/toaster.tsx';
import { LoadFailed } from '../shared/ui/load-failed.tsx';
import { OfflineBanner } from '../shared/ui/offline-banner.tsx';

export const Route = createRootRoute({
  loader: loadPageData,
  // Loaded once: no page may change its prices under the customer's hands.
  staleTime: Number.POSITIVE_INFINITY,
  component: Root,
  errorComponent: LoadFailed,
  notFoundComponent: NotFound,
});

function Root() {
  return (
    <>
      <OfflineBanner />
      <Outlet />
      <Toaster />
    </>
  );
}
