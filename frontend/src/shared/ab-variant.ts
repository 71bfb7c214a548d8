import { localStore } from './storage.ts';

/** Stored by the marketing site, else B (specification, section 7). */
export function abVariant(): string {
  const stored = localStore.read('ab_checkout_variant');
  // The server rejects other names, and a malformed stored value must not fail a payment.
  return stored !== null && /^[A-Za-z0-9_-]{1,20}$/.test(stored) ? stored : 'B';
}
