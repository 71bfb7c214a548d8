import { isFramed } from '../shared/framed.ts';

type Embedding = typeof import('./embedding.ts');

/**
 * In an iframe only. If loading fails, the form still works.
 * @param onFailed runs in an iframe if loading fails.
 */
export function whenFramed(act: (embedding: Embedding) => void, onFailed = () => {}): void {
  if (isFramed()) void import('./embedding.ts').then(act, onFailed);
}
