import { useSyncExternalStore } from 'react';
import { localStore } from '../../../shared/storage.ts';

/**
 * Assumed: only the server knows. `adminLoggedIn` is a hint that avoids a flash of the sign-in screen, and opens
 * nothing. In `expired` the sign-in covers the page's content.
 */
export type SessionState = 'signed-out' | 'signed-in' | 'expired';

let state: SessionState = localStore.read('adminLoggedIn') === '1' ? 'signed-in' : 'signed-out';
/** Proves the password for ten minutes; kept in memory only. */
let proof: string | undefined;
const listeners = new Set<() => void>();

function change(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** @param token absent after a passkey, which does not prove the password. */
export function signedIn(token?: string): void {
  proof = token;
  localStore.write('adminLoggedIn', '1');
  change('signed-in');
}

/** After a 401. */
export function sessionEnded(): void {
  proof = undefined;
  localStore.remove('adminLoggedIn');
  if (state === 'signed-in') change('expired');
}

export function signedOut(): void {
  proof = undefined;
  localStore.remove('adminLoggedIn');
}

/** Within the same session. */
export function reauthenticated(token: string): void {
  proof = token;
}

export function currentProof(): string | undefined {
  return proof;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSessionState(): SessionState {
  return useSyncExternalStore(subscribe, () => state);
}
