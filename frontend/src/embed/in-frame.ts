import { isFramed } from '../shared/framed.ts';

type Embedding = typeof import('./embedding.ts');

/** What speaks with the page around us is loaded only where there is one. Without it the form works all the same. */
export function whenFramed(act: (embedding: Embedding) => void): void {
  if (isFramed()) void import('./embedding.ts').then(act, () => undefined);
}
