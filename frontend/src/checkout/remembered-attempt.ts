import * as z from 'zod/mini';
import { parseJson } from '../shared/parse-json.ts';
import { localStore, type Store, sessionStore } from '../shared/storage.ts';
import type { PaymentAttempt } from './outcomes.ts';

const attemptSchema = z.object({
  idempotencyKey: z.string().check(z.refine((key) => key !== '')),
  orderId: z.string(),
  startedAt: z.string(),
});

/** The tab's is read first, because another tab may have its own attempt in the browser's. */
export type AttemptStores = { readonly tab: Store; readonly browser: Store };

const browserStores: AttemptStores = { tab: sessionStore, browser: localStore };

/** In both stores, because either may fail or be cleared. */
export function loadAttempt({ tab, browser }: AttemptStores = browserStores): PaymentAttempt | undefined {
  return parseAttempt(tab.read('paymentAttempt')) ?? parseAttempt(browser.read('paymentAttempt'));
}

export function rememberAttempt(attempt: PaymentAttempt, { tab, browser }: AttemptStores = browserStores): void {
  const text = JSON.stringify(attempt);
  tab.write('paymentAttempt', text);
  browser.write('paymentAttempt', text);
}

/** Not one that another tab has stored since. */
export function forgetAttempt(attempt: PaymentAttempt, { tab, browser }: AttemptStores = browserStores): void {
  for (const store of [tab, browser]) {
    const kept = parseAttempt(store.read('paymentAttempt'));
    if (kept?.idempotencyKey === attempt.idempotencyKey) store.remove('paymentAttempt');
  }
}

/**
 * Reports each attempt that another tab starts.
 * @returns a function that stops watching.
 */
export function watchAttempts(onBegun: (attempt: PaymentAttempt) => void): () => void {
  const changed = ({ key, newValue }: StorageEvent) => {
    const attempt = key === 'paymentAttempt' ? parseAttempt(newValue) : undefined;
    if (attempt !== undefined) onBegun(attempt);
  };
  window.addEventListener('storage', changed);
  return () => window.removeEventListener('storage', changed);
}

function parseAttempt(text: string | null): PaymentAttempt | undefined {
  return attemptSchema.safeParse(parseJson(text)).data;
}
