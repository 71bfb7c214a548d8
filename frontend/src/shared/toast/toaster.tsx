import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { shownToast, subscribeToToasts, toastHost } from './toast-store.ts';

/** Alone in its function, as in `use-deferred-part.ts`. */
const loadRegion = () => import('./toast-region.tsx');

/**
 * The region's code is fetched at the first press or key, or with the first toast. After a failure, the next of these
 * events tries again.
 */
export function Toaster() {
  const toast = useSyncExternalStore(subscribeToToasts, shownToast, shownToast);
  const host = useSyncExternalStore(subscribeToToasts, toastHost, toastHost);
  const [Region, setRegion] = useState<ComponentType>();
  useEffect(() => {
    if (Region !== undefined) return;
    const load = () =>
      void loadRegion().then(
        ({ ToastRegion }) => setRegion(() => ToastRegion),
        () => undefined,
      );
    if (toast !== undefined) load();
    window.addEventListener('pointerdown', load);
    window.addEventListener('keydown', load);
    return () => {
      window.removeEventListener('pointerdown', load);
      window.removeEventListener('keydown', load);
    };
  }, [Region, toast]);
  if (Region === undefined) return null;
  return host === undefined ? <Region /> : createPortal(<Region />, host);
}
