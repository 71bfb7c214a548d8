import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { makeRouter } from './router.tsx';

/**
 * Makes what the server drew (`draw-home.tsx`) the application's own: nothing is drawn a second time, so nothing moves and nothing loses
 * the focus. It is done in small pieces, between which taps and scrolling are answered.
 */
export async function takeOver(root: HTMLElement): Promise<void> {
  const router = makeRouter(staysWhereItIs());
  // The server's router had loaded everything before it drew, and drew nothing for what is still to come.
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

/** Whoever has scrolled in what the server drew stays there when it is taken over. */
function staysWhereItIs(): () => boolean {
  let isOpening = true;
  return () => {
    const restores = !isOpening || window.scrollY === 0;
    isOpening = false;
    return restores;
  };
}
