import './base.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { makeRouter } from './router.tsx';
import { watchPresses } from './shared/after-press.ts';
import { isFramed } from './shared/framed.ts';
import { takeOver } from './take-over.tsx';

watchPresses(document);

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element to start in');
// A pause, in which the browser answers who has tapped meanwhile.
if ('drawn' in root.dataset && !isFramed()) setTimeout(() => void takeOver(root));
else {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={makeRouter()} />
    </StrictMode>,
  );
}
