import { useEffect, useState } from 'react';

type CartModule = typeof import('./cart-details.tsx');

let cart: CartModule | undefined;
let loading: Promise<CartModule> | undefined;

/** With what submitting needs. */
export async function loadCart(): Promise<CartModule> {
  loading ??= import('./cart-details.tsx');
  try {
    cart = await loading;
    return cart;
  } catch (failure) {
    loading = undefined;
    throw failure;
  }
}

/** At the first press or key. After a failure, opening the cart tries again. */
export function usePreloadedCart(): void {
  useEffect(() => {
    const preload = () => {
      stop();
      loadCart().catch(() => undefined);
    };
    const stop = () => {
      for (const type of ['pointerdown', 'keydown']) window.removeEventListener(type, preload);
    };
    for (const type of ['pointerdown', 'keydown']) window.addEventListener(type, preload, { passive: true });
    return stop;
  }, []);
}

/** If it is already loaded, the first render has it. */
export function useCartModule() {
  const [state, setState] = useState<CartModule | 'loading' | 'failed'>(cart ?? 'loading');
  useEffect(() => {
    if (state !== 'loading') return;
    let left = false;
    const settle = (settled: CartModule | 'failed') => {
      if (!left) setState(settled);
    };
    loadCart().then(settle, () => settle('failed'));
    return () => {
      left = true;
    };
  }, [state]);
  return {
    cart: typeof state === 'string' ? undefined : state,
    failed: state === 'failed',
  };
}
