import * as z from 'zod/mini';
import { localStore, type Store, sessionStore } from '../shared/storage.ts';
import type { PaymentAttempt } from './outcomes.ts';

const attemptSchema = z.object({
  idempotencyKey: z.string().check(z.minLength(1)),
  orderId: z.string(),
  startedAt: z.string(),
});

/**
 * Where the browser keeps things, the tab's own memory first: another tab may have an attempt of
 * its own.
 */
export type AttemptStores = { readonly tab: Store; readonly browser: Store };

const browserStores: AttemptStores = { tab: sessionStore, browser: localStore };

/**
 * The attempt whose outcome this browser never learned. It is kept twice, because either store may
 * refuse or be emptied.
 */
export function loadAttempt({ tab, browser }: AttemptStores = browserStores): PaymentAttempt | undefined {
  return parseAttempt(tab.read('paymentAttempt')) ?? parseAttempt(browser.read('paymentAttempt'));
}

export function rememberAttempt(attempt: PaymentAttempt, { tab, browser }: AttemptStores = browserStores): void {
  const text = JSON.stringify(attempt);
  tab.write('paymentAttempt', text);
  browser.write('paymentAttempt', text);
}

/** Forgets this attempt, and no other one that a second tab has begun meanwhile. */
export function forgetAttempt(attempt: PaymentAttempt, { tab, browser }: AttemptStores = browserStores): void {
  for (const store of [tab, browser]) {
    const kept = parseAttempt(store.read('paymentAttempt'));
    if (kept?.idempotencyKey === attempt.idempotencyKey) store.remove('paymentAttempt');
  }
}

/** Tells of each attempt that another tab of this browser begins. @returns what ends it */
export function watchAttempts(onBegun: (attempt: PaymentAttempt) => void): () => void {
  const changed = ({ key, newValue }: StorageEvent) => {
    const attempt = key === 'paymentAttempt' ? parseAttempt(newValue) : undefined;
    if (attempt !== undefined) onBegun(attempt);
  };
  window.addEventListener('storage', changed);
  return () => window.removeEventListener('storage', changed);
}

function parseAttempt(text: string | null): PaymentAttempt | undefined {
  if (text === null) return undefined;
  try {
    const parsed = attemptSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
