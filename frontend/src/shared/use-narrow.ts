import { useSyncExternalStore } from 'react';

/** Below this width the comparison shows two tiers instead of three (specification, section 9). */
const narrowQuery = '(width < 768px)';

function subscribe(changed: () => void): () => void {
  const query = window.matchMedia(narrowQuery);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(narrowQuery).matches);
}
