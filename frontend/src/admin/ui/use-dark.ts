import { useSyncExternalStore } from 'react';

const darkQuery = '(prefers-color-scheme: dark)';

function subscribe(changed: () => void): () => void {
  const query = window.matchMedia(darkQuery);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Whether the system prefers dark colours. */
export function useDark(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(darkQuery).matches);
}
