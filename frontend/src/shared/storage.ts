/**
 * Storage can throw in a cross-site iframe, in a private window or on a full disk. Texts that could not be stored are
 * kept in memory, so that the order survives until the page is closed.
 */
export type Store = {
  readonly read: (key: StorageKey) => string | null;
  readonly write: (key: StorageKey, text: string) => void;
  readonly remove: (key: StorageKey) => void;
};

/** The first four are the specification's (section 3). */
export type StorageKey =
  | 'rugFormState'
  | 'currentOrder'
  | 'ab_checkout_variant'
  | 'adminLoggedIn'
  | 'adminShortcutsOff'
  | 'paymentAttempt'
  | 'refusedEmail'
  | 'shownTotal'
  | 'handedOver'
  | 'framedOrder'
  | 'openRefund'
  | 'noWallet';

/** Both `open` and the storage's methods may throw. */
export function makeStore(open: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Store {
  /** What the browser failed to store; null: failed to remove. */
  const memory = new Map<StorageKey, string | null>();
  return {
    read: (key) => {
      const remembered = memory.get(key);
      if (remembered !== undefined) return remembered;
      try {
        return open().getItem(key);
      } catch {
        return null;
      }
    },
    write: (key, text) => {
      try {
        open().setItem(key, text);
        memory.delete(key);
      } catch {
        memory.set(key, text);
      }
    },
    remove: (key) => {
      try {
        open().removeItem(key);
        memory.delete(key);
      } catch {
        memory.set(key, null);
      }
    },
  };
}

export const localStore = makeStore(() => window.localStorage);
export const sessionStore = makeStore(() => window.sessionStorage);
