import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { HomePage } from './home/home-page.tsx';
import { pageDataOf } from './shared/page-data.ts';
import { EveryPage } from './shared/ui/every-page.tsx';

/**
 * Makes the page visible before any script runs. `main.tsx` hydrates it, so this markup must equal the browser's first
 * render.
 * @param given the data that the server inlines into the page.
 * @param size a common size that the address names, see `presetName`.
 */
export async function renderHome(given: unknown, size = ''): Promise<string> {
  const data = pageDataOf(given);
  if (data === undefined) throw new Error('The page has no configuration to render with');
  // The home page only, so that the bundle contains no other page.
  const root = createRootRoute({ loader: () => data, component: EveryPage });
  const home = createRoute({ getParentRoute: () => root, path: '/', component: HomePage });
  const router = createRouter({
    routeTree: root.addChildren([home]),
    history: createMemoryHistory({ initialEntries: [`/?${new URLSearchParams({ size }).toString()}`] }),
    isServer: true,
  });
  await router.load();
  return renderToString(<RouterProvider router={router} />);
}
