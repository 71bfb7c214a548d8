import '../base.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { makeRouter } from '../router.ts';
import { watchPresses } from '../shared/after-press.ts';
import { addPages } from './pages.ts';
import { officePages } from './shared/routes.ts';
import { watchAttendance } from './shared/session/attendance.ts';
import { keepFocus } from './shared/ui/keep-focus.ts';

// The entry of the back office; the shop's is `../main.tsx`.

document.head.append(document.querySelector('template')?.content ?? '');
watchPresses(document);
watchAttendance(window);
keepFocus(document);
addPages();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element to start in');
const router = makeRouter(officePages);
// What the server drew stays until the page is here.
await router.load();
delete root.dataset['drawn'];
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
);
