import './base.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { makeRouter } from './router.ts';
import { watchPresses } from './shared/after-press.ts';
import { isFramed } from './shared/framed.ts';
import { shopPages } from './shop-routes.ts';

watchPresses(document);
// The server marks frames, except for browsers that do not tell it.
document.documentElement.toggleAttribute('data-framed', isFramed());

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element to start in');
// The timeout lets the browser handle pending taps before hydration.
if ('drawn' in root.dataset && !isFramed()) setTimeout(() => void hydratePage(root));
else {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={makeRouter(shopPages)} />
    </StrictMode>,
  );
}

// After everything that the visitor waits for.
const { pathname } = window.location;
setTimeout(() => {
  import('./measure-visit.ts').then(
    ({ measureVisit }) => measureVisit(pathname),
    () => undefined,
  );
}, 2000);

/**
 * Hydrates the server's markup (`render-home.tsx`), so that nothing moves or loses the focus. A transition splits the
 * work, so that the browser can handle taps and scrolling in between.
 */
async function hydratePage(root: HTMLElement): Promise<void> {
  const router = makeRouter(shopPages, keepFirstScroll());
  // The server rendered no pending state. With `ssr` set, the router renders none during hydration either.
  router.ssr = { manifest: undefined };
  await router.load();
  startTransition(() => {
    hydrateRoot(
      root,
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    );
  });
}

/** Of a customer who scrolled before hydration. */
function keepFirstScroll(): () => boolean {
  let isOpening = true;
  return () => {
    const restores = !isOpening || window.scrollY === 0;
    isOpening = false;
    return restores;
  };
}
