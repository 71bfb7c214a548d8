import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router';
import { configure, render } from '@testing-library/react';
import type { FunctionComponent } from 'react';
import { settingsOf } from '../settings.ts';
import { Toaster } from '../toast/toaster.tsx';

// A slow machine is no defect; the default is one second.
configure({ asyncUtilTimeout: 60_000 });

/** With a router and the toaster, as in production. */
export function renderPages(config: unknown, pages: Readonly<Record<string, FunctionComponent>>): void {
  const root = createRootRoute({
    loader: () => ({ config, settings: settingsOf(undefined) }),
    component: () => (
      <>
        <Outlet />
        <Toaster />
      </>
    ),
  });
  const routeTree = root.addChildren(
    Object.entries(pages).map(([path, component]) => createRoute({ getParentRoute: () => root, path, component })),
  );
  // `RouterProvider` expects the production router's type, which has more routes.
  render(<RouterProvider router={createRouter({ routeTree }) as never} />);
}
