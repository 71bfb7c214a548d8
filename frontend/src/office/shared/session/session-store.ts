import { localStore } from '../../../shared/storage.ts';
import { handedSignIn } from './handed-sign-in.ts';

/**
 * Assumed: only the server knows. `adminLoggedIn` is a hint that avoids a flash of the sign-in screen, and opens
 * nothing. In `expired` the sign-in covers the page's content.
 */
export type SessionState = 'signed-out' | 'signed-in' | 'expired';

const handed = handedSignIn();
let state: SessionState = handed?.factors === undefined ? 'signed-in' : 'signed-out';
/** Proves the password for ten minutes; kept in memory only. */
let proof = handed?.token;
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

export function currentState(): SessionState {
  return state;
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
