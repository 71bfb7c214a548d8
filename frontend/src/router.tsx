import { createRouter } from '@tanstack/react-router';
import { routeTree } from './routeTree.gen.ts';

/** @param restoresScroll whether the router sets the scroll position after a navigation */
export function makeRouter(restoresScroll = () => true) {
  return createRouter({ routeTree, defaultPreload: 'intent', notFoundMode: 'root', scrollRestoration: restoresScroll });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
