import './base.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchAttendance } from './office/session/attendance.ts';
import { officePages } from './office-routes.ts';
import { makeRouter } from './router.ts';
import { watchPresses } from './shared/after-press.ts';

// The entry of the back office; the shop's is `main.tsx`.

watchPresses(document);
watchAttendance(window);

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element to start in');
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={makeRouter(officePages)} />
  </StrictMode>,
);
