import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False while the server draws, and once more while the browser takes over what the server has drawn. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
