import { localStore } from './storage.ts';

/**
 * The customer's variant of the checkout's A/B test: the one that the marketing site stored, else B
 * (specification, section 7).
 */
export function abVariant(): string {
  const stored = localStore.read('ab_checkout_variant');
  // The server rejects other names, and a malformed stored value must not fail a payment.
  return stored !== null && /^[A-Za-z0-9_-]{1,20}$/.test(stored) ? stored : 'B';
}
