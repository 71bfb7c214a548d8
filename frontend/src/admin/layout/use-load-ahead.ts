import { type AnyRoute, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** The first page loads its data first. */
const startAfterMilliseconds = 1_000;

/**
 * Loads the scripts of all pages. A tab then opens at once, also while the server is away, and after an upgrade that
 * removed the scripts of this version.
 */
export function useLoadAhead(): void {
  const router = useRouter();
  useEffect(() => {
    const routes: readonly AnyRoute[] = Object.values(router.routesById);
    const timer = setTimeout(() => {
      for (const route of routes) {
        // What fails here is loaded when the page is opened.
        void router.loadRouteChunk(route)?.catch(() => undefined);
      }
    }, startAfterMilliseconds);
    return () => clearTimeout(timer);
  }, [router]);
}
