import './base.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { makeRouter } from './router.tsx';
import { watchPresses } from './shared/after-press.ts';

watchPresses(document);

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element to start in');
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={makeRouter()} />
  </StrictMode>,
);
