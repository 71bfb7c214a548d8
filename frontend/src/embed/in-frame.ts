import { isFramed } from '../shared/framed.ts';

type Embedding = typeof import('./embedding.ts');

/**
 * Loads the connection to the parent page, in an iframe only. If loading fails, the form still
 * works.
 */
export function whenFramed(act: (embedding: Embedding) => void): void {
  if (isFramed()) void import('./embedding.ts').then(act, () => undefined);
}
