import { tanstackRouterGenerator } from '@tanstack/router-plugin/vite';

/**
 * Generates the route tree of one origin. A tree imports all its routes, so the shop needs one
 * without the back office.
 * @param ignoring a pattern of the route files that the origin does not have
 */
export function routesOf(origin: 'shop' | 'office', ignoring: string) {
  return tanstackRouterGenerator({
    target: 'react',
    autoCodeSplitting: true,
    quoteStyle: 'single',
    routesDirectory: './src/routes',
    routeFileIgnorePattern: ignoring,
    generatedRouteTree: `./src/${origin}-routes.gen.ts`,
  });
}
