import { Outlet } from '@tanstack/react-router';
import { Toaster } from '../toast/toaster.tsx';
import { OfflineBanner } from './offline-banner.tsx';

/** Wraps every page with the offline banner and the toaster. */
export function EveryPage() {
  return (
    <>
      <OfflineBanner />
      <Outlet />
      <Toaster />
    </>
  );
}
