import { type AnyRoute, createRouter } from '@tanstack/react-router';
import { root } from './root-route.ts';

/** @param restoresScroll the router sets the scroll position after a navigation. */
export function makeRouter<const Pages extends readonly AnyRoute[]>(pages: Pages, restoresScroll = () => true) {
  return createRouter({
    routeTree: root.addChildren(pages),
    defaultPreload: 'intent',
    notFoundMode: 'root',
    scrollRestoration: restoresScroll,
  });
}
