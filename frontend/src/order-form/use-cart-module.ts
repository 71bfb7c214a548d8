import { useEffect, useState } from 'react';

type CartModule = typeof import('./cart-details.tsx');

let cart: CartModule | undefined;
let loading: Promise<CartModule> | undefined;

async function load(): Promise<CartModule> {
  loading ??= import('./cart-details.tsx');
  try {
    cart = await loading;
    return cart;
  } catch (failure) {
    loading = undefined;
    throw failure;
  }
}

/**
 * Fetches the cart at the first touch of the page, long before it is wanted. A failure is told only
 * then.
 */
export function usePreloadedCart(): void {
  useEffect(() => {
    const preload = () => {
      stop();
      load().catch(() => undefined);
    };
    const stop = () => {
      for (const type of ['pointerdown', 'keydown']) window.removeEventListener(type, preload);
    };
    for (const type of ['pointerdown', 'keydown']) window.addEventListener(type, preload, { passive: true });
    return stop;
  }, []);
}

/**
 * The cart's own part of the program: there at once when it has been fetched, else as soon as it
 * is.
 */
export function useCartModule() {
  const [state, setState] = useState<CartModule | 'loading' | 'failed'>(cart ?? 'loading');
  useEffect(() => {
    if (state !== 'loading') return;
    let left = false;
    const settle = (settled: CartModule | 'failed') => {
      if (!left) setState(settled);
    };
    load().then(settle, () => settle('failed'));
    return () => {
      left = true;
    };
  }, [state]);
  return {
    cart: typeof state === 'string' ? undefined : state,
    failed: state === 'failed',
    tryAgain: () => setState('loading'),
  };
}
