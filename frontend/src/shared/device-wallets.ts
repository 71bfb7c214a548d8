import { sessionStore } from './storage.ts';

/** For this tab: without a wallet the checkout reserves no room for its button. */
export function rememberWallets(hasWallet: boolean): void {
  if (hasWallet) sessionStore.remove('noWallet');
  else sessionStore.write('noWallet', 'true');
}

/** False only if the cart has found none. */
export function mayHaveWallet(): boolean {
  return sessionStore.read('noWallet') === null;
}
