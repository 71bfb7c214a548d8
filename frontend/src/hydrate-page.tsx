import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { makeRouter } from './router.ts';
import { shopPages } from './shop-routes.ts';

/**
 * Hydrates the markup that the server rendered (`render-home.tsx`), so that nothing moves and no
 * element loses the focus. A transition splits the work, so that the browser can handle taps and
 * scrolling in between.
 */
export async function hydratePage(root: HTMLElement): Promise<void> {
  const router = makeRouter(shopPages, keepFirstScroll());
  // The server rendered no pending state. With `ssr` set, the router renders none during hydration
  // either.
  router.ssr = { manifest: undefined };
  await router.load();
  delete root.dataset['drawn'];
  startTransition(() => {
    hydrateRoot(
      root,
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    );
  });
}

/** Keeps the scroll position of a customer who scrolled before hydration. */
function keepFirstScroll(): () => boolean {
  let isOpening = true;
  return () => {
    const restores = !isOpening || window.scrollY === 0;
    isOpening = false;
    return restores;
  };
}
