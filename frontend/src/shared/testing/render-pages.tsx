import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import type { FunctionComponent } from 'react';
import { settingsOf } from '../settings.ts';
import { Toaster } from '../toast/toaster.tsx';

/** Pages by their paths, as the product's router shows them, with the messages beside them. */
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
  // Its type is that of the product's router, which has these routes and more.
  render(<RouterProvider router={createRouter({ routeTree }) as never} />);
}
