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
 * Draws the home page on the server, with the settings of the moment, so that it is seen before any script has run. `main.tsx` takes
 * over from there: what is drawn here has to be what the browser draws first.
 * @param given what the server writes into the page, and the page will read there
 */
export async function drawHome(given: unknown): Promise<string> {
  const data = pageDataOf(given);
  if (data === undefined) throw new Error('The page has no configuration to be drawn with');
  // The same home page between fewer routes: nobody's back office is loaded to draw it.
  const root = createRootRoute({ loader: () => data, component: EveryPage });
  const home = createRoute({ getParentRoute: () => root, path: '/', component: HomePage });
  const router = createRouter({
    routeTree: root.addChildren([home]),
    history: createMemoryHistory(),
    isServer: true,
  });
  await router.load();
  return renderToString(<RouterProvider router={router} />);
}
