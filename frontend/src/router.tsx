import { type AnyRoute, createRouter } from '@tanstack/react-router';
import type { routeTree as everyRoute } from './routeTree.gen.ts';

/**
 * @param routes the routes of the shop or of the back office. The router's type has both, because
 * the types of links are global.
 * @param restoresScroll whether the router sets the scroll position after a navigation
 */
export function makeRouter(routes: AnyRoute, restoresScroll = () => true) {
  return createRouter({
    routeTree: routes as typeof everyRoute,
    defaultPreload: 'intent',
    notFoundMode: 'root',
    scrollRestoration: restoresScroll,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
