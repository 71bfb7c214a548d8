import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './build-steps/precompress.ts';

/** What every customer page needs. As one chunk it compresses better, and it stays in the cache while pages change. */
const coreModules = [
  /node_modules\/(react|react-dom|scheduler|zod|use-sync-external-store)\//,
  /node_modules\/@tanstack\/(router-core|react-router|history|store|react-store)\//,
  /domain\/src\//,
  /frontend\/src\/(shared\/(?!queries|query-client|priced-order)|not-found\/|router|routeTree|routes\/\w+\.tsx$)/,
];

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // What a page shows while it loads would otherwise come with the first load of every other page.
      codeSplittingOptions: {
        defaultBehavior: [['component'], ['pendingComponent'], ['errorComponent'], ['notFoundComponent']],
      },
      quoteStyle: 'single',
      routesDirectory: './src/routes',
      generatedRouteTree: './src/routeTree.gen.ts',
    }),
    react(),
    precompress(),
  ],
  build: {
    outDir: '../build/frontend',
    emptyOutDir: true,
    // The server preloads a page's chunks, and the budget adds them up, from this manifest.
    manifest: true,
    sourcemap: false,
    // A font or an image inside the style sheet could be neither cached nor preloaded on its own.
    assetsInlineLimit: 0,
    // Browsers that cannot preload modules do well without.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'core', test: (id) => coreModules.some((pattern) => pattern.test(id)) }],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});
