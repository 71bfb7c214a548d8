import { createRouter } from '@tanstack/react-router';
import type { officePages } from './office-routes.ts';
import { root } from './root-route.ts';
import type { shopPages } from './shop-routes.ts';

/** The types of links are global, so the router's type has both origins' routes. */
type EveryPage = readonly [...typeof shopPages, ...typeof officePages];

/** @param restoresScroll the router sets the scroll position after a navigation. */
export function makeRouter(pages: typeof shopPages | typeof officePages, restoresScroll = () => true) {
  return createRouter({
    routeTree: root.addChildren(pages as unknown as EveryPage),
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
