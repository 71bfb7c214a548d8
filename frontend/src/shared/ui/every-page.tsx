import { Outlet } from '@tanstack/react-router';
import { Toaster } from '../toast/toaster.tsx';
import { OfflineBanner } from './offline-banner.tsx';

/** What stands around every page. */
export function EveryPage() {
  return (
    <>
      <OfflineBanner />
      <Outlet />
      <Toaster />
    </>
  );
}
