import { sessionStore } from './storage.ts';

/** Remembers for this tab whether the device has a wallet, so that the checkout keeps no room for one in vain. */
export function rememberWallets(hasWallet: boolean): void {
  if (hasWallet) sessionStore.remove('noWallet');
  else sessionStore.write('noWallet', 'true');
}

/** False only if the cart has found none. */
export function mayHaveWallet(): boolean {
  return sessionStore.read('noWallet') === null;
}
