import './base.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { hydratePage } from './hydrate-page.tsx';
import { makeRouter } from './router.ts';
import { watchPresses } from './shared/after-press.ts';
import { isFramed } from './shared/framed.ts';
import { shopPages } from './shop-routes.ts';

watchPresses(document);
// The server marks frames, too, except for browsers that do not tell it.
document.documentElement.toggleAttribute('data-framed', isFramed());

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element to start in');
// The timeout lets the browser handle pending taps before hydration starts.
if ('drawn' in root.dataset && !isFramed()) setTimeout(() => void hydratePage(root));
else {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={makeRouter(shopPages)} />
    </StrictMode>,
  );
}
