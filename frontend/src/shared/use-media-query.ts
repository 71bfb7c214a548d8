import { useCallback, useSyncExternalStore } from 'react';

/** False on the server and during hydration: style sheets must not depend on it. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}

const narrow = '(width < 768px)';

/** Then the comparison shows two tiers instead of three (specification, section 9). */
export function useNarrow(): boolean {
  return useMediaQuery(narrow);
}

/** During hydration, too. */
export function isNarrow(): boolean {
  return window.matchMedia(narrow).matches;
}
