import { localStore } from './storage.ts';

/** The variant of the checkout's A/B test that this customer sees: B, unless the marketing site stored another (specification, section 7). */
export function abVariant(): string {
  const stored = localStore.read('ab_checkout_variant');
  // The server takes a short name only, and no payment shall fail over somebody's leftover.
  return stored !== null && /^[A-Za-z0-9_-]{1,20}$/.test(stored) ? stored : 'B';
}
