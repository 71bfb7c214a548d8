import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => undefined;

/** False during server rendering and hydration, so that both render the same. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
