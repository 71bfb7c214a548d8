import { sessionStore } from './storage.ts';

/** Remembers for this tab whether the device has a wallet: without one the checkout reserves no room for its button. */
export function rememberWallets(hasWallet: boolean): void {
  if (hasWallet) sessionStore.remove('noWallet');
  else sessionStore.write('noWallet', 'true');
}

/** False only if the cart has found none. */
export function mayHaveWallet(): boolean {
  return sessionStore.read('noWallet') === null;
}
