/**
 * The only way to the browser's storage. In a cross-site frame, in a private window or when the disk is full, touching it
 * can throw; what could not be stored is kept in memory then, so that the order survives at least until the page is left.
 */
export type Store = {
  readonly read: (key: StorageKey) => string | null;
  readonly write: (key: StorageKey, text: string) => void;
  readonly remove: (key: StorageKey) => void;
};

/** The first four names are the specification's (section 3). */
export type StorageKey =
  | 'rugFormState'
  | 'currentOrder'
  | 'ab_checkout_variant'
  | 'adminLoggedIn'
  | 'paymentAttempt'
  | 'handedOver'
  | 'framedOrder'
  | 'openRefund';

/** `open` gives the browser's storage; it may throw, as may every call on what it gives. */
export function makeStore(open: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Store {
  /** What the browser would not keep; null where it would not even forget. */
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
