import { useEffect, useState } from 'react';

type Parts = typeof import('./later-parts.ts');

/**
 * A part of the page that comes later, from when it is wanted. Undefined until it is there, and for
 * good when it cannot be fetched: the page has to stand without it.
 */
export function useLater<Name extends keyof Parts>(name: Name, isWanted: boolean): Parts[Name] | undefined {
  const [parts, setParts] = useState<Parts>();
  useEffect(() => {
    if (isWanted) void import('./later-parts.ts').then(setParts, () => undefined);
  }, [isWanted]);
  return parts?.[name];
}
