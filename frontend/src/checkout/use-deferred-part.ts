import { useEffect, useState } from 'react';

type Parts = typeof import('./deferred-parts.ts');

/** Alone in its function: Vite moves what is chained to an `import()` to before the style sheets, whose failure throws. */
const load = () => import('./deferred-parts.ts');

/** Undefined until it is loaded, and if loading fails: the page must work without it. */
export function useDeferredPart<Name extends keyof Parts>(name: Name, isNeeded: boolean): Parts[Name] | undefined {
  const [parts, setParts] = useState<Parts>();
  useEffect(() => {
    if (isNeeded) void load().then(setParts, () => undefined);
  }, [isNeeded]);
  return parts?.[name];
}
